import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createAccount, newPassword, oldPassword, rowOf, signIn } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { runJobs, runJobsWhile, sendFile } from '../../testing/jobs.ts'
import { whileLocked } from '../../testing/lock-waits.ts'
import { messageTo, tokenIn } from '../../testing/messages.ts'
import { removeOldSessions } from '../credentials/live-sessions.service.ts'
import { handleOf, sessionsOf } from '../sessions/sessions-test-steps.ts'
import { readAudit } from '../users/users-test-steps.ts'

/* What a job may do is decided in each of its transactions, by what its author and their credential may then. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

let files = 0
async function queue(key: string, rows = 3): Promise<number> {
  files++
  const file = `email\n${Array.from({ length: rows }, (_, at) => `author${files}-${at}@example.com`).join('\n')}\n`
  const { status, body, text } = await sendFile(t, file, { key })
  if (status !== 202) throw new Error(text)
  return body.data.id
}
async function run(id: number) {
  await runJobs(t)
  const job = (await t.call(`GET /jobs/${id}`)).body.data
  const { data } = (await t.call(`GET /jobs/${id}/errors`)).body
  return { ...job, codes: data.map(({ code }: { code: string }) => code) }
}
const refused = (code: string) => ({ status: 'failed', created: 0, message: expect.any(String), codes: [code] })

describe('a job fails when its author is meanwhile', () => {
  it.each([
    ['banned', { status: 'Banned' }, 'job_author_gone'],
    ['demoted', { role_id: 2 }, 'job_author_demoted'],
  ])('%s', async (_what, change, code) => {
    const { user, key } = await t.createUser({ role_id: 1 })
    const id = await queue(key)
    await t.call(`PATCH /users/${user.id}`, { body: change })
    expect(await run(id)).toMatchObject(refused(code))
  })

  it('required to have a second factor, and has none', async () => {
    const role = await t.createRole('Importers with factors', ['users.manage'])
    const { key } = await t.createUser({ role_id: role })
    const id = await queue(key)
    await t.call(`PATCH /roles/${role}`, { body: { two_factor: 'required' } })
    expect(await run(id)).toMatchObject(refused('two_factor_enrolment_required'))
  })
})

async function newKey(more: object = {}): Promise<{ id: number; key: string }> {
  const { body } = await t.call('POST /api-keys', { body: { name: 'import', ...more } })
  return body.data
}

describe('a job fails when the API key that started it is meanwhile', () => {
  it('revoked', async () => {
    const { id: keyId, key } = await newKey()
    const id = await queue(key)
    await t.call(`DELETE /api-keys/${keyId}`)
    expect(await run(id)).toMatchObject(refused('job_key_revoked'))
  })

  it('expired', async () => {
    const { key } = await newKey({ expires_at: '2026-01-15 12:30:00' })
    const id = await queue(key)
    t.clock.advance({ minutes: 30 })
    expect((await t.call('GET /jobs', { key })).status).toBe(401)
    expect(await run(id)).toMatchObject(refused('job_key_expired'))
  })

  it.each([
    ['no permission', []],
    ['fewer permissions than the job began with', ['users.manage']],
  ])('limited to %s', async (_what, permissions) => {
    const { id: keyId, key } = await newKey()
    const id = await queue(key)
    await t.call(`PATCH /api-keys/${keyId}`, { body: { permissions } })
    expect(await run(id)).toMatchObject(refused('job_key_limited'))
  })

  it('limited in the middle; the rows before that stay and count', async () => {
    const { id: keyId, key } = await newKey()
    const id = await queue(key, 4_500)
    const limited = await runJobsWhile(t, id, () => t.call(`PATCH /api-keys/${keyId}`, { body: { permissions: [] } }))
    expect(limited.status).toBe(200)
    const job = await run(id)
    expect(job).toMatchObject({ status: 'failed', created: job.done, codes: ['job_key_limited'] })
    expect(job.done).toBeLessThan(4_500)
    expect((await t.call(`GET /users?filter[import_id]=${id}`)).body.meta.total).toBe(job.done)
  })
})

/** A job that a session of a new administrator has queued. */
async function queueBySession() {
  const { user, key: whole } = await createAccount(t, { role_id: 1 })
  const token = (await signIn(t, user.email)).body.token as string
  return { user, whole, token, id: await queue(token) }
}
const proof = { current_password: oldPassword, password: newPassword, password_confirmation: newPassword }

describe('a job that a session started goes on', () => {
  it('after it signed out, and after it timed out', async () => {
    const [out, late] = [await queueBySession(), await queueBySession()]
    expect((await t.call('POST /logout', { key: out.token })).status).toBe(200)
    t.clock.advance({ hours: 3 })
    await removeOldSessions(t.ctx)
    for (const { token } of [out, late]) expect((await t.call('GET /me', { key: token })).status).toBe(401)
    expect((await t.call('GET /me/sessions', { key: out.whole })).body.data).toEqual([])
    expect([await run(out.id), await run(late.id)]).toMatchObject([{ created: 3 }, { created: 3 }])
    await removeOldSessions(t.ctx)
    expect([await sessionsOf(t, out.user.id), await sessionsOf(t, late.user.id)]).toEqual([[], []])
  })

  it.runIf(inject('postgresUrl'))('after parallel requests to sign out, of which one does', async () => {
    const { user, token, id } = await queueBySession()
    const session = `select 1 from sessions where id = '${await handleOf(t, token)}' for no key update`
    const asked = await whileLocked(t.database.url, session, async (untilWaiting) => {
      const requests = [1, 2].map(() => t.call('POST /logout', { key: token }))
      await untilWaiting(2)
      return requests
    })
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 404])
    const audit = (await readAudit(t, user.id)).filter(({ event }) => event === 'session.ended')
    expect(audit).toHaveLength(1)
    expect(await run(id)).toMatchObject({ status: 'done', created: 3 })
  })

  it('after a newer session took its place', async () => {
    await t.call('PATCH /settings', { body: { 'session.max_per_user': 1 } })
    const { user, token, id } = await queueBySession()
    const newer = (await signIn(t, user.email)).body.token
    expect((await t.call('GET /me', { key: token })).status).toBe(401)
    expect((await t.call('GET /me/sessions', { key: newer })).body.data).toHaveLength(1)
    expect(await run(id)).toMatchObject({ status: 'done', created: 3 })
    await t.call('PATCH /settings', { body: { 'session.max_per_user': 50 } })
  })

  it('after the user has changed their password in it', async () => {
    const { token, id } = await queueBySession()
    expect((await t.call('PATCH /me/details/auth', { key: token, body: proof })).status).toBe(200)
    expect(await run(id)).toMatchObject({ status: 'done', created: 3 })
  })
})

describe('a job fails when the session that started it was ended meanwhile', () => {
  type Queued = Awaited<ReturnType<typeof queueBySession>>
  const admin = (request: string, body?: object) => t.call(request, body === undefined ? {} : { body })
  it.each<[string, (queued: Queued) => Promise<{ status: number }>]>([
    ['with all sessions', ({ user }) => admin(`DELETE /users/${user.id}/sessions`)],
    ['by a new password', ({ user: { id } }) => admin(`PATCH /users/${id}`, { ...proof, current_password: undefined })],
    [
      'by another session of the user',
      async ({ user, token }) => {
        const other = (await signIn(t, user.email)).body.token
        return t.call(`DELETE /sessions/${await handleOf(t, token)}`, { key: other })
      },
    ],
    [
      'by a new password after it signed out',
      async ({ token, whole }) => {
        await t.call('POST /logout', { key: token })
        return t.call('PATCH /me/details/auth', { key: whole, body: proof })
      },
    ],
    [
      'by the link to secure the account, after it signed out',
      async ({ user, token, whole }) => {
        await t.call('POST /api-keys', { key: whole, body: { name: 'told of by mail' } })
        await t.call('POST /logout', { key: token })
        const link = tokenIn(await messageTo(t, user.email, 'api-key-created'))
        return t.call('POST /secure-account', { key: null, body: { token: link } })
      },
    ],
  ])('%s', async (_what, end) => {
    const { user } = await t.createUser()
    const queued = await queueBySession()
    const body = { action: 'ban', ids: [user.id], expected: 1 }
    const ban = await t.call('POST /users/bulk', { key: queued.token, body })
    expect((await end(queued)).status).toBe(200)
    expect(await run(queued.id)).toMatchObject(refused('job_session_ended'))
    expect(await run(ban.body.data.id)).toMatchObject({ status: 'failed', updated: 0, codes: ['job_session_ended'] })
    expect((await rowOf(t, user.id)).status).toBe('Active')
  })
})

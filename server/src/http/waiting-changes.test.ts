import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createOwner, login, password, sessionsOf, signIn } from '../features/sessions/sessions-test-steps.ts'
import type { TokenPurpose } from '../features/tokens/tokens.table.ts'
import {
  createAccount,
  newcomer,
  newNetwork,
  register,
  registerUnconfirmed,
  remind,
  rowOf,
} from '../testing/accounts.ts'
import { createHolder, type Holder } from '../testing/actors.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { adminQuery } from '../testing/databases.ts'
import { whileLocked } from '../testing/lock-waits.ts'

/*
 * Changes at the same moment, on PostgreSQL: another transaction is held open, so that what must wait for it does. SQLite has
 * only one that writes.
 */
describe.skipIf(inject('postgresUrl') === null)('what waits for another change', () => {
  let t: TestApp
  beforeAll(async () => {
    t = await startTestApp(inject('postgresUrl'))
  })
  afterAll(() => t.close())

  /** Sends a request while the statement is held, until it waits or is answered. */
  const during = async <T>(statement: string, send: () => Promise<T>): Promise<T> => {
    const { sent } = await whileLocked(t.database.url, statement, async (untilWaiting) => {
      const sent = send()
      await Promise.race([sent, untilWaiting(1)])
      return { sent }
    })
    return sent
  }

  const countEvents = async (event: string, subject: number): Promise<number> => {
    const rows = t.ctx.db
      .selectFrom('activity')
      .select('id')
      .where('event', '=', event)
      .where('subject_id', '=', subject)
    return (await rows.execute()).length
  }

  it.each([
    ['a demotion', ({ user }: Holder) => [`PATCH /users/${user.id}`, { role_id: 2 }] as const],
    ['a suspension', ({ user }: Holder) => [`PATCH /users/${user.id}`, { status: 'Unconfirmed' }] as const],
    [
      'a role that requires a factor',
      ({ roleId }: Holder) => [`PATCH /roles/${roleId}`, { two_factor: 'required' }] as const,
    ],
    ['a narrower role', ({ roleId }: Holder) => [`PUT /roles/${roleId}/permissions`, { permissions: [] }] as const],
    ['the end of a role', ({ roleId }: Holder) => [`DELETE /roles/${roleId}`, undefined] as const],
  ])('is %s, for what is being changed by who may no longer', async (_name, toTakeAway) => {
    const actor = await createHolder(t, ['users.manage'])
    const { user } = await t.createUser()
    const other = `update users set first_name = 'Held' where id = ${user.id}`
    const { change, taken } = await whileLocked(t.database.url, other, async (untilWaiting) => {
      const change = t.call(`PATCH /users/${user.id}`, { key: actor.key, body: { first_name: 'Ada' } })
      await untilWaiting(1, 500) // by then it no longer begins again
      const [request, body] = toTakeAway(actor)
      const taken = t.call(request, { body }).then(async ({ status }) => ({ status, user: await rowOf(t, user.id) }))
      await Promise.race([taken, untilWaiting(2, 500)])
      return { change, taken }
    })
    expect((await change).status).toBe(200)
    // It was committed before the other was answered.
    expect(await taken).toMatchObject({ status: 200, user: { first_name: 'Ada' } })
  })

  it.each(['sessions', 'api_keys'])(
    'is a change by a user who is being demoted, and it is refused (%s)',
    async (table) => {
      const role_id = await t.createRole(`Demoted, ${table}`, ['users.manage'])
      const owner = await createOwner(t, { role_id })
      const holder = await t.createUser({ role_id })
      const [actor, key] = table === 'sessions' ? [owner, await signIn(t, owner)] : [holder.user, holder.key]
      expect((await t.call('GET /users', { key })).status).toBe(200)
      const { user } = await t.createUser()
      const demotion = `select id from ${table} where user_id = ${actor.id} for update;
      update users set role_id = 2 where id = ${actor.id}`
      const change = await during(demotion, () =>
        t.call(`PATCH /users/${user.id}`, { key, body: { first_name: 'Ada' } }),
      )
      expect(change.status).toBe(403)
      expect((await rowOf(t, user.id)).first_name).toBeNull()
    },
  )

  it.each([
    ['suspend', (id: number) => [`PATCH /users/${id}`, { status: 'Unconfirmed' }] as const],
    ['take the second factor of', (id: number, factor: number) => [`DELETE /users/${id}/factors/${factor}`] as const],
  ])('is one of two administrators who %s each other: only one of them succeeds', async (name, toTakeAway) => {
    const role_id = await t.createRole(`Who ${name}`, ['users.manage'])
    const on = { role_id, two_factor_options: JSON.stringify({ enabled: true, channel: 'totp' }) }
    const createAdministrator = async () => {
      const { user, key } = await t.createUser(on)
      const app = { user_id: user.id, type: 'totp' as const, name: '', verified: 1, secret: '', created_at: '' }
      const added = t.ctx.unguarded.insertInto('factors').values(app).returning('id')
      return { user, key, factor: (await added.executeTakeFirstOrThrow()).id }
    }
    const [one, other] = [await createAdministrator(), await createAdministrator()]
    await t.call(`PATCH /roles/${role_id}`, { body: { two_factor: 'required' } })
    // The version of all credentials is written at the commit: both have decided by then.
    const held = 'select version from credential_version for update'
    const { both } = await whileLocked(t.database.url, held, async (untilWaiting) => {
      const both = [[one, other] as const, [other, one] as const].map(([{ key }, { user, factor }]) => {
        const [request, body] = toTakeAway(user.id, factor)
        return t.call(request, { key, body })
      })
      await untilWaiting(2)
      return { both }
    })
    const answers = await Promise.all(both)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      200,
      expect.toSatisfy((refusal) => [401, 403].includes(refusal)),
    ])
  })

  it('is a sign-in, for its role to become narrower: else the session could do more until that is committed', async () => {
    const role_id = await t.createRole('Narrower', ['users.manage'])
    const user = await createOwner(t, { role_id })
    const narrowing = `select id from roles where id = ${role_id} for update;
      delete from role_permissions where role_id = ${role_id}`
    const { key, first } = await whileLocked(t.database.url, narrowing, async (untilWaiting) => {
      const key = signIn(t, user)
      const first = await Promise.race([key.then(() => 'signed in'), untilWaiting(1).then(() => 'waiting')])
      return { key, first }
    })
    expect(first).toBe('waiting')
    expect((await t.call('GET /users', { key: await key })).status).toBe(403)
  })

  it('is a registration, for its role to be replaced by another: it gets that one', async () => {
    const role_id = await t.createRole('Newcomers', [])
    await t.call('PATCH /settings', { body: { 'registration.default_role_id': role_id } })
    const replacing = `select id from roles where id = ${role_id} for update;
      update settings set value = '2' where name = 'registration.default_role_id';
      insert into role_permissions select ${role_id}, id from permissions where name = 'users.manage'`
    const body = newcomer()
    expect((await during(replacing, () => register(t, body))).status).toBe(201)
    const found = t.ctx.db.selectFrom('users').select('role_id').where('email', '=', body.email)
    expect(await found.executeTakeFirst()).toEqual({ role_id: 2 })
  })

  it('is the end of the role of who registers, for the next one to become mightier: it is refused', async () => {
    const role_id = await t.createRole('Newcomers until then', [])
    await t.call('PATCH /settings', { body: { 'registration.default_role_id': role_id } })
    const widening = `select id from roles where id = 2 for update;
      insert into role_permissions select 2, id from permissions where name = 'users.manage'`
    const end = await during(widening, () => t.call(`DELETE /roles/${role_id}`))
    expect(end.body).toMatchObject({ code: 'role_of_registration' })
    await t.call('PUT /roles/2/permissions', { body: { permissions: [] } })
    expect((await t.call(`DELETE /roles/${role_id}`)).status).toBe(200)
  })

  it('is a sign-in with the password alone, for a second factor to be turned on: it does not begin', async () => {
    const user = await createOwner(t)
    const factor = `update users set two_factor_options = '{"enabled":true,"channel":"totp"}' where id = ${user.id}`
    expect((await during(factor, () => login(t, user.email))).status).toBe(422)
    expect(await sessionsOf(t, user.id)).toEqual([])
  })

  it('is a change of an announcement, for the same one: the second is not recorded', async () => {
    const created = await t.call('POST /announcements', { body: { title: 'Old', body: 'Text' } })
    const { id } = created.body.data
    const other = `update announcements set title = 'New' where id = ${id}`
    expect((await during(other, () => t.call(`PATCH /announcements/${id}`, { body: { title: 'New' } }))).status).toBe(
      200,
    )
    expect(await countEvents('announcement.updated', id)).toBe(0)
  })

  it('is the end of an opt-out, for the same one: the second is not recorded', async () => {
    const { user, key } = await t.createUser()
    const set = (subscribed: boolean) => t.call('PUT /announcements/subscription', { key, body: { subscribed } })
    await set(false)
    const other = `delete from announcement_opt_outs where user_id = ${user.id}`
    expect((await during(other, () => set(true))).status).toBe(200)
    expect(await countEvents('announcement.subscribed', user.id)).toBe(0)
  })

  it('is a request with the current password, as long as the account is held', async () => {
    const user = await createOwner(t)
    const key = await signIn(t, user)
    const other = `update users set first_name = 'Held' where id = ${user.id}`
    const { sent } = await whileLocked(t.database.url, other, async (untilWaiting) => {
      const sent = t.call('POST /me/factors/totp', { key, body: { current_password: password } })
      await Promise.race([sent, untilWaiting(1, 500)]) // by then it has begun again several times
      return { sent }
    })
    expect((await sent).status).toBe(201)
  })

  it('holds no session meanwhile that the other change may want to end', async () => {
    const user = await createOwner(t)
    const key = await signIn(t, user)
    const other = `update users set first_name = 'Held' where id = ${user.id}`
    const { sent } = await whileLocked(t.database.url, other, async (untilWaiting) => {
      const sent = t.call('PATCH /me/details', { key, body: { first_name: 'Ada' } })
      await untilWaiting(1, 500) // by then it no longer gives way
      await adminQuery(t.database.url, `set lock_timeout = 200; delete from sessions where user_id = ${user.id}`)
      return { sent }
    })
    expect((await sent).status).toBe(401)
  })

  it('are the settings, so that two changes are not mixed', async () => {
    const body = { 'session.idle_minutes': 120, 'session.absolute_hours': 100 }
    const other = `insert into settings (name, value) values ('session.idle_minutes', '10'), ('session.absolute_hours', '200')`
    const answer = await during(other, () => t.call('PATCH /settings', { body }))
    expect(answer.body.data).toMatchObject(body)
    expect((await t.call('GET /settings')).body.data).toMatchObject(body)
  })

  it('is a link, for the ban of its account: none is sent', async () => {
    const tokens = async (id: number, purpose: TokenPurpose) =>
      t.ctx.db
        .selectFrom('tokens')
        .select('token_hash')
        .where('user_id', '=', id)
        .where('purpose', '=', purpose)
        .execute()
    const ban = (id: number) =>
      `delete from tokens where user_id = ${id}; update users set status = 'Banned' where id = ${id}`
    const { user } = await createAccount(t)
    expect((await during(ban(user.id), () => remind(t, user.email))).status).toBe(200)
    expect(await tokens(user.id, 'password_reset')).toEqual([])

    const { user: waiting } = await registerUnconfirmed(t)
    t.clock.advance({ minutes: 2 })
    const resend = () => t.call('POST /email/resend', { key: null, body: { email: waiting.email }, ip: newNetwork() })
    expect((await during(ban(waiting.id), resend)).status).toBe(202)
    expect(await tokens(waiting.id, 'email_verification')).toEqual([])
  })

  it('is nobody who only reads', async () => {
    const body = { url: 'https://hooks.example.com', events: ['user.*'] }
    const webhook = (await t.call('POST /webhooks', { body })).body.data.id
    const job = (await t.call('POST /users/bulk', { body: { action: 'end_sessions', ids: [1], expected: 1 } })).body
    const paths = ['/users/1', '/roles/1', '/permissions/1', '/api-keys/1', `/webhooks/${webhook}`, '/me', '/settings']
    const reads = [...paths, `/jobs/${job.data.id}`, '/users/1/sessions', '/users/1/factors', '/me/factors']
    const held = 'lock table users, roles, permissions, api_keys, webhooks, settings in exclusive mode'
    // Who waited for a lock would be 503 in the end.
    const answers = await whileLocked(t.database.url, held, () =>
      Promise.all(reads.map((path) => t.call(`GET ${path}`))),
    )
    expect(answers.map(({ status }) => status)).toEqual(reads.map(() => 200))
  })

  it('is the deletion of a user, for the job that they are starting: it keeps no address of theirs', async () => {
    const { user, key } = await createHolder(t, ['users.manage'])
    const body = { action: 'end_sessions', ids: [1], expected: 1 }
    expect((await t.call('POST /users/bulk', { key, body })).status).toBe(202)
    const another = `select id from api_keys where user_id = ${user.id} for key share;
      insert into jobs select (jsonb_populate_record(jobs, '{"id": 999999}')).* from jobs where created_by = ${user.id}`
    expect((await during(another, () => t.call(`DELETE /users/${user.id}`))).status).toBe(200)
    const jobs = await t.ctx.db.selectFrom('jobs').select('ip_address').where('created_by', '=', user.id).execute()
    expect(jobs).toEqual([{ ip_address: null }, { ip_address: null }])
  })
})

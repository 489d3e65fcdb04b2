import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createAccount, rowOf, signIn } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { runJobs } from '../../testing/jobs.ts'
import { messagesTo, messageTo, tokenIn } from '../../testing/messages.ts'
import { processorMs } from '../../testing/processor-time.ts'
import { readAudit, refusal } from '../users/users-test-steps.ts'
import { bulkSteps } from './bulk-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const { group, ask, bulk, undo, statuses } = bulkSteps(() => t)

describe('POST /users/bulk', () => {
  it('bans all who match a filter, with keys, sessions, totals and an audit row each', async () => {
    const { search, users, ids } = await group(3)
    const { user, key } = await createAccount(t, { email: `${search}-four@four.example.com` })
    const { body } = await signIn(t, user.email)
    const banned = async () => (await t.call('GET /users?filter[status]=Banned')).body.meta.total
    const before = await banned()
    const job = await bulk({ action: 'ban', filter: { search }, expected: 4 })
    expect(job).toMatchObject({
      type: 'users.bulk',
      action: 'ban',
      status: 'done',
      total: 4,
      done: 4,
      updated: 4,
      skipped: 0,
      can_undo: true,
    })
    expect(await statuses([...ids, user.id])).toEqual(Array(4).fill('Banned'))
    expect(await banned()).toBe(before + 4)
    expect((await t.call('GET /me', { key })).status).toBe(401)
    expect((await t.call('GET /me', { key: body.token })).status).toBe(401)
    expect((await readAudit(t, users[0]?.id ?? 0)).at(-1)).toMatchObject({
      event: 'user.banned',
      actor_id: 1,
      details: JSON.stringify({ before: 'Active', job_id: job.id }),
    })
    const { body: activity } = await t.call('GET /activity?filter[event]=users.bulk_changed')
    expect(activity.data[0]).toMatchObject({
      subject_type: 'job',
      subject_id: job.id,
      details: { action: 'ban', updated: 4 },
    })
  })

  it('is 409 with the number where another number matches', async () => {
    const { search, ids } = await group(2)
    const answer = await ask({ action: 'ban', filter: { search }, expected: 3 })
    expect([answer.status, answer.body]).toEqual([
      409,
      { message: expect.stringContaining('2'), code: 'bulk_count_changed', count: 2 },
    ])
    expect((await ask({ action: 'ban', ids: [...ids, 999_999], expected: 3 })).body.count).toBe(2)
    expect(await statuses(ids)).toEqual(['Active', 'Active'])
  })

  it('counts no id of nobody, and as skipped who is deleted while it runs', async () => {
    const { ids } = await group(2)
    const ofNobody = await bulk({ action: 'ban', ids: [ids[0], 999_999_991], expected: 1 })
    expect(ofNobody).toMatchObject({ total: 1, done: 1, updated: 1, skipped: 0 })
    const asked = await ask({ action: 'activate', ids: [...ids, 999_999_991], expected: 2 })
    await t.call(`DELETE /users/${ids[1]}`)
    await runJobs(t)
    const job = (await t.call(`GET /jobs/${asked.body.data.id}`)).body.data
    expect(job).toMatchObject({ total: 2, done: 2, updated: 1, skipped: 1 })
  })

  it('leaves out the caller, users above the caller and the last administrator, and counts them', async () => {
    const { ids } = await group(1)
    const admins = await group(1, { role_id: 1 })
    const job = await bulk({ action: 'ban', ids: [1, ...ids, ...admins.ids], expected: 3 })
    expect(job).toMatchObject({ updated: 2, skipped: 1, done: 3 })
    const role = await t.createRole('Bulk helpers', ['users.manage'])
    const { key } = await t.createUser({ role_id: role })
    const lower = await bulk({ action: 'delete', ids: [1], expected: 1 }, key)
    expect(lower).toMatchObject({ updated: 0, skipped: 1 })
    expect((await rowOf(t, 1)).status).toBe('Active')
  })

  it('takes the filters of the list, and created_before and last_login_before', async () => {
    const { search } = await group(2, { created_at: '2019-05-05 12:00:00', last_login: '2020-01-01 00:00:00' })
    const count = async (filter: object) =>
      (await ask({ action: 'ban', filter: { search, ...filter }, expected: 99 })).body.count
    expect(await count({ created_before: '2019-05-05' })).toBe(0)
    expect(await count({ created_before: '2019-05-06' })).toBe(2)
    expect(await count({ last_login_before: '2020-01-01 00:00:01', status: ['Active', 'Banned'], role_id: 2 })).toBe(2)
    expect(await count({ last_login: 'never' })).toBe(0)
    expect(
      (await t.call(`GET /users?filter[search]=${search}&filter[created_before]=2019-05-06`)).body.meta.total,
    ).toBe(2)
  })

  it.each([
    ['no filter and no ids', { action: 'ban', expected: 1 }, ['filter']],
    ['both', { action: 'ban', filter: {}, ids: [1], expected: 1 }, ['filter']],
    ['no expected number', { action: 'ban', ids: [1] }, ['expected']],
    ['an unknown action', { action: 'explode', ids: [1], expected: 1 }, ['action']],
    ['an unknown filter', { action: 'ban', filter: { shoe_size: 1 }, expected: 1 }, ['filter']],
    ['a filter that is no text', { action: 'ban', filter: { search: { a: 1 } }, expected: 1 }, ['filter']],
    ['set_role without a role', { action: 'set_role', ids: [1], expected: 1 }, ['role_id']],
    ['10,001 ids', { action: 'ban', ids: Array.from({ length: 10_001 }, (_, at) => at + 1), expected: 1 }, ['ids']],
  ])('refuses %s', async (_what, body, fields) => {
    expect(refusal(await ask(body))).toMatchObject({ status: 422, fields })
  })

  it.each([
    { status: '' },
    { status: ' , ' },
    { status: [] },
    { status: [''] },
    { role_id: null },
    { search: ' ' },
    { email: 'nobody@example.com', created_before: '' },
  ])('refuses a filter without a value, which a list would ignore: %j', async (filter) => {
    const answer = await ask({ action: 'end_sessions', filter, expected: 1 })
    expect(refusal(answer)).toMatchObject({ status: 422, fields: ['filter'] })
    expect(answer.body.errors.filter[0]).toContain(Object.keys(filter).at(-1))
  })

  it('takes null for what was not sent, and not for everybody', async () => {
    const { ids } = await group(1)
    const none = { role_id: null, filter: null, ids: null }
    expect(await bulk({ ...none, action: 'ban', ids, expected: 1 })).toMatchObject({ status: 'done', updated: 1 })
    const nobody = await ask({ ...none, action: 'ban', expected: 1 })
    expect(refusal(nobody)).toMatchObject({ status: 422, fields: ['filter'] })
    const setRole = await ask({ ...none, action: 'set_role', ids, expected: 1 })
    expect(refusal(setRole)).toMatchObject({ status: 422, fields: ['role_id'] })
  })

  it('takes an empty filter as everybody', async () => {
    const { body } = await t.call('GET /users')
    expect(await bulk({ action: 'end_sessions', filter: {}, expected: body.meta.total })).toMatchObject({
      total: body.meta.total,
    })
  })

  it('sets roles that the caller may give, ends sessions, deletes, and sends mails', async () => {
    const { ids, users } = await group(2)
    const role = await t.createRole('Bulk role', [])
    expect(await bulk({ action: 'set_role', role_id: role, ids, expected: 2 })).toMatchObject({ updated: 2 })
    expect((await rowOf(t, ids[0] ?? 0)).role_id).toBe(role)
    expect((await t.call(`GET /roles/${role}`)).body.data.users_count).toBe(2)
    const helper = await t.createRole('Bulk setters', ['users.manage'])
    const { key } = await t.createUser({ role_id: helper })
    expect((await ask({ action: 'set_role', role_id: 1, ids, expected: 2 }, key)).body.code).toBe('role_above_you')
    expect(await bulk({ action: 'send_password_reset', ids, expected: 2 })).toMatchObject({ updated: 2 })
    expect((await messageTo(t, users[0]?.email ?? '', 'reset-password')).template).toBe('reset-password')
    const { body } = await t.call('GET /activity?filter[event]=user.password_reset_requested')
    expect(body.data[0].details).toEqual({ job_id: expect.any(Number) })
    expect(await bulk({ action: 'resend_confirmation', ids, expected: 2 })).toMatchObject({ updated: 0, skipped: 2 })
    expect(await bulk({ action: 'end_sessions', ids, expected: 2 })).toMatchObject({ updated: 2, can_undo: false })
    expect(await bulk({ action: 'delete', ids, expected: 2 })).toMatchObject({ updated: 2 })
    expect((await t.call(`GET /users/${ids[0]}`)).status).toBe(404)
  })
})

it('deletes as it bans, many at a time: everybody else waits to write meanwhile', async () => {
  const { ids } = await group(450)
  const timeOf = (action: string, count: number) =>
    processorMs(() => bulk({ action, ids: ids.splice(-count), expected: count }))
  await timeOf('ban', 50) // everything is loaded then
  await timeOf('delete', 50)
  const bans = await timeOf('ban', 150)
  expect(await timeOf('delete', 150)).toBeLessThan(3 * bans) // one by one it took 5 times as long
})

/** The mails about a mightier role that these users got. */
const mightierRoleMails = async (users: readonly { email: string }[]) =>
  (await Promise.all(users.map(({ email }) => messagesTo(t, email)))).map((mails) =>
    mails.filter(({ template }) => template === 'mightier-role'),
  )

it('set_role fails at once where the role was deleted meanwhile, and changes nobody', async () => {
  const { ids } = await group(2)
  const role = await t.createRole('Gone before it began', [])
  const { id } = (await ask({ action: 'set_role', role_id: role, ids, expected: 2 })).body.data
  await t.call(`DELETE /roles/${role}`)
  await runJobs(t)
  const { data: job } = (await t.call(`GET /jobs/${id}`)).body
  expect(job).toMatchObject({ status: 'failed', updated: 0, message: 'This role was deleted.' })
  const { data } = (await t.call(`GET /jobs/${id}/errors`)).body
  expect(data).toEqual([{ line: null, field: null, code: 'job_role_gone', message: job.message }])
  expect((await rowOf(t, ids[0] ?? 0)).role_id).toBe(2)
})

describe('a mightier role', () => {
  it('that a bulk action gives is told to each by mail, with a link to secure the account; a lesser one is not', async () => {
    const less = await t.createRole('Bulk lookers', ['users.activity'])
    const more = await t.createRole('Bulk <watchers>', ['users.activity', 'users.manage'])
    const lesser = await group(2)
    const mighty = await group(1, { role_id: 1 })
    const users = [...lesser.users, ...mighty.users]
    const ids = [...lesser.ids, ...mighty.ids]
    await bulk({ action: 'set_role', role_id: more, ids, expected: 3 })
    const [first = [], second = [], third = []] = await mightierRoleMails(users)
    expect([first.length, second.length, third.length]).toEqual([1, 1, 0])
    for (const mail of [...first, ...second]) {
      expect(mail).toMatchObject({
        status: 'captured',
        secret: 1,
        bulk: 1,
        subject: 'Your account has more permissions',
      })
      expect(mail.body_text).toContain('Bulk <watchers>')
      expect(mail.body_html).toContain('Bulk &lt;watchers&gt;')
      const preview = await t.call('POST /secure-account/preview', { key: null, body: { token: tokenIn(mail) } })
      expect(preview.body.data).toMatchObject({ email: mail.recipient })
    }
    expect(first[0]?.user_id).toBe(ids[0])
    await bulk({ action: 'set_role', role_id: less, ids, expected: 3 })
    await bulk({ action: 'ban', ids, expected: 3 })
    expect((await mightierRoleMails(users)).flat()).toHaveLength(2)
  })

  it('that an undo gives back is told by mail', async () => {
    const role = await t.createRole('Bulk keepers', ['users.activity'])
    const { ids, users } = await group(2, { role_id: role })
    const job = await bulk({ action: 'set_role', role_id: 2, ids, expected: 2 })
    expect((await mightierRoleMails(users)).flat()).toEqual([])
    expect(await undo(job.id)).toMatchObject({ job: { updated: 2 } })
    const mails = (await mightierRoleMails(users)).flat()
    expect(mails.map(({ user_id }) => user_id)).toEqual(ids)
    expect(mails[0]?.body_text).toContain('Bulk keepers')
  })
})

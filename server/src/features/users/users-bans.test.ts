import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { systemActor } from '../../core/context.ts'
import { Draft } from '../../core/draft.ts'
import { createHolder } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { deleteUser, updateUser } from './users.service.ts'
import { readAudit, readRow } from './users-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const listAs = async (key: string) => (await t.call('GET /users', { key })).status

describe('a ban', () => {
  it.each(['PATCH', 'PUT'])('by %s permanently revokes every key of the user at the next request', async (method) => {
    const { user, key } = await createHolder(t, ['users.manage', 'api-keys.manage'])
    const { body } = await t.call('POST /api-keys', { key, body: { name: 'scoped', permissions: ['users.manage'] } })
    const { key: bystander } = await t.createUser({ role_id: 1 })
    const all = async () => Promise.all([key, body.data.key, bystander].map((secret) => listAs(secret)))
    expect(await all()).toEqual([200, 200, 200])

    const banned = await t.call(`${method} /users/${user.id}`, { body: { status: 'Banned' } })
    expect([banned.status, banned.body.data.status]).toEqual([200, 'Banned'])
    expect(await all()).toEqual([401, 401, 200])

    await t.call(`${method} /users/${user.id}`, { body: { status: 'Active' } })
    expect(await all()).toEqual([401, 401, 200])
    const rows = await t.ctx.unguarded.selectFrom('api_keys').selectAll().where('user_id', '=', user.id).execute()
    expect(rows).toEqual([])
    expect((await readAudit(t, user.id)).map(({ event, details }) => [event, details])).toEqual([
      ['user.banned', '{"before":"Active"}'],
      ['user.activated', '{"before":"Banned"}'],
    ])
  })

  it('with a reason has it in the activity alone', async () => {
    const { user } = await t.createUser()
    const banned = await t.call(`PATCH /users/${user.id}`, { body: { status: 'Banned', reason: ' Spam ' } })
    expect([banned.status, banned.body.data.reason]).toEqual([200, undefined])
    await t.call(`PATCH /users/${user.id}`, { body: { status: 'Active', reason: 'Not kept' } })
    await t.call(`PATCH /users/${user.id}`, { body: { status: 'Banned', reason: '' } })
    expect((await readAudit(t, user.id)).map(({ details }) => details)).toEqual([
      '{"before":"Active","reason":"Spam"}',
      '{"before":"Banned"}',
      '{"before":"Active"}',
    ])
    const long = await t.call(`PATCH /users/${user.id}`, { body: { reason: 'x'.repeat(256) } })
    expect([long.status, Object.keys(long.body.errors)]).toEqual([422, ['reason']])
  })

  it('that is refused or repeated ends nothing and records nothing', async () => {
    const { user, key } = await t.createUser({ role_id: 1 })
    const answer = await t.call(`PATCH /users/${user.id}`, { body: { status: 'Banned', birthday: '2030-01-01' } })
    expect([answer.status, await listAs(key)]).toEqual([422, 200])
    for (let time = 0; time < 2; time++) await t.call(`PATCH /users/${user.id}`, { body: { status: 'Banned' } })
    expect((await readAudit(t, user.id)).map(({ event }) => event)).toEqual(['user.banned'])
  })
})

it.each(['Unconfirmed', 'Banned'] as const)('an %s account cannot act', async (status) => {
  const { key } = await t.createUser({ role_id: 1, status })
  expect(await listAs(key)).toBe(401)
})

it('the keys of an Unconfirmed account work again when it is Active', async () => {
  const { user, key } = await t.createUser({ role_id: 1 })
  const statuses: number[] = []
  for (const status of ['Unconfirmed', 'Active']) {
    await t.call(`PATCH /users/${user.id}`, { body: { status } })
    statuses.push(await listAs(key))
  }
  expect(statuses).toEqual([401, 200])
})

const removals: [what: string, request: string, body: object, code: string][] = [
  ['deleted', 'DELETE', {}, 'user_is_yourself'],
  ['banned', 'PATCH', { status: 'Banned' }, 'user_is_yourself'],
  ['banned in passing', 'PUT', { status: 'Banned', first_name: 'Me', role_id: 2 }, 'user_is_yourself'],
]
const weakenings: typeof removals = [
  ['made Unconfirmed', 'PATCH', { status: 'Unconfirmed' }, 'user_last_admin'],
  ['demoted', 'PATCH', { role_id: 2 }, 'user_last_admin'],
  ['demoted and made Unconfirmed', 'PUT', { role_id: 2, status: 'Unconfirmed' }, 'user_last_admin'],
]

describe('oneself', () => {
  it.each(removals)('is never %s, whatever other users there are', async (_, method, body, code) => {
    const actors = [await t.createUser({ role_id: 1 }), await createHolder(t, ['users.manage'])]
    for (const { user, key } of actors) {
      const answer = await t.call(`${method} /users/${user.id}`, { key, body })
      expect([answer.status, answer.body.code]).toEqual([403, code])
      expect(await readRow(t, user.id)).toEqual(user)
      expect(await listAs(key)).toBe(200)
    }
  })
})

describe('the last active administrator', () => {
  let last: Awaited<ReturnType<TestApp['createUser']>>
  beforeAll(async () => {
    last = { user: await readRow(t, 1), key: t.adminKey }
    await t.ctx.unguarded.updateTable('users').set({ role_id: 2 }).where('id', '!=', 1).execute()
    await t.ctx.unguarded.deleteFrom('user_counts').where('role_id', '=', 1).execute()
    await t.ctx.unguarded.insertInto('user_counts').values({ role_id: 1, status: 'Active', count: 1 }).execute()
    for (const status of ['Banned', 'Unconfirmed'] as const) await t.createUser({ role_id: 1, status })
  })
  const expectUnharmed = async () => {
    expect(await readRow(t, last.user.id)).toEqual(last.user)
    expect(await listAs(last.key)).toBe(200)
  }

  describe.each([...removals, ...weakenings])('cannot be %s', (_, method, body, code) => {
    it('by themselves', async () => {
      const answer = await t.call(`${method} /users/${last.user.id}`, { key: last.key, body })
      expect([answer.status, answer.body.code]).toEqual([403, code])
      await expectUnharmed()
    })

    it('nor by the operator', async () => {
      const { id } = last.user
      const update = () => updateUser(t.ctx, systemActor, id, new Draft(body))
      const work = method === 'DELETE' ? deleteUser(t.ctx, systemActor, id) : update()
      await expect(work).rejects.toMatchObject({ code: 'user_last_admin', status: 403 })
      await expectUnharmed()
    })

    it('unless there is another one, who is then the last', async () => {
      const next = await t.createUser({ role_id: 1 })
      const { status } = await t.call(`${method} /users/${last.user.id}`, { key: next.key, body })
      expect(status).toBe(200)
      last = next
      const answer = await t.call(`PATCH /users/${next.user.id}`, { key: next.key, body: { role_id: 2 } })
      expect(answer.body.code).toBe('user_last_admin')
      await expectUnharmed()
    })
  })
})

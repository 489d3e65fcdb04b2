import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Answer, startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import { runJobs } from '../../testing/jobs.ts'
import { overSocket } from '../../testing/socket.ts'

const postgresUrl = inject('postgresUrl')

const times = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)))
const pick = <T>(values: readonly T[], n: number) => values[n % values.length] as T

let attempts = 0

const attacks = [
  ['DELETE', {}],
  ['PATCH', { status: 'Banned' }],
  ['PATCH', { role_id: 2 }],
] as const

/** Each takes locks that the other one waits for, in another order. PostgreSQL would end one of them. */
describe.skipIf(postgresUrl === null)(
  'changes that cross on two nodes are all answered, none with 5xx',
  { retry: 2 },
  () => {
    let nodes: readonly [TestApp, TestApp]
    beforeAll(async () => {
      const first = await startTestApp(postgresUrl)
      nodes = [await overSocket(first), await overSocket(await startNode(first))]
    })
    afterAll(() => nodes[0].close())

    const call = (n: number, ...request: Parameters<TestApp['call']>) => pick(nodes, n).call(...request)
    const statusesOf = async (answers: readonly Promise<Answer>[]) => {
      const statuses = (await Promise.all(answers)).map(({ status }) => status)
      for (const status of statuses) expect([200, 201, 401, 403, 404, 422]).toContain(status)
      return statuses
    }
    const admins = (count: number) => times(count, () => nodes[0].createUser({ role_id: 1 }))

    it('of administrators who remove the next one in a circle', async () => {
      for (const size of [2, 3, 6])
        for (const [method, body] of attacks) {
          const circle = await admins(size)
          const remove = ({ key }: { key: string }, n: number) =>
            call(n, `${method} /users/${pick(circle, n + 1).user.id}`, { key, body })
          const removed = (await statusesOf(circle.map(remove))).filter((status) => status === 200)
          expect(removed.length).toBeGreaterThan(0)
          expect(removed.length).toBeLessThan(size)
        }
    })

    it('of administrators who delete all others', async () => {
      const all = await admins(5)
      const pairs = all.flatMap(({ key }) =>
        all.map(({ user }) => ({ key, id: user.id })).filter((_, n) => all[n]?.key !== key),
      )
      const statuses = await statusesOf(pairs.map(({ key, id }, n) => call(n, `DELETE /users/${id}`, { key })))
      expect(statuses.filter((status) => status === 200)).toHaveLength(all.length - 1)
    })

    it('of bulk jobs, and edits of the same users in the other direction', async () => {
      const users = await times(40, () => nodes[0].createUser())
      const ids = users.map(({ user }) => user.id)
      const actions = [{ action: 'ban' }, { action: 'set_role', role_id: 2 }, { action: 'delete' }]
      const jobs = await Promise.all(
        actions.map((action, n) => call(n, 'POST /users/bulk', { body: { ids, expected: ids.length, ...action } })),
      )
      const edits = ids
        .toReversed()
        .map((id, n) => call(n, `PATCH /users/${id}`, { body: pick([{ status: 'Active' }, { first_name: 'Ada' }], n) }))
      await Promise.all([statusesOf(edits), ...nodes.map(runJobs)])
      for (const { body } of jobs) {
        expect((await call(0, `GET /jobs/${body.data.id}`)).body.data).toMatchObject({
          status: 'done',
          done: ids.length,
        })
      }
      expect((await nodes[0].ctx.db.selectFrom('users').select('id').where('id', 'in', ids).execute()).length).toBe(0)
    })

    it('of the deletion of two roles, their permissions, keys and users', async () => {
      const names = ['crossed.one', 'crossed.two'].map((name) => `${name}${++attempts}`) // others when it is repeated
      const permissions = await times(2, (n) => call(n, 'POST /permissions', { body: { name: names[n] } }))
      const roles = await times(2, (n) => nodes[0].createRole(`Crossed ${names[n]}`, names))
      const users = await times(40, (n) => nodes[0].createUser({ role_id: pick(roles, n) }, names))
      const keys = await nodes[0].ctx.db
        .selectFrom('api_keys')
        .select('id')
        .where(
          'user_id',
          'in',
          users.map(({ user }) => user.id),
        )
        .execute()
      const edits = [{ role_id: roles[0] }, { role_id: roles[1] }, { status: 'Banned' }, { first_name: 'Ada' }]
      await statusesOf([
        ...users.toReversed().map(({ user }, n) => call(n, `PATCH /users/${user.id}`, { body: pick(edits, n) })),
        ...keys.map(({ id }, n) => call(n + 1, `PATCH /api-keys/${id}`, { body: { permissions: [pick(names, n)] } })),
        ...users.slice(0, 10).map(({ key }, n) => call(n, 'POST /api-keys', { key, body: { name: 'Meanwhile' } })),
        ...roles.flatMap((id, n) => [
          call(n, `PUT /roles/${id}/permissions`, { body: { permissions: [pick(names, n)] } }),
          call(n + 1, `DELETE /roles/${id}`),
        ]),
        ...permissions.map(({ body }, n) => call(n, `DELETE /permissions/${body.data.id}`)),
      ])
    })
  },
)

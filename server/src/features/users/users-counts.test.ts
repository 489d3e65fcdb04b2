import { expect, inject, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/app.ts'
import { userBody } from './users-test-steps.ts'

const statuses = ['Active', 'Unconfirmed', 'Banned'] as const

/** Every stored count beside the number of rows that it counts. */
async function counts(t: TestApp, roleIds: readonly number[]): Promise<[what: string, kept: number, rows: number][]> {
  const rows = await t.ctx.unguarded.selectFrom('users').select(['role_id', 'status']).execute()
  const total = async (query: string) => (await t.call(`GET /users?per_page=1&${query}`)).body.meta.total
  const found: [string, number, number][] = [['all', await total(''), rows.length]]
  for (const status of statuses) {
    found.push([status, await total(`filter[status]=${status}`), rows.filter((row) => row.status === status).length])
  }
  for (const id of roleIds) {
    const ofRole = rows.filter((row) => row.role_id === id)
    const role = (await t.call(`GET /roles/${id}`)).body.data
    found.push([`role ${id}`, await total(`filter[role_id]=${id}`), ofRole.length])
    found.push([`users_count of role ${id}`, role?.users_count ?? 0, ofRole.length])
    for (const status of statuses) {
      const both = `filter[role_id]=${id}&filter[status]=${status}`
      found.push([both, await total(both), ofRole.filter((row) => row.status === status).length])
    }
  }
  return found
}

it('keeps every count equal to the rows under 64 mixed writers at once, with no 5xx (4 rounds)', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const roles = [1, 2, await t.createRole('Editors', []), await t.createRole('Writers', [])]
  const users: number[] = []
  for (let n = 0; n < 40; n++) {
    const status = statuses[n % 3] ?? 'Active'
    users.push((await t.createUser({ role_id: roles[n % 4] ?? 2, status })).user.id)
  }

  for (let round = 0; round < 4; round++) {
    const doomed = await t.createRole(`Doomed ${round}`, [])
    const writer = (n: number) => {
      const id = users[(n * 7 + round * 11) % users.length]
      const role_id = n % 5 === 0 ? doomed : roles[(n + round) % 4]
      if (n === 40) return t.call(`DELETE /roles/${doomed}`)
      if (n % 8 === 0) return t.call('POST /users', { body: userBody({ role_id }) })
      if (n % 8 === 1) return t.call(`DELETE /users/${id}`)
      if (n % 8 < 4) return t.call(`PATCH /users/${id}`, { body: { role_id } })
      if (n % 8 < 7) return t.call(`PATCH /users/${id}`, { body: { status: statuses[(n + round) % 3] } })
      return t.call(`PATCH /users/${id}`, { body: { role_id, status: statuses[n % 3], first_name: `n${n}` } })
    }
    const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => writer(n)))
    expect(answers.filter(({ status }) => ![200, 201, 404, 422].includes(status))).toEqual([])
    expect(answers.filter(({ status }) => status < 300).length).toBeGreaterThan(30)
    for (const [what, kept, rows] of await counts(t, [...roles, doomed])) expect([what, kept]).toEqual([what, rows])
  }
})

it('lets 64 users change their status and role in opposite directions at once, all with 200', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const roles = [1, 2, await t.createRole('Editors', [])]
  const users = await Promise.all(
    Array.from({ length: 64 }, (_, n) =>
      t.createUser({ role_id: roles[n % 3] ?? 2, status: statuses[(n >> 1) % 3] ?? 'Active' }),
    ),
  )
  for (let round = 1; round <= 3; round++) {
    const answers = await Promise.all(
      users.map(({ user }, n) => {
        const step = n % 2 === 0 ? round : 2 * round
        const body = { status: statuses[((n >> 1) + step) % 3], role_id: roles[(n + step) % 3] }
        return t.call(`PATCH /users/${user.id}`, { body })
      }),
    )
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    for (const [what, kept, rows] of await counts(t, roles)) expect([what, kept]).toEqual([what, rows])
  }
})

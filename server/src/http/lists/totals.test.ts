import fc from 'fast-check'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let t: TestApp
let roles: number[]
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  roles = [1, 2, await t.createRole('Editor', []), await t.createRole('Empty', [])]
  for (let made = 0; made < 30; made++) {
    await t.createUser({
      status: (['Active', 'Banned', 'Unconfirmed'] as const)[made % 3] ?? 'Active',
      role_id: made % 4 === 0 ? 3 : 2,
      country_id: made % 5 === 0 ? 250 : null,
      first_name: made % 2 === 0 ? 'Searched' : null,
    })
  }
})
afterAll(() => t.close())

/** The rows counted one by one, with the test's own SQL. */
async function count(table: string, ...conditions: RawBuilder<SqlBool>[]): Promise<number> {
  const where = sql.join([sql`1 = 1`, ...conditions], sql` and `)
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)} where ${where}`.execute(
    t.ctx.unguarded,
  )
  return Number(rows[0]?.n)
}
async function totalOf(path: string): Promise<number> {
  const { status, text, body } = await t.call(`GET ${path}`)
  expect(status, text).toBe(200)
  return body.meta.total
}

interface Choice {
  readonly query: string
  readonly condition: RawBuilder<SqlBool> | null
}
const any: Choice = { query: '', condition: null }
const statuses: Choice[] = [
  any,
  { query: 'filter[status]=active', condition: sql`status = 'Active'` },
  { query: 'filter[status]=Banned,Unconfirmed', condition: sql`status in ('Banned', 'Unconfirmed')` },
  { query: 'filter[status]=Nonsense', condition: sql`1 = 0` },
]
const roleChoices: Choice[] = [
  any,
  { query: 'filter[role_id]=2', condition: sql`role_id = 2` },
  { query: 'filter[role_id]=1,3', condition: sql`role_id in (1, 3)` },
  { query: 'filter[role_id]=4', condition: sql`role_id = 4` },
  { query: 'filter[role_id]=999', condition: sql`1 = 0` },
]
const countries: Choice[] = [any, { query: 'filter[country_id]=250', condition: sql`country_id = 250` }]
const searches: Choice[] = [
  any,
  { query: 'filter[search]=sEARCHed', condition: sql`first_name = 'Searched'` },
  { query: 'filter[search]=ed', condition: sql`first_name = 'Searched'` },
]
const combinations = statuses.flatMap((status) =>
  roleChoices.flatMap((role) =>
    countries.flatMap((country) => searches.map((search) => [status, role, country, search])),
  ),
)

async function expectTotals(): Promise<void> {
  for (const choices of combinations) {
    const query = choices
      .map((choice) => choice.query)
      .filter((text) => text !== '')
      .join('&')
    const expected = await count('users', ...choices.flatMap((choice) => choice.condition ?? []))
    expect({ query, total: await totalOf(`/users?per_page=1&${query}`) }).toEqual({ query, total: expected })
  }
}

describe('meta.total', () => {
  it('is exact for every combination of filters', async () => {
    expect(combinations.length).toBe(120)
    await expectTotals()
  })

  it('is exact on every page and with a cursor', async () => {
    const query = '/users?filter[status]=Active&per_page=3'
    const expected = await count('users', sql`status = 'Active'`)
    const { meta } = (await t.call(`GET ${query}`)).body
    for (const more of ['', '&page=2', '&page=999', `&cursor=${meta.next_cursor}`])
      expect(await totalOf(query + more)).toBe(expected)
  })

  it.each([
    ['/roles', 'roles'],
    ['/permissions', 'permissions'],
    ['/api-keys', 'api_keys'],
    ['/activity', 'activity'],
  ])('is exact on every list: %s', async (path, table) => {
    expect(await totalOf(path)).toBe(await count(table))
  })

  it('counts only what the path restricts the list to', async () => {
    const scope = sql<SqlBool>`(actor_id = 1 or (subject_type = 'user' and subject_id = 1))`
    expect(await totalOf('/users/1/activity')).toBe(await count('activity', scope))
    const created = await count('activity', scope, sql`event = 'role.created'`)
    expect(await totalOf('/users/1/activity?filter[event]=role.created')).toBe(created)
  })

  it('stays exact whatever is created, changed, deleted, or refused half-way', async () => {
    const id = fc.integer({ min: 2, max: 36 }) // the administrator who asks could give away their own rights
    const status = fc.constantFrom('Active', 'Banned', 'Unconfirmed', 'Nonsense')
    const roleId = fc.constantFrom(...roles, 999)
    const step = fc.oneof(
      fc.record({
        method: fc.constant('PATCH'),
        id,
        body: fc.record({ status, role_id: roleId }, { requiredKeys: [] }),
      }),
      fc.record({ method: fc.constant('DELETE'), id, body: fc.constant({}) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        // Some in parallel: conflicts must not count twice.
        await Promise.all(steps.map(({ method, id: user, body }) => t.call(`${method} /users/${user}`, { body })))
        for (const { query, condition } of [...statuses, ...roleChoices])
          expect(await totalOf(`/users?${query}`)).toBe(
            await count('users', ...(condition === null ? [] : [condition])),
          )
      }),
      { numRuns: 8 },
    )
    expect((await t.call(`DELETE /roles/${roles[2]}`)).status).toBe(200)
    const password = 'correct horse battery'
    const body = { email: 'late@example.com', role_id: 2, password, password_confirmation: password }
    expect((await t.call('POST /users', { body })).status).toBe(201)
    expect((await t.call('POST /users', { body })).status).toBe(422)
    await expectTotals()
  })
})

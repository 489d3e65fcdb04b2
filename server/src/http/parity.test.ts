import fc, { type Arbitrary } from 'fast-check'
import { expect, inject, it } from 'vitest'
import { toTimestamp } from '../core/time.ts'
import { type Answer, createTestApp, type TestApp } from '../testing/app.ts'
import { bodyFor, type JsonSchema } from '../testing/arbitrary.ts'
import { firstOf } from '../testing/long-form.ts'
import { overSocket } from '../testing/socket.ts'

const requestsPerRun = 300
const seeds = [20_260_115, 20_260_116, 20_260_117, 20_260_118, 20_260_119]

const postgresUrl = inject('postgresUrl')

/** One request as both servers get it. The sender is a number, because each server has its own keys. */
interface Step {
  readonly request: string
  readonly body?: unknown
  readonly caller: number
  /** Whether to follow the cursors of the list that is returned. */
  readonly walk?: boolean
  /** How far the clock is advanced before it. */
  readonly seconds: number
}

interface Side {
  readonly app: TestApp
  /** The administrator's key, and each one that was issued. */
  readonly keys: string[]
}

const firstNames = [
  ...['ada', 'Ada', 'straße', 'STRASSE', 'ΣΊΣΥΦΟΣ', 'σίσυφος', 'Zoë', 'zoe'],
  ...['李', '\u{1f600}', 'a%b_c\\d', 'ﬃ', 'İ', 'ı', "O'N"],
]
const managed = ['users.manage', 'api-keys.manage', 'permissions.manage', 'roles.manage', 'users.activity']

/**
 * A server with users in many scripts, two managers who are not administrators, and built-in rows as old as its clock
 * (migrations write the real time).
 */
async function startSide(url: string | null): Promise<Side> {
  const app = await overSocket(await createTestApp(url))
  const now = toTimestamp(app.clock.now())
  for (const table of ['roles', 'permissions'] as const)
    await app.ctx.unguarded.updateTable(table).set({ created_at: now, updated_at: now }).execute()
  const role_id = await app.createRole('Manager', managed)
  const keys = [app.adminKey]
  for (const scope of [null, managed.slice(0, 4).reverse()]) keys.push((await app.createUser({ role_id }, scope)).key)
  for (const [index, name] of firstNames.entries())
    await app.createUser({
      first_name: name,
      last_name: firstNames[(index * 5) % 7] ?? null,
      username: `${name} ${index}`,
    })
  return { app, keys }
}

const schemaOf = (app: TestApp, method: string, url: string): JsonSchema => {
  const route = app.app.routeTable.find((found) => found.method === method && found.url === `/api${url}`)
  return route?.schema?.body as JsonSchema
}

const collections = ['users', 'roles', 'permissions', 'api-keys', 'activity'] as const
const id = fc.integer({ min: 1, max: 20 })
/** Never the first API key: it is needed until the end. */
const otherId = fc.integer({ min: 2, max: 20 })
const terms = [
  ...['a', 'ADA', 'ß', 'ss', 'Σ', 'σς', 'ﷺ', '%', '_', '\\', "'", '"', 'user1', 'example', 'i̇', '李', '\u{1f600}'],
  ...[' '],
]

const sorts: Record<(typeof collections)[number], readonly string[]> = {
  users: ['id', 'first_name', 'last_name', 'email', 'created_at', 'updated_at'],
  roles: ['id', 'name', 'created_at', 'updated_at'],
  permissions: ['id', 'name', 'created_at', 'updated_at'],
  'api-keys': ['id', 'name', 'created_at', 'updated_at'],
  activity: ['id', 'created_at'],
}

const filters: Record<(typeof collections)[number], Arbitrary<string>> = {
  users: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...terms).map((term) => `filter[search]=${encodeURIComponent(term)}`) },
    fc.constantFrom('Active', 'banned', 'Unconfirmed', 'nobody').map((status) => `filter[status]=${status}`),
    fc.constantFrom('1', '2', '1,2', '3').map((role) => `filter[role_id]=${role}`),
    fc.constantFrom('filter[country_id]=826', 'filter[email]=USER1@example.com', 'filter[none]=1', 'filter[role_id]=x'),
  ),
  roles: fc.constantFrom('user', 'ADMIN', 'ß', 'a').map((name) => `filter[name]=${encodeURIComponent(name)}`),
  permissions: fc.constantFrom('users.manage', 'x').map((name) => `filter[name]=${name}`),
  'api-keys': id.map((user) => `filter[user_id]=${user}`),
  activity: fc.constantFrom(
    'filter[event]=user.created,user.banned',
    'filter[subject_type]=user',
    'filter[actor]=1',
    'filter[to]=2026-01-15',
  ),
}

const list: Arbitrary<Partial<Step>> = fc.constantFrom(...collections).chain((collection) => {
  const term = fc
    .tuple(fc.constantFrom('', '-'), fc.constantFrom(...sorts[collection], 'none'))
    .map((parts) => parts.join(''))
  return fc.record({
    request: fc
      .record({
        sort: fc.array(term, { maxLength: 2 }).map((names) => (names.length === 0 ? [] : [`sort=${names.join(',')}`])),
        filters: fc.array(filters[collection], { maxLength: 2 }),
        page: fc.constantFrom([], ['page=2'], ['page=9'], ['per_page=3'], ['per_page=2', 'page=3'], ['per_page=0']),
        include: fc.constantFrom([], [], collection === 'users' ? ['include=role,country'] : ['include=x']),
      })
      .map((query) => `GET /${collection}?${Object.values(query).flat().join('&')}`),
    walk: fc.boolean(),
  })
})

const permissions = fc.record({
  permissions: fc.array(fc.constantFrom<string | number>(...managed, 'none', 1, 2, 9, 10, 11, 99), { maxLength: 5 }),
})
const status = fc.record({ status: fc.constantFrom('Active', 'Banned', 'Unconfirmed') })

function stepFor(app: TestApp): Arbitrary<Step> {
  const write = (method: string, path: string, body = bodyFor(schemaOf(app, method, path))): Arbitrary<Partial<Step>> =>
    fc.record({ request: otherId.map((number) => `${method} ${path.replace(':id', String(number))}`), body })
  const plain = (...requests: string[]): Arbitrary<Partial<Step>> =>
    fc.record({
      request: fc
        .tuple(fc.constantFrom(...requests), otherId)
        .map(([text, number]) => text.replace(':id', String(number))),
    })
  const what = fc.oneof(
    { weight: 8, arbitrary: list },
    { weight: 3, arbitrary: write('POST', '/users') },
    { weight: 3, arbitrary: write('PATCH', '/users/:id') },
    write('PATCH', '/users/:id', status),
    write('PUT', '/roles/:id/permissions', permissions),
    ...['/roles', '/permissions', '/api-keys'].flatMap((path) => [write('POST', path), write('PATCH', `${path}/:id`)]),
    plain('GET /users/:id?include=role,country', 'GET /roles/:id', 'GET /permissions/:id', 'GET /api-keys/:id'),
    plain('GET /roles/:id/permissions', 'GET /users/:id/activity', 'POST /api-keys/:id/rotate'),
    plain('DELETE /users/:id', 'DELETE /roles/:id', 'DELETE /permissions/:id', 'DELETE /api-keys/:id'),
  )
  const caller = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat({ max: 12 }))
  return fc
    .tuple(what, caller, fc.constantFrom(0, 0, 1, 90))
    .map(([step, caller, seconds]) => ({ request: 'GET /users', ...step, caller, seconds }))
}

/** What is random by nature, and when a key was last used: that is recorded while the answer is already being sent. */
const chance = new Set(['key', 'prefix', 'request_id', 'last_used_at'])

const comparable = ({ status, text }: Answer): unknown => ({
  status,
  body: JSON.parse(text, (name, value) => (chance.has(name) ? 'chance' : value)),
})

/** Sends the same to both and compares; then each gets the key that it has issued. */
async function sendBoth(
  sides: readonly [Side, Side],
  step: Pick<Step, 'request' | 'body' | 'caller'>,
): Promise<Answer> {
  const [one, other] = (await Promise.all(
    sides.map(async ({ app, keys }) => {
      const { request, body, caller } = step
      const answer = await app.call(request, { key: keys[caller % keys.length] as string, body })
      if (typeof answer.body.data?.key === 'string') keys.push(answer.body.data.key)
      return answer
    }),
  )) as [Answer, Answer]
  expect(comparable(other), JSON.stringify(step)).toEqual(comparable(one))
  return one
}

/** To the end by cursors, at most three pages, and one page back. */
async function walk(sides: readonly [Side, Side], step: Step, { body }: Answer): Promise<void> {
  let meta = body.meta
  const go = async (cursor: string) => {
    const separator = step.request.includes('?') ? '&' : '?'
    meta = (await sendBoth(sides, { ...step, request: `${step.request}${separator}cursor=${cursor}` })).body.meta
  }
  for (let pages = 0; pages < 3 && meta?.next_cursor; pages++) await go(meta.next_cursor)
  if (meta?.prev_cursor) await go(meta.prev_cursor)
}

it.skipIf(postgresUrl === null).for(firstOf(seeds, 2))(
  'SQLite and PostgreSQL give the same answers to the same requests (needs both: skipped on SQLite alone), seed %i',
  async (seed) => {
    const sides = [await startSide(null), await startSide(postgresUrl)] as const
    const statuses = new Set<number>()
    for (const step of fc.sample(stepFor(sides[0].app), { numRuns: requestsPerRun, seed })) {
      for (const { app } of sides) app.clock.advance({ seconds: step.seconds })
      const answer = await sendBoth(sides, step)
      statuses.add(answer.status)
      if (step.walk === true && answer.status === 200) await walk(sides, step, answer)
    }
    expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400, 403, 404, 422]))
  },
)

import { Agent, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, expect, inject, it } from 'vitest'
import { errorCatalogue } from '../core/errors.ts'
import { createOwner, handleOf, signIn } from '../features/sessions/sessions-test-steps.ts'
import { remind } from '../testing/accounts.ts'
import { type FuzzedRequest, type FuzzedRoute, requestTo, takesFile } from '../testing/arbitrary-request.ts'
import { startAvatarApp } from '../testing/avatars.ts'
import { formHeaders, pictureOf } from '../testing/images.ts'
import { messageTo } from '../testing/messages.ts'
import { sendRaw } from '../testing/raw-http.ts'

/** At first; up to twelve times as many, where these were not answered in all expected ways. The long form is `npm run bench -- fuzz`. */
const requestsPerRoute = 20
const maxRounds = 12
const seed = 20_260_115

// Not in beforeAll: the routes are the table of cases.
const t = await startAvatarApp(inject('postgresUrl'))
const picture = await pictureOf(1)
const settings = (await t.call('GET /settings')).body.data
const users = t.ctx.unguarded.selectFrom('users').selectAll().where('id', '=', 1)
const { email, password_hash, avatar: _, ...administrator } = await users.executeTakeFirstOrThrow()
await t.app.listen({ host: '127.0.0.1', port: 0 })
const { port } = t.app.server.address() as AddressInfo
const agent = new Agent({ keepAlive: true })
afterAll(async () => {
  agent.destroy()
  await t.close()
})

interface TestedRoute extends FuzzedRoute {
  readonly method: string
  readonly isPublic: boolean
  /** The declared status of success. */
  readonly success: number
  /** A separate seed, so that PUT gets other requests than PATCH. */
  readonly seed: number
}

const routes: TestedRoute[] = t.app.routeTable
  .filter(({ url, method }) => !url.startsWith('/api/docs') && typeof method === 'string' && method !== 'HEAD')
  .map(({ url, method, schema, config }, index) => ({
    method: String(method),
    url,
    schema: (schema ?? {}) as TestedRoute['schema'],
    isPublic: config?.access === undefined || 'public' in config.access,
    success: Number(Object.keys(schema?.response ?? {}).find((status) => status.startsWith('2')) ?? 200),
    seed: seed + index,
  }))

/** Operations in which a random request cannot succeed: it would have to guess a token, a code or a session. */
const unguessable = new Set([
  ...['POST /api/login/2fa', 'POST /api/logout', 'POST /api/email/verify', 'POST /api/email/verify/preview'],
  ...['POST /api/password/reset', 'POST /api/password/reset/preview'],
  ...['POST /api/invitations/preview', 'POST /api/invitations/accept', 'POST /api/users/import'],
  ...['POST /api/users/:id/invite', 'POST /api/users/:id/email-confirmation'], // only for accounts that wait
  ...['POST /api/users/:id/2fa/verify', 'POST /api/me/2fa/verify'],
  ...['DELETE /api/users/:id/2fa', 'DELETE /api/me/2fa'], // only on after a code
  ...['POST /api/login/2fa/sms', 'POST /api/login/passkey', 'POST /api/me/factors/passkeys'],
  ...['POST /api/me/factors/totp/:factor/verify', 'DELETE /api/me/factors/:factor', 'POST /api/me/recovery-codes'],
  'DELETE /api/users/:id/factors/:factor',
  ...['GET /api/webhooks/:id/attempts/:attempt', 'POST /api/webhooks/:id/attempts/:attempt/retry'],
  // An API key is not a session.
  ...['', '/options', '/sms'].map((path) => `POST /api/me/reauthenticate${path}`),
  ...['POST /api/secure-account', 'POST /api/secure-account/preview'],
  // A few wrong passwords lock them before a right one comes with valid fields.
  'POST /api/login',
  ...['PUT /api/me/2fa', 'PATCH /api/me/details/auth', 'PUT /api/me/details/auth'],
  ...['POST /api/me/factors/totp', 'POST /api/me/factors/passkeys/options'],
  ...['GET', 'POST'].map((method) => `${method} /api/announcements/unsubscribe/:token`),
  'GET /assets/*', // the names contain a hash of the files
])

const collectionOf = ({ url }: TestedRoute): string => url.replace(/^\/api/, '').split('/')[1] ?? ''

let made = 0
/** A delivery that was captured or given up: no request can create that. */
async function makeDelivery(address: string, isGivenUp: boolean): Promise<number> {
  const { user } = await t.createUser({ email: address })
  await remind(t, user.email)
  const { id } = await messageTo(t, user.email, 'reset-password')
  if (isGivenUp)
    await t.ctx.unguarded.updateTable('deliveries').set({ status: 'failed' }).where('id', '=', id).execute()
  return id
}

/** Objects for `{id}`, with names that no fuzzed body can have taken. */
const makeWebhook = async (): Promise<number> =>
  (await t.call('POST /webhooks', { body: { url: 'https://example.com/hook', events: ['role.*'] } })).body.data.id

async function makeIds(route: TestedRoute): Promise<string[]> {
  if (!route.url.replace(':factor', '').includes(':')) return ['']
  const collection = collectionOf(route)
  const make = async (): Promise<number | string> => {
    const name = `made.${++made}`
    if (collection === 'users') return (await t.createUser({ email: `${name}@example.org` })).user.id
    if (collection === 'jobs') {
      const { id } = (await t.createUser({ email: `${name}@example.org` })).user
      const { body } = await t.call('POST /users/bulk', { body: { action: 'ban', ids: [id], expected: 1 } })
      if (route.url.endsWith('/undo'))
        await t.ctx.unguarded
          .updateTable('jobs')
          .set({ status: 'done', updated: 1 })
          .where('id', '=', body.data.id)
          .execute()
      return body.data.id
    }
    if (collection === 'deliveries') return makeDelivery(`${name}@example.org`, !route.url.endsWith('/preview'))
    if (collection === 'sessions') return handleOf(t, await signIn(t, await createOwner(t)))
    if (collection === 'flags') return (await t.call('GET /countries')).body.data[made].flag.split('/').at(-1)
    if (collection === 'avatars') return (await t.upload(1, picture)).body.data.avatar.split('/').at(-1)
    if (collection === 'webhooks') return makeWebhook()
    const isAnnounced = !route.url.endsWith('/notifications') || route.method !== 'POST'
    const body =
      collection === 'announcements' ? { title: name, body: name, email_notifications: isAnnounced } : { name }
    return (await t.call(`POST /${collection}`, { body })).body.data.id
  }
  const ids = []
  for (let count = 0; count < 8; count++) ids.push(String(await make()))
  return collection === 'roles' || collection === 'permissions' ? [...ids, '1', '2'] : ids
}

/** Over a real socket: an injected request is cleaned of what a real client can send. */
function send(route: TestedRoute, { id, query, headers, body }: FuzzedRequest) {
  const { method, url } = route
  const other = route.url === '/api/users/import' ? 'text/csv' : 'application/json'
  const type = takesFile(route) ? formHeaders : { 'content-type': other }
  const payload = body === undefined || Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body)
  const framing = payload === undefined ? {} : { ...type, 'content-length': Buffer.byteLength(payload) }
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; headers: object; text: string }>()
  sendRequest(
    {
      port,
      agent,
      timeout: 60_000,
      method,
      path: url.replace(':factor', '1').replace(/:\w+/, id) + query,
      headers: { authorization: `Bearer ${t.adminKey}`, ...framing, ...headers },
    },
    (response) =>
      text(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        reject,
      ),
  )
    .on('error', reject)
    .on('timeout', () => reject(new Error('there is no answer')))
    .end(payload)
  return promise
}

/** The 422s that concern no field but a conflict with the current state. */
const refusals = new Set([
  ...['two_factor_enabled', 'two_factor_not_enabled', 'two_factor_token_invalid', 'not_a_session'],
  ...['user_not_waiting', 'user_is_banned', 'user_has_no_password'],
  ...['delivery_not_waiting', 'delivery_body_erased', 'announcements_already_notified'],
])

/** What holds for every answer, whatever the request was. */
function expectSound({ status, headers, text }: Awaited<ReturnType<typeof send>>): void {
  expect(status).toBeLessThan(500)
  expect(headers).toMatchObject({
    'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
    'x-content-type-options': 'nosniff',
  })
  if (status < 400) return
  const answer = JSON.parse(text)
  expect(answer).toMatchObject({ message: expect.stringMatching(/./), code: expect.any(String) })
  expect([...errorCatalogue.keys()]).toContain(answer.code)
  expect(headers).toMatchObject({ 'cache-control': 'no-store' })
  expect(text).not.toMatch(/node_modules|\.ts:\d|SQLITE_|syntax error at/)
  if (status !== 422 || refusals.has(answer.code)) return
  const messages = Object.values(answer.errors)
  expect(messages.length).toBeGreaterThan(0)
  for (const list of messages) expect(list).toEqual(expect.arrayContaining([expect.stringMatching(/./)]))
}

const host = 'Host: gatehouse.test\r\n'

it.each([
  ['a request without Host', 400, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['an unknown expectation', 200, `GET /healthz HTTP/1.1\r\n${host}Expect: wonders\r\nConnection: close\r\n\r\n`],
  ['headers beyond all bounds', 431, `GET /healthz HTTP/1.1\r\n${host}X-Long: ${'a'.repeat(20_000)}\r\n\r\n`],
  ['what is not HTTP', 400, 'GET /\xff HTTP/1.1\r\n\r\n'],
  [
    'an upgrade, and then what is not HTTP',
    200,
    `GET /healthz HTTP/1.1\r\n${host}Connection: upgrade\r\nUpgrade: x\r\n\r\n\xff`,
  ],
])('%s, which Node would answer itself, gets a valid answer', async (_, status, bytes) => {
  const answer = await sendRaw(t.app, Buffer.from(bytes, 'latin1'))
  expect(answer.status).toBe(status)
  expectSound({ ...answer, text: answer.body })
})

// asvs: 1.2.4, 2.2.1
it.each(routes)('$method $url gives a valid answer to any request', async (route) => {
  // Requests to earlier routes turn features off and change the administrator's password.
  expect((await t.call('PATCH /settings', { body: { ...settings, force: true } })).status).toBe(200)
  const restored = { ...administrator, email, password_hash }
  await t.ctx.unguarded.updateTable('users').set(restored).where('id', '=', 1).execute()
  const forgetFailures = () => t.ctx.unguarded.deleteFrom('tries').execute()
  await forgetFailures()
  const ids = await makeIds(route)
  const statuses = new Set<number>()
  const property = fc.asyncProperty(requestTo(route, ids, picture), async (sent) => {
    // After thirty failures from one network, nothing that is sent would be checked.
    if (route.url === '/api/login') await forgetFailures()
    const answer = await send(route, sent)
    expectSound(answer)
    statuses.add(answer.status)
  })
  // The requests reached the services: some succeeded, and some failed for each possible reason.
  const wanted = [
    ...(unguessable.has(`${route.method} ${route.url}`) ? [] : [route.success]),
    ...(route.isPublic ? [] : [401]),
    ...(route.url.includes(':') ? [404] : []),
    ...(route.schema.body !== undefined ? [400, 415, 422] : []),
  ]
  const isEnough = () => wanted.every((status) => statuses.has(status))
  for (let round = 0; round === 0 || (round < maxRounds && !isEnough()); round++)
    await fc.assert(property, { numRuns: requestsPerRoute, seed: route.seed + 1_000 * round })
  expect([...statuses]).toEqual(expect.arrayContaining(wanted))
  expect((await t.call('GET /users/1')).status).toBe(200)
})

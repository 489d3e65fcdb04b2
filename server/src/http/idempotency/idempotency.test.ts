import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createOwner, password, signIn } from '../../features/sessions/sessions-test-steps.ts'
import { dumpDatabase, newcomer } from '../../testing/accounts.ts'
import { createTestApp, type TestApp } from '../../testing/app.ts'
import { startAvatarApp } from '../../testing/avatars.ts'
import { pictureOf } from '../../testing/images.ts'
import { sendRaw } from '../../testing/raw-http.ts'
import { removeOldIdempotencyKeys } from './claims.ts'
import { holdNextTransaction, rolesNamed, withKey } from './idempotency-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await startAvatarApp(inject('postgresUrl'))
})
afterAll(() => t.close())

let names = 0
const name = () => `role${++names}`
const createRole = (key: string, roleName: string, more: object = {}) =>
  t.call('POST /roles', { ...withKey(key), body: { name: roleName }, ...more })
const keptKeys = () => t.ctx.db.selectFrom('idempotency_keys').selectAll().execute()

describe('a POST with an Idempotency-Key', () => {
  it('is carried out once; sent again it gets the first answer', async () => {
    const role = name()
    const first = await createRole('once', role)
    const again = await createRole('once', role)
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.text).toBe(first.text)
    expect(again.headers['content-type']).toBe(first.headers['content-type'])
    expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([undefined, 'true'])
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    expect(await rolesNamed(t, role)).toBe(1)
  })

  it('accepts the key as text and as a string of RFC 8941', async () => {
    const role = name()
    const first = await createRole('"8e03978e-40d5"', role)
    expect((await createRole('8e03978e-40d5', role)).text).toBe(first.text)
  })

  it('is the same request with its fields in any order', async () => {
    const role = name()
    const first = await t.call('POST /roles', { ...withKey('order'), body: { name: role, description: 'x' } })
    const again = await t.call('POST /roles', { ...withKey('order'), body: { description: 'x', name: role } })
    expect(again.text).toBe(first.text)
  })

  it.each(['///api//roles', '/roles/', '/roles//'])('is the same request at %s', async (path) => {
    const role = name()
    await createRole(role, role)
    const again = await t.call(`POST ${path}`, { ...withKey(role), body: { name: role } })
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true'])
  })

  it('answers 422 if the body or the address differs', async () => {
    await createRole('differs', name())
    const body = await createRole('differs', name())
    const address = await t.call('POST /permissions', { ...withKey('differs'), body: { name: name() } })
    expect([body.status, body.body.code]).toEqual([422, 'idempotency_key_reused'])
    expect([address.status, address.body.code]).toEqual([422, 'idempotency_key_reused'])
  })

  it('returns a new API key a second time, and stores it encrypted', async () => {
    const body = { name: 'mine', permissions: null }
    const first = await t.call('POST /api-keys', { ...withKey('secret'), body })
    const again = await t.call('POST /api-keys', { ...withKey('secret'), body })
    expect(again.body.data.key).toMatch(/^gh_/)
    expect(again.text).toBe(first.text)
    expect(await dumpDatabase(t)).not.toContain(first.body.data.key)
  })

  it('is refused with 409 and Retry-After while the first is still running', async () => {
    const role = name()
    const gate = holdNextTransaction(t)
    const first = createRole('at once', role)
    await gate.reached
    const refused = await createRole('at once', role)
    expect([refused.status, refused.body.code]).toEqual([409, 'idempotency_in_progress'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    gate.open()
    expect((await first).status).toBe(201)
    expect((await createRole('at once', role)).text).toBe((await first).text)
    expect(await rolesNamed(t, role)).toBe(1)
  })

  it('creates one object for many parallel requests', async () => {
    const role = name()
    const answers = await Promise.all(Array.from({ length: 10 }, () => createRole('crowd', role)))
    expect(answers.filter(({ status }) => status !== 409).map(({ body }) => body.data?.name)).toContain(role)
    expect(answers.filter(({ status }) => status !== 409 && status !== 201)).toEqual([])
    expect(await rolesNamed(t, role)).toBe(1)
  })

  it('belongs to its credential: another one has its own keys', async () => {
    const { key } = await t.createUser({ role_id: 1 })
    const first = await createRole('shared', name())
    const other = await createRole('shared', name(), { key })
    expect([first.status, other.status]).toEqual([201, 201])
  })

  it('gives nothing to a user who was banned in the meantime', async () => {
    const { user, key } = await t.createUser({ role_id: 1 })
    const role = name()
    await createRole('banned', role, { key })
    await t.call(`PATCH /users/${user.id}`, { body: { status: 'Banned' } })
    expect((await createRole('banned', role, { key })).status).toBe(401)
  })

  it('is 401 where the first has ended its credential, as POST /logout does', async () => {
    const key = await signIn(t, await createOwner(t))
    const leave = () => t.call('POST /logout', { ...withKey('leaving'), key })
    expect([(await leave()).status, (await leave()).body.code]).toEqual([200, 'unauthenticated'])
  })

  it('gets the same error again, even if it would succeed by now', async () => {
    const role = name()
    const { id } = (await t.call('POST /roles', { body: { name: role } })).body.data
    const first = await createRole('refused', role)
    await t.call(`DELETE /roles/${id}`)
    const again = await createRole('refused', role)
    expect([first.status, again.status]).toEqual([422, 422])
    expect(again.text).toBe(first.text)
  })

  it.each(['', ' ', '"open', 'é', 'x'.repeat(256), '"', '""'])('is 400 with the key %j', async (key) => {
    const { body, status } = await createRole(key, name())
    expect([status, body.code]).toEqual([400, 'malformed_request'])
    expect(body.message).toContain('Idempotency-Key')
  })

  it('is 400 with two keys', async () => {
    const { status, body } = await sendRaw(
      t.app,
      `POST /api/roles HTTP/1.1\r\nHost: gatehouse.test\r\nConnection: close\r\nAuthorization: Bearer ${t.adminKey}\r\nIdempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: 2\r\n\r\n{}`,
    )
    expect(status).toBe(400)
    expect(body).toContain('Idempotency-Key')
  })

  it('stores nothing without the header, and ignores it for idempotent methods', async () => {
    const before = (await keptKeys()).length
    await t.call('POST /roles', { body: { name: name() } })
    await t.call('PATCH /me/details', { ...withKey('patch'), body: { first_name: 'Ada' } })
    expect((await keptKeys()).length).toBe(before)
  })

  it('is forgotten after 24 hours', async () => {
    const app = await createTestApp(inject('postgresUrl'))
    const first = await app.call('POST /roles', { ...withKey('day'), body: { name: 'day' } })
    app.clock.advance({ hours: 23 })
    expect((await app.call('POST /roles', { ...withKey('day'), body: { name: 'day' } })).text).toBe(first.text)
    app.clock.advance({ hours: 2 })
    const anew = await app.call('POST /roles', { ...withKey('day'), body: { name: 'another' } })
    expect([anew.status, anew.headers['idempotent-replayed']]).toEqual([201, undefined])
    app.clock.advance({ hours: 25 })
    await removeOldIdempotencyKeys(app.ctx)
    expect(await app.ctx.db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([])
  })

  it('works for routes of plugins', async () => {
    const send = () => t.call('POST /announcements', { ...withKey('news'), body: { title: 'Once', body: 'Once' } })
    const [first, again] = [await send(), await send()]
    expect(again.text).toBe(first.text)
    expect((await t.call('GET /announcements?filter[title]=Once')).body.meta.total).toBe(1)
  })

  it('works for files: the same one with another boundary is the same request, another one is 422', async () => {
    const picture = await pictureOf(1)
    const upload = (boundary: string, bytes: Buffer) =>
      t.call('POST /users/1/avatar', {
        headers: { 'idempotency-key': 'file', 'content-type': `multipart/form-data; boundary=${boundary}` },
        body: Buffer.concat([
          Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`),
          bytes,
          Buffer.from(`\r\n--${boundary}--\r\n`),
        ]),
      })
    const [first, again] = [await upload('one', picture), await upload('other', picture)]
    expect(first.status).toBe(200)
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
    expect((await upload('one', await pictureOf(2))).body.code).toBe('idempotency_key_reused')
  })

  it('is stored for a session as for an API key', async () => {
    const owner = await createOwner(t, { role_id: 1 })
    const key = await signIn(t, owner)
    const role = name()
    const first = await createRole('session', role, { key })
    expect((await createRole('session', role, { key })).text).toBe(first.text)
  })
})

describe('without a credential', () => {
  it('belongs to the network and the route', async () => {
    const body = newcomer()
    const first = await t.call('POST /register', { ...withKey('join', { key: null, ip: '192.0.2.1' }), body })
    const again = await t.call('POST /register', { ...withKey('join', { key: null, ip: '192.0.2.1' }), body })
    const elsewhere = await t.call('POST /register', { ...withKey('join', { key: null, ip: '192.0.2.2' }), body })
    expect([first.status, again.status, elsewhere.status]).toEqual([201, 201, 422])
    expect(elsewhere.body.code).not.toBe('idempotency_key_reused')
  })

  it('signs in once: the token or the cookie is returned again', async () => {
    const { email } = await createOwner(t)
    const send = (cookie: boolean) =>
      t.call('POST /login', { ...withKey(`in ${cookie}`, { key: null }), body: { username: email, password, cookie } })
    const [first, again] = [await send(false), await send(false)]
    expect(again.body.token).toBe(first.body.token)
    const [one, two] = [await send(true), await send(true)]
    expect(one.headers['set-cookie']).toBeDefined()
    expect(two.headers['set-cookie']).toEqual(one.headers['set-cookie'])
  })

  it('has room for a thousand keys; beyond, what is stored is still answered, and the end of the oldest says when there is room', async () => {
    const app = await createTestApp(inject('postgresUrl'))
    const send = (key: string) => app.call('POST /password/remind', { ...withKey(key, { key: null }), body: {} })
    const stored = await send('first')
    const [row] = await app.ctx.db.selectFrom('idempotency_keys').selectAll().execute()
    const rows = Array.from({ length: 998 }, (_, at) => ({ ...(row as NonNullable<typeof row>), key_hash: `k${at}` }))
    await app.ctx.unguarded.insertInto('idempotency_keys').values(rows).execute()
    app.clock.advance({ hours: 23 })
    expect((await send('the last')).status).toBe(422)
    const refused = await send('one more')
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600'])
    app.clock.advance({ minutes: 59 })
    expect((await send('one more')).headers['retry-after']).toBe('60')
    const again = await send('first')
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([stored.text, 'true'])
    app.clock.advance({ minutes: 1 })
    expect((await send('one more')).status).toBe(422)
  })
})

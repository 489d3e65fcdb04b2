import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newcomer, requestResetToken } from '../testing/accounts.ts'
import type { TestApp } from '../testing/app.ts'
import { startAvatarApp } from '../testing/avatars.ts'
import { pictureOf } from '../testing/images.ts'
import { sendRaw } from '../testing/raw-http.ts'
import { newPhone, requestCode } from '../testing/two-factor.ts'

/*
 * What clients of this family of APIs send, byte for byte over a socket, and what they expect; one row a call. Most are PHP
 * SDKs on Guzzle: `json`, `form_params` and `multipart` are its ways to send a body, and an empty array is `[]`.
 */

let t: TestApp
let picture: Buffer
beforeAll(async () => {
  t = await startAvatarApp(inject('postgresUrl'))
  picture = await pictureOf(1)
  const { id } = (await t.call('POST /announcements', { body: { title: 'First', body: '**Hello**' } })).body.data
  Object.assign(known, { announcement: id })
})
afterAll(() => t.close())

/** What a path or body refers to. */
const known: Record<string, string | number> = { user: 0, announcement: 0 }

type Sent =
  | { json: unknown }
  | { form: Record<string, string> | string }
  | { multipart: Record<string, string | Buffer> }
  | { raw: string; type?: string }

const boundary = '3a1f0e0b9d4c4b7fa3a4e9a6f2f0c1d2e3f4a5b6'

function partsOf(fields: Record<string, string | Buffer>): Buffer {
  const parts = Object.entries(fields).map(([name, value]) => {
    const head = Buffer.isBuffer(value)
      ? `Content-Disposition: form-data; name="${name}"; filename="${name}.png"\r\nContent-Length: ${value.length}\r\nContent-Type: image/png`
      : `Content-Disposition: form-data; name="${name}"\r\nContent-Length: ${Buffer.byteLength(value)}`
    return Buffer.concat([Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), Buffer.from(value), Buffer.from('\r\n')])
  })
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
}

function bytesOf(sent: Sent | undefined): { type: string | undefined; body: Buffer } {
  if (sent === undefined) return { type: undefined, body: Buffer.alloc(0) }
  if ('json' in sent) return { type: 'application/json', body: Buffer.from(JSON.stringify(sent.json)) }
  if ('raw' in sent) return { type: sent.type, body: Buffer.from(sent.raw) }
  if ('multipart' in sent) return { type: `multipart/form-data; boundary=${boundary}`, body: partsOf(sent.multipart) }
  const text = typeof sent.form === 'string' ? sent.form : new URLSearchParams(sent.form).toString()
  return { type: 'application/x-www-form-urlencoded', body: Buffer.from(text) }
}

async function send(call: string, sent: Sent | undefined, isPublic: boolean) {
  const [method, path] = call.split(' ', 2)
  const { type, body } = bytesOf(sent)
  const lines = [
    `${method} ${path?.replaceAll(/\{(\w+)\}/g, (_, name) => String(known[name]))} HTTP/1.1`,
    'Host: gatehouse.test',
    'User-Agent: GuzzleHttp/7',
    'Accept: application/json',
    ...(isPublic ? [] : [`Authorization: Bearer ${t.adminKey}`]),
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ...(sent === undefined ? [] : [`Content-Length: ${body.length}`]),
    'Connection: close',
  ]
  const answer = await sendRaw(t.app, Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]))
  const isJson = answer.headers['content-type'] === 'application/json; charset=utf-8'
  return { status: answer.status, text: answer.body, body: isJson && answer.body !== '' ? JSON.parse(answer.body) : {} }
}

/** What must be present: the named values at the top or in `data`. */
type Expected = Record<string, unknown>
type Row = [call: string, sent: Sent | undefined | (() => Promise<Sent>), status: number, expected?: Expected]

const isUser = { id: expect.any(Number), email: expect.any(String), avatar: expect.stringMatching(/^http/) }
const password = 'a quiet harbour at dawn'
const withPassword = { password, password_confirmation: password }
const created = { email: 'sdk@example.com', username: 'sdk', role_id: 2, ...withPassword }

/** In this order: later rows use what earlier ones created. */
const users: Row[] = [
  ['POST /api/users', { json: created }, 201, isUser],
  ['GET /api/users', undefined, 200, { data: expect.any(Array), meta: expect.objectContaining({ total: 2 }) }],
  ['GET /api/users/', undefined, 200],
  ['GET //api//users//', undefined, 200],
  ['GET /api/users?include=role,country&sort=-created_at&page=1&per_page=1', undefined, 200],
  ['GET /api/users?include[]=role&include[]=country', undefined, 200],
  ['GET /api/users?include%5B0%5D=role&include%5B1%5D=country', undefined, 200],
  ['GET /api/users?sort[]=-email&sort[]=id', undefined, 200],
  ['GET /api/users?page[number]=1&page[size]=5', undefined, 200, { meta: expect.objectContaining({ per_page: 5 }) }],
  ['GET /api/users?filter[search]=SDK', undefined, 200, { meta: expect.objectContaining({ total: 1 }) }],
  ['GET /api/users?filter[status]=active', undefined, 200, { meta: expect.objectContaining({ total: 2 }) }],
  ['GET /api/users?filter[status][]=Active&filter[status][]=Banned', undefined, 200],
  ['GET /api/users?include=posts', undefined, 400, { code: 'unknown_include' }],
  ['GET /api/users?sort=phone', undefined, 400, { code: 'unknown_sort' }],
  ['GET /api/users?filter[phone]=1', undefined, 400, { code: 'unknown_filter' }],
  ['GET /api/users?filter=x', undefined, 400],
  ['GET /api/users?page=0&per_page=1000', undefined, 200, { meta: expect.objectContaining({ per_page: 100 }) }],
  ['GET /api/users?page=x&per_page=x', undefined, 200, { meta: expect.objectContaining({ per_page: 20 }) }],
  ['GET /api/users/{user}', undefined, 200, isUser],
  ['GET /api/users/{user}?include=role,country', undefined, 200, { role: expect.any(Object), country: null }],
  ['GET /api/users/{user}?include=posts', undefined, 400, { code: 'unknown_include' }],
  ['GET /api/users/999999', undefined, 404, { message: 'Resource not found.' }],
  ['GET /api/users/abc', undefined, 404],
  ['GET /api/users/01', undefined, 404],
  [
    'PATCH /api/users/{user}',
    { json: { first_name: 'Ada', country_id: 826 } },
    200,
    { first_name: 'Ada', country_id: 826 },
  ],
  ['PUT /api/users/{user}', { json: { last_name: 'Lovelace' } }, 200, { last_name: 'Lovelace' }],
  [
    'PATCH /api/users/{user}',
    { form: { first_name: 'Augusta', role_id: '2' } },
    200,
    { first_name: 'Augusta', role_id: 2 },
  ],
  [
    'PATCH /api/users/{user}',
    { multipart: { phone: '0123', country_id: '276' } },
    200,
    { phone: '0123', country_id: 276 },
  ],
  ['PATCH /api/users/{user}', { json: { phone: 447700900123 } }, 200, { phone: '447700900123' }],
  ['PATCH /api/users/{user}', { json: [] }, 200, { first_name: 'Augusta' }],
  ['PATCH /api/users/{user}', { raw: '' }, 200, isUser],
  ['PATCH /api/users/{user}', { raw: 'null', type: 'application/json' }, 200, isUser],
  ['PATCH /api/users/{user}', { raw: '{"last_name":"King"}' }, 200, { last_name: 'King' }],
  [
    'PATCH /api/users/{user}',
    { raw: '{"last_name":"Byron"}', type: 'application/vnd.api+json' },
    200,
    { last_name: 'Byron' },
  ],
  ['PATCH /api/users/{user}', { json: { password: '', password_confirmation: '' } }, 200, isUser],
  ['PATCH /api/users/{user}', { json: { password: null } }, 200, isUser],
  ['PATCH /api/users/{user}', { json: { birthday: '' } }, 200, { birthday: null }],
  ['PATCH /api/users/{user}', { json: { id: 77, nothing: 1 } }, 200, isUser],
  ['PATCH /api/users/{user}', { json: { role_id: '02' } }, 422, { errors: { role_id: expect.any(Array) } }],
  ['PATCH /api/users/{user}', { json: { role_id: true } }, 422],
  ['PATCH /api/users/{user}', { json: { birthday: '2023-02-30' } }, 422],
  ['PATCH /api/users/{user}', { raw: '{', type: 'application/json' }, 400],
  ['PATCH /api/users/{user}', { raw: '<user/>', type: 'application/xml' }, 415],
  ['POST /api/users', { json: [] }, 422, { message: 'The given data was invalid.' }],
  ['POST /api/users', { json: created }, 422, { errors: { email: expect.any(Array), username: expect.any(Array) } }],
  ['DELETE /api/users', undefined, 405],
  ['POST /api/users/{user}/avatar', async () => ({ multipart: { file: picture } }), 200, isUser],
  ['POST /api/users/{user}/avatar', { multipart: { file: 'no file' } }, 422, { errors: { file: expect.any(Array) } }],
  [
    'PUT /api/users/{user}/avatar/external',
    { json: { url: 'https://example.com/a.png' } },
    200,
    { avatar: 'https://example.com/a.png' },
  ],
  [
    'PUT /api/users/{user}/avatar/external',
    { form: { url: 'https://example.com/b.png' } },
    200,
    { avatar: 'https://example.com/b.png' },
  ],
  ['PUT /api/users/{user}/avatar/external', { json: { url: 'nonsense' } }, 422],
  ['PUT /api/users/{user}/2fa', async () => ({ json: newPhone().body }), 200, { message: 'Verification token sent.' }],
  ['POST /api/users/{user}/2fa/verify', { json: { token: '000000x' } }, 422],
  ['POST /api/users/{user}/2fa/verify', async () => ({ form: { token: await newCode() } }), 200, isUser],
  [
    'PUT /api/users/{user}/2fa',
    async () => ({ json: newPhone().body }),
    422,
    { message: '2FA is already enabled for this user.' },
  ],
  ['DELETE /api/users/{user}/2fa', undefined, 200, isUser],
  ['DELETE /api/users/{user}/2fa', { json: [] }, 422, { message: '2FA is not enabled for this user.' }],
  ['GET /api/users/{user}/sessions', undefined, 200, { data: [] }],
]

const others: Row[] = [
  ['GET /api/announcements', undefined, 200, { data: expect.any(Array) }],
  ['GET /api/announcements?include=user&sort=-created_at', undefined, 200],
  ['GET /api/announcements?filter[title]=irs&filter[body]=hello&filter[user]=1', undefined, 200],
  ['GET /api/announcements/{announcement}?include=user', undefined, 200, { user: expect.any(Object) }],
  [
    'POST /api/announcements',
    { json: { title: 'A', body: '**b**', email_notifications: false } },
    201,
    { parsed_body: expect.stringContaining('<strong>') },
  ],
  ['POST /api/announcements', { json: { title: 'A', body: 'b', email_notifications: 'true' } }, 201, { title: 'A' }],
  ['POST /api/announcements', { form: { title: 'F', body: 'b', email_notifications: '0' } }, 201, { title: 'F' }],
  ['POST /api/announcements', { json: { title: 'A', body: 'b', email_notification: '1' } }, 201, { title: 'A' }],
  ['POST /api/announcements', { json: [] }, 422, { errors: { title: expect.any(Array), body: expect.any(Array) } }],
  ['PATCH /api/announcements/{announcement}', { json: { title: 'Second' } }, 200, { title: 'Second' }],
  ['DELETE /api/announcements/{announcement}', undefined, 200, { success: true }],
  ['GET /api/announcements/{announcement}', undefined, 404],
  ['GET /api/roles?include=permissions,users_count', undefined, 200],
  ['GET /api/roles/1?include=permissions', undefined, 200, { permissions: expect.any(Array) }],
  ['POST /api/roles', { form: 'name=Editor&display_name=Editor' }, 201, { name: 'Editor', removable: true }],
  ['PUT /api/roles/3/permissions', { form: 'permissions%5B%5D=users.manage&permissions%5B%5D=users.activity' }, 200],
  ['PUT /api/roles/3/permissions', { form: 'permissions[0]=users.manage' }, 200],
  ['PUT /api/roles/3/permissions', { json: { permissions: [] } }, 200],
  ['GET /api/permissions', undefined, 200],
  [
    'GET /api/countries',
    undefined,
    200,
    { data: expect.arrayContaining([expect.objectContaining({ flag: expect.stringMatching(/^http/) })]) },
  ],
  ['GET /api/me', undefined, 200, isUser],
  ['GET /api/settings', undefined, 200, { 'registration.enabled': true }],
  ['GET /api/stats', undefined, 200],
  ['HEAD /api/users', undefined, 200],
  ['GET /api/nothing', undefined, 404],
]

const open: Row[] = [
  ['POST /api/password/remind', { json: { email: 'sdk@example.com' } }, 200, { success: true }],
  ['POST /api/password/remind', { form: { email: 'nobody@example.com' } }, 200, { success: true }],
  ['POST /api/password/remind', { json: { email: 'no address' } }, 422],
  [
    'POST /api/password/reset',
    async () => ({ form: { email: 'sdk@example.com', token: await newResetToken(), ...withPassword } }),
    200,
    { success: true },
  ],
  [
    'POST /api/password/reset',
    { json: { email: 'sdk@example.com', token: 'wrong', ...withPassword } },
    400,
    { message: 'This password reset token is invalid.' },
  ],
  ['POST /api/register', async () => ({ json: newcomer() }), 201, { requires_email_confirmation: true }],
  ['POST /api/register', async () => ({ form: newcomer() }), 201, { requires_email_confirmation: true }],
  [
    'POST /api/register',
    async () => ({ multipart: { ...newcomer(), tos: 'on' } }),
    201,
    { requires_email_confirmation: true },
  ],
  [
    'POST /api/register',
    { json: [] },
    422,
    { errors: { username: expect.any(Array), email: expect.any(Array), password: expect.any(Array) } },
  ],
  ['POST /api/login', { form: { username: 'sdk', password } }, 200, { token: expect.stringMatching(/^gs_/) }],
  [
    'POST /api/login',
    { json: { username: 'sdk', password: 'wrong' } },
    422,
    { errors: { username: expect.any(Array) } },
  ],
  ['GET /api/users', undefined, 401, { message: 'Unauthenticated.' }],
]

const newCode = () => requestCode(t, Number(known.user))
const newResetToken = async () => {
  t.clock.advance({ minutes: 2 }) // one mail a minute
  return requestResetToken(t, 'sdk@example.com')
}

async function check([call, sent, status, expected = {}]: Row, isPublic: boolean): Promise<void> {
  const answer = await send(call, typeof sent === 'function' ? await sent() : sent, isPublic)
  expect(answer.status, answer.text).toBe(status)
  expect({ ...answer.body.data, ...answer.body }).toMatchObject(expected)
  if (call === 'POST /api/users' && status === 201) known.user = answer.body.data.id
}

describe('users', () => {
  it.each(users)('%s %j is %i', (...row) => check(row, false))
})

describe('announcements, roles, and what is around them', () => {
  it.each(others)('%s %j is %i', (...row) => check(row, false))
})

describe('without a credential', () => {
  it.each(open)('%s %j is %i', (...row) => check(row, true))
})

it('deletes the user at last', async () => {
  await check(['DELETE /api/users/{user}', undefined, 200, { success: true }], false)
  await check(['DELETE /api/users/{user}', { json: [] }, 404, { message: 'Resource not found.' }], false)
})

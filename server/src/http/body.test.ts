import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { processorMs } from '../testing/processor-time.ts'
import { sendRaw } from '../testing/raw-http.ts'
import { kindOf } from './media-types.ts'

let t: TestApp
let id: number
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  id = (await t.createUser({ first_name: 'Ada' })).user.id
})
afterAll(() => t.close())

const patch = (body: unknown, headers?: Record<string, string>) =>
  t.call(`PATCH /users/${id}`, { body, ...(headers === undefined ? {} : { headers }) })
const firstName = async () => (await t.call(`GET /users/${id}`)).body.data.first_name

describe('the type of a body', () => {
  it.each([
    ...['application/json', 'application/json;', 'application/json; charset=utf-8', 'application/json;charset=UTF-8'],
    ...[
      'application/json; charset=utf8',
      'application/json ; charset="utf-8"',
      'Application/JSON',
      'text/json',
      'TEXT/json; charset=utf-8',
    ],
    ...['application/vnd.api+json', 'application/merge-patch+json; charset=utf-8', 'application/problem+json'],
    ...['application/ld+JSON', 'application/vnd.a.b-c_d+json', ''],
    ...['application/json;odata.metadata=minimal', 'application/vnd.api+json; ext="https://a.test/b"; charset=utf-8'],
    ...['application/json; charset=utf-8; profile="a;b"', 'application/json; version=1;'],
  ])('is JSON if it is %j', async (type) => {
    await patch({ first_name: 'Ada' })
    expect((await patch({ first_name: 'Grace' }, { 'content-type': type })).status).toBe(200)
    expect(await firstName()).toBe('Grace')
  })

  const others = [
    ...['text/plain', 'text/plain; charset=utf-8', 'text/html', 'text/xml', 'application/xml', '*/*', 'text/x+json'],
    ...['multipart/related; type="application/json"', 'multipart/mixed; boundary=x', 'application/+json'],
    ...['application/octet-stream', 'application/javascript', 'application/*', 'application/json+xml'],
    ...['application/jsonp', 'application/json5', 'application/json-seq', 'application/x-ndjson', 'application/jsonx'],
    ...['application/json; charset=utf-16', 'application/json; charset=utf-16le', 'application/json; charset=latin1'],
    ...['application/json; charset=us-ascii', 'application/json; charset=utf-7', 'application/json; charset='],
    ...['application/json; x', 'application/json; x=', 'application/json; x="', 'application/json; x=1 y=2'],
    ...['application/json; charset=utf-8; charset=latin1', 'application/json; x=1; charset=utf-16'],
    ...['application/json, text/plain', 'text/plain, application/json', 'json'],
    ...['application / json', 'application/json\ttext/plain', 'application', 'x', ';', '; charset=utf-8'],
    ...['application/x-www-form-urlencoded; charset=', 'application/x-www-form-urlencodedx', 'multipart/form-datax'],
  ]

  it.each(others)('is answered 415 and changes nothing when it is %j', async (type) => {
    await patch({ first_name: 'Ada' })
    const { status, body } = await patch({ first_name: 'Grace' }, { 'content-type': type })
    expect({ status, code: body.code }).toEqual({ status: 415, code: 'unsupported_media_type' })
    expect(await firstName()).toBe('Ada')
  })

  it.each(['gzip', 'br', 'deflate'])('is 415 if it is compressed: %s', async (encoding) => {
    const { status, body } = await patch({ first_name: 'Grace' }, { 'content-encoding': encoding })
    expect([status, body.message]).toEqual([415, 'The request body must not be compressed (Content-Encoding).'])
    expect((await patch({ first_name: 'Ada' }, { 'content-encoding': 'identity' })).status).toBe(200)
  })

  it.each(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/json; a=b'])(
    'is read in linear time: %s and 15,000 spaces',
    async (type) => {
      kindOf('application/json; charset=utf-8') // compiles the patterns
      const read = () => expect(kindOf(`${type}${' '.repeat(15_000)}x`)).toBe('other')
      expect(await processorMs(read)).toBeLessThan(50)
    },
  )

  it('does not matter if the body is empty, with any method', async () => {
    for (const type of ['application/json', ...others, 'multipart/form-data', 'application/x-www-form-urlencoded']) {
      const headers = { 'content-type': type }
      const answers = ['POST /users', 'PATCH /users/1', 'PUT /users/1', 'DELETE /users/999', 'POST /users/1/avatar']
      const statuses = await Promise.all(
        answers.map(async (name) => (await t.call(name, { body: '', headers })).status),
      )
      expect({ type, statuses }).toEqual({ type, statuses: [422, 200, 200, 404, 422] })
    }
  })

  it('does not matter if the body is empty and no length is announced', async () => {
    const head = `PATCH /api/users/${id} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${t.adminKey}\r\n`
    for (const type of [
      '',
      'Content-Type: text/plain\r\n',
      'Content-Type: x\r\n',
      'Content-Type: multipart/form-data\r\n',
    ]) {
      const { status } = await sendRaw(t.app, `${head}${type}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)
      expect({ type, status }).toEqual({ type, status: 200 })
    }
  })

  it('is JSON when there is none', async () => {
    const headers = { authorization: `Bearer ${t.adminKey}` }
    const url = `/api/users/${id}`
    const send = (text: string) => t.app.inject({ method: 'PATCH', url, headers, payload: Buffer.from(text) })
    expect((await send('{"first_name":"Typeless"}')).statusCode).toBe(200)
    expect(await firstName()).toBe('Typeless')
    expect((await send('first_name=Grace')).statusCode).toBe(400)
  })

  it('is only checked for callers who may call', async () => {
    const headers = { 'content-type': 'text/plain' }
    expect((await t.call(`PATCH /users/${id}`, { key: null, body: 'x', headers })).status).toBe(401)
  })
})

describe('a body that is not JSON', () => {
  it.each([
    ['cut off', '{"first_name":"Grace"'],
    ['two values', '{"first_name":"Grace"}{}'],
    ['single quotes', "{'first_name':'Grace'}"],
    ['a trailing comma', '{"first_name":"Grace",}'],
    ['a comment', '{"first_name":"Grace"/**/}'],
    ['NaN', '{"country_id":NaN}'],
    ['a form', 'first_name=Grace'],
    ['a bare control character', '{"first_name":"Gr\nace"}'],
    ['only white space', '  '],
    ['only a byte order mark', '\uFEFF'],
    ['two byte order marks', '\uFEFF\uFEFF{}'],
    ['an invalid byte', Buffer.from([...Buffer.from('{"first_name":"'), 0xff, 0x22, 0x7d])],
    ['an overlong slash', Buffer.from([...Buffer.from('{"first_name":"'), 0xc0, 0xaf, 0x22, 0x7d])],
    ['a surrogate in UTF-8', Buffer.from([...Buffer.from('{"first_name":"'), 0xed, 0xa0, 0x80, 0x22, 0x7d])],
    ['UTF-16', Buffer.from('\uFEFF{"first_name":"Grace"}', 'utf16le')],
  ])('is answered 400: %s', async (_what, bytes) => {
    const { status, body } = await patch(bytes)
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'malformed_request' })
  })

  it('may begin with a byte order mark', async () => {
    expect((await patch('\uFEFF{"first_name":"Marked"}')).status).toBe(200)
    expect(await firstName()).toBe('Marked')
  })
})

describe('a body that is JSON but not an object', () => {
  it.each(['[{"first_name":"Grace"}]', '[[]]', '"first_name"', '1', '0', 'true', 'false', '""'])(
    'is answered 422 and changes nothing: %s',
    async (text) => {
      await patch({ first_name: 'Ada' })
      const { status, body } = await patch(text)
      expect(status).toBe(422)
      expect(body.errors).toHaveProperty('body')
      expect(await firstName()).toBe('Ada')
    },
  )

  it.each(['null', '[]', ' [ ] '])('counts as {} when it is %j', async (text) => {
    expect((await patch(text)).status).toBe(200)
    expect((await t.call('POST /users', { body: text })).body.errors).toHaveProperty('email')
  })
})

describe('an empty body under JSON', () => {
  it.each([
    ['GET /users', 200],
    ['HEAD /users', 200],
    ['POST /users', 422],
    ['PATCH /users/1', 200],
    ['PUT /users/1', 200],
    ['PUT /roles/2/permissions', 422],
  ])('counts as {}: %s', async (request, status) => {
    expect((await t.call(request, { body: '' })).status).toBe(status)
  })

  it('counts as {} with DELETE', async () => {
    const { user } = await t.createUser()
    expect(await t.call(`DELETE /users/${user.id}`, { body: '' })).toMatchObject({
      status: 200,
      body: { success: true },
    })
  })
})

describe('unknown fields', () => {
  // asvs: 1.5.2
  it('are ignored and never stored, whatever their names', async () => {
    const { body: before } = await t.call(`GET /users/${id}`)
    const { status, body } = await patch(
      `{"__proto__":{"first_name":"Polluted","role_id":1},"constructor":{"prototype":{"role_id":1}},"toString":"x",
        "hasOwnProperty":1,"id":1,"password_hash":"x","first_name_key":"x","created_at":"2000-01-01 00:00:00","no_such":[{}]}`,
    )
    expect(status).toBe(200)
    expect(body).toEqual(before)
    expect(({} as { role_id?: number }).role_id).toBeUndefined()
  })
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { sendRaw } from '../testing/raw-http.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const unauthenticated = { message: 'Unauthenticated.', code: 'unauthenticated' }

async function expectRefused(authorization: string | undefined, path = '/users'): Promise<void> {
  const headers = authorization === undefined ? undefined : { authorization }
  const answer = await t.call(`GET ${path}`, { key: null, ...(headers === undefined ? {} : { headers }) })
  expect({ authorization, status: answer.status, body: answer.body }).toEqual({
    authorization,
    status: 401,
    body: unauthenticated,
  })
  expect(answer.headers['www-authenticate']).toBe('Bearer')
}

const flipCase = (text: string) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase())

describe('a credential', () => {
  it('is read from the Authorization header, with the scheme in any case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  ']) {
      const headers = { authorization: `${scheme} ${t.adminKey}` }
      expect((await t.call('GET /users', { key: null, headers })).status).toBe(200)
    }
  })

  it('is needed', () => expectRefused(undefined))

  it('is refused if it is unknown', () => expectRefused(`Bearer gh_${'A'.repeat(43)}`))

  it('is refused if it is truncated anywhere', async () => {
    for (let length = 0; length < t.adminKey.length; length++)
      await expectRefused(`Bearer ${t.adminKey.slice(0, length)}`)
  })

  it('is refused if anything is added', async () => {
    for (const more of ['A', '=', '.', '/', ' x', ',x', '\t', 'gh_', '%00', `,${t.adminKey}`, ` ${t.adminKey}`]) {
      await expectRefused(`Bearer ${t.adminKey}${more}`)
      await expectRefused(`Bearer ${more}${t.adminKey}`)
    }
  })

  it('is refused if the case of any letter is changed', async () => {
    for (const [index, character] of [...t.adminKey].entries()) {
      if (flipCase(character) === character) continue
      await expectRefused(`Bearer ${t.adminKey.slice(0, index)}${flipCase(character)}${t.adminKey.slice(index + 1)}`)
    }
  })

  it('is refused under any other scheme', async () => {
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    const { adminKey } = t
    const passwords = basic('admin@example.com:correct horse battery staple')
    for (const header of [basic(adminKey), basic(`${adminKey}:`), basic(`:${adminKey}`), passwords])
      await expectRefused(header)
    for (const scheme of 'Basic Token Digest ApiKey Bearer: Bearer= Bearer, BearerBearer JWT'.split(' '))
      await expectRefused(`${scheme} ${adminKey}`)
    for (const header of [adminKey, `Bearer${adminKey}`, `Bearer Bearer ${adminKey}`]) await expectRefused(header)
  })

  // asvs: 14.2.1
  it('is read nowhere else: not in the query, a cookie, another header or a body', async () => {
    const { adminKey } = t
    for (const name of ['api_key', 'access_token', 'token', 'key', 'api_token', 'authorization']) {
      await expectRefused(undefined, `/users?${name}=${adminKey}`)
      for (const headers of [{ cookie: `${name}=${adminKey}` }, { [`x-${name.replaceAll('_', '-')}`]: adminKey }]) {
        expect((await t.call('GET /users', { key: null, headers })).status).toBe(401)
      }
      expect((await t.call('POST /users', { key: null, body: { [name]: adminKey } })).status).toBe(401)
    }
  })
})

describe('a malformed Authorization header', () => {
  const headers = [
    ...['', ' ', 'Bearer', 'Bearer ', 'bearer', 'Basic', 'Basic ', 'Basic !!!', 'Basic Og==', ':', '=', ',', '"', '\\'],
    ...['Bearer null', 'Bearer undefined', 'Bearer {}', 'Bearer []', 'Bearer 0', 'Bearer true', "Bearer ' or 1=1 --"],
    ...['Bearer gh_', 'Bearer gh_*', 'Bearer gh_%', 'Bearer __proto__', 'Bearer constructor'],
    ...['Bearer é', 'Bearer \xff\xfe', `Bearer gh_${'é'.repeat(43)}`, 'Bearer a b c', 'Bearer\ta', 'Bearer a,Bearer b'],
    ...[`Bearer ${'a'.repeat(513)}`, `Bearer ${'a'.repeat(8000)}`, 'a'.repeat(8000), `Bearer${' '.repeat(8000)}a`],
    ...[' Bearer x', 'Digest username="x", realm="y"', 'Negotiate TlRMTVNTUAAB', 'Bearer eyJhbGciOiJub25lIn0.e30.'],
  ].map((text) => [text.slice(0, 40), text] as const)

  it.each(headers)('is answered 401 and never 5xx: %j', async (_start, header) => {
    const bytes = Buffer.from(
      `GET /api/users HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${header}\r\n\r\n`,
      'latin1',
    )
    const { status } = await sendRaw(t.app, bytes)
    expect(status).toBe(401)
  })

  // asvs: 15.3.7
  it('is answered 401 when there are two', async () => {
    const twice = `Authorization: Bearer x\r\nAuthorization: Bearer ${t.adminKey}\r\n`
    const { status } = await sendRaw(t.app, `GET /api/users HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${twice}\r\n`)
    expect(status).toBe(401)
  })
})

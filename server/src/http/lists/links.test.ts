import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestApp, startTestApp, type TestApp } from '../../testing/app.ts'
import { sendRaw } from '../../testing/raw-http.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  for (let made = 0; made < 24; made++) await t.createUser({ first_name: made < 7 ? 'A,b & c=d #é+%' : null })
})
afterAll(() => t.close())

const path = 'http://gatehouse.test/api/users'
const list = async (query = '') => (await t.call(`GET /users?${query}`)).body
const parametersOf = (link: string): Record<string, string> => Object.fromEntries(new URL(link).searchParams)

describe('the numbers of a list', () => {
  it.each([
    ['per_page=10', { current_page: 1, from: 1, to: 10, last_page: 3 }, 10],
    ['per_page=10&page=2', { current_page: 2, from: 11, to: 20, last_page: 3 }, 10],
    ['per_page=10&page=3', { current_page: 3, from: 21, to: 25, last_page: 3 }, 5],
    ['per_page=25', { current_page: 1, from: 1, to: 25, last_page: 1 }, 25],
    ['per_page=5&page=5', { current_page: 5, from: 21, to: 25, last_page: 5 }, 5],
    ['per_page=24&page=2', { current_page: 2, from: 25, to: 25, last_page: 2 }, 1],
    ['per_page=10&page=4', { current_page: 4, from: null, to: null, last_page: 3 }, 0],
    ['per_page=10&page=999999999', { current_page: 999999999, from: null, to: null, last_page: 3 }, 0],
  ])('are right: %s', async (query, meta, length) => {
    const body = await list(query)
    expect(body.data.length).toBe(length)
    expect(body.meta).toMatchObject({ path, total: 25, ...meta })
  })

  it('are right for an empty list', async () => {
    const { data, meta, links } = await list('filter[status]=Banned')
    expect(data).toEqual([])
    expect(meta).toEqual({
      current_page: 1,
      from: null,
      last_page: 1,
      path,
      per_page: 20,
      to: null,
      total: 0,
      next_cursor: null,
      prev_cursor: null,
    })
    expect([parametersOf(links.first).page, parametersOf(links.last).page]).toEqual(['1', '1'])
    expect([links.prev, links.next]).toEqual([null, null])
  })
})

describe('the links of a list', () => {
  it('lead to the first, last, previous and next page', async () => {
    const pages = async (query: string) => {
      const { links } = await list(query)
      const pageOf = (link: string | null) => (link === null ? null : Number(parametersOf(link).page))
      return [links.first, links.prev, links.next, links.last].map(pageOf)
    }
    expect(await pages('per_page=10')).toEqual([1, null, 2, 3])
    expect(await pages('per_page=10&page=2')).toEqual([1, 1, 3, 3])
    expect(await pages('per_page=10&page=3')).toEqual([1, 2, null, 3])
    expect(await pages('per_page=25')).toEqual([1, null, null, 1])
    expect(await pages('per_page=10&page=9')).toEqual([1, 8, null, 3])
  })

  // asvs: 1.2.2
  it('keep every other parameter, encoded so that it comes back the same', async () => {
    const sent = new URLSearchParams([
      ['include', 'role,country'],
      ['sort', '-first_name,id'],
      ['filter[search]', 'A,b & c=d #é+%'],
      ['per_page', '2'],
      ['unknown', 'a b&c=d/?#%\u0001"<>\\^`{|}~ü🔑'],
      ['twice', '1'],
      ['twice', '2'],
      ['empty', ''],
      ['ключ[]', 'да'],
    ])
    const { data, links } = await list(`page=2&${sent}`)
    expect(data.length).toBe(2)
    for (const [name, page] of [
      ['first', '1'],
      ['prev', '1'],
      ['next', '3'],
      ['last', '4'],
    ] as const) {
      const url = new URL(links[name])
      expect([...url.searchParams]).toEqual([...sent, ['page', page]])
      expect(url.href).toBe(links[name])
    }
  })

  it('can be followed through the whole list, each row once', async () => {
    for (const query of ['per_page=4&sort=-email', 'per_page=3&filter[search]=A%2Cb%20%26&include=role']) {
      const whole = (await list(query.replace(/per_page=\d/, 'per_page=100'))).data
      const walked: unknown[] = []
      for (let next = `${path}?${query}`; next !== null; ) {
        const { body } = await t.call(`GET ${next.slice('http://gatehouse.test/api'.length)}`)
        walked.push(...body.data)
        next = body.links.next
      }
      expect(walked).toEqual(whole)
    }
  })

  it('keep every other parameter with a cursor, too, and only lead on', async () => {
    const first = await list('per_page=10&include=role&sort=-email&x=%26')
    const { links, meta } = await list(
      `per_page=10&include=role&sort=-email&x=%26&page=3&cursor=${first.meta.next_cursor}`,
    )
    const common = { per_page: '10', include: 'role', sort: '-email', x: '&' }
    expect(parametersOf(links.first)).toEqual({ ...common, page: '1' })
    expect(links.last).toBeNull()
    expect(parametersOf(links.prev)).toEqual({ ...common, cursor: meta.prev_cursor })
    expect(parametersOf(links.next)).toEqual({ ...common, cursor: meta.next_cursor })
    expect(meta).toMatchObject({
      current_page: null,
      last_page: null,
      from: null,
      to: null,
      total: 25,
      per_page: 10,
      path,
    })
  })

  it('have the path of a nested list', async () => {
    const { body } = await t.call('GET /users/%31/activity?per_page=1')
    expect(body.meta.path).toBe('http://gatehouse.test/api/users/1/activity')
    expect(body.links.first).toBe('http://gatehouse.test/api/users/1/activity?per_page=1&page=1')
  })
})

describe('links are built from the public URL alone', () => {
  const evil = 'evil.example'
  const request = (target: string, ...headers: string[]) =>
    `GET ${target} HTTP/1.1\r\n${[`Authorization: Bearer ${t.adminKey}`, 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`
  const host = 'Host: gatehouse.test'

  // asvs: 4.1.3
  it.each([
    ['/api/users', `Host: ${evil}`],
    ['/api/users', `Host: ${evil}:80`],
    ['/api/users', `Host: gatehouse.test@${evil}`],
    ['/api/users', `Host: gatehouse.test.${evil}`],
    ['/api/users', host, `X-Forwarded-Host: ${evil}`],
    ['/api/users', host, `X-Forwarded-Host: ${evil}`, 'X-Forwarded-Proto: https', 'X-Forwarded-Port: 444'],
    ['/api/users', host, `X-Forwarded-Server: ${evil}`],
    ['/api/users', host, `X-Host: ${evil}`],
    ['/api/users', host, `X-HTTP-Host-Override: ${evil}`],
    ['/api/users', host, `Forwarded: for=1.2.3.4;host=${evil};proto=https`],
    ['/api/users', host, `X-Original-URL: http://${evil}/api/users`],
    ['/api/users', host, `X-Rewrite-URL: http://${evil}/api/users`],
    ['/api/users', host, `X-Forwarded-Prefix: //${evil}`],
    ['/api/users', host, `Origin: http://${evil}`, `Referer: http://${evil}/`],
    [`http://${evil}/api/users`, host],
    [`https://${evil}:444/api/users`, `Host: ${evil}`],
  ])('whatever a request contains: %s %s', async (target, ...headers) => {
    const { status, body } = await sendRaw(t.app, request(target, ...headers))
    expect(status).toBe(200)
    expect(body).not.toContain(evil)
    const { meta, links } = JSON.parse(body)
    expect(meta.path).toBe(path)
    expect(links.first).toBe(`${path}?page=1`)
  })

  it('even behind a trusted proxy', async () => {
    const behind = await createTestApp(inject('postgresUrl'), { GATEHOUSE_TRUST_PROXY: '127.0.0.1' })
    const headers = { 'x-forwarded-host': evil, 'x-forwarded-proto': 'https', host: evil }
    const { text } = await behind.call('GET /users', { headers })
    expect(text).not.toContain(evil)
    expect(text).toContain('"http://gatehouse.test/api/users?page=1"')
  })

  it('with the path that the public URL has', async () => {
    const below = await createTestApp(inject('postgresUrl'), { GATEHOUSE_PUBLIC_URL: 'https://example.com/accounts/' })
    const { meta, links, data } = (await below.call('GET /users')).body
    expect(meta.path).toBe('https://example.com/accounts/api/users')
    expect(links.last).toBe('https://example.com/accounts/api/users?page=1')
    expect(data[0].avatar).toBe('https://example.com/accounts/avatars/default.svg')
  })
})

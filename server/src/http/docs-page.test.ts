import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestApp, startTestApp, type TestApp } from '../testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const page = 'http://gatehouse.test/api/docs/'
const types: Record<string, RegExp> = {
  js: /^(application|text)\/javascript; charset=utf-8$/,
  css: /^text\/css; charset=utf-8$/,
  png: /^image\/png$/,
}

const get = (url: URL) => t.call(`GET /${url.pathname}${url.search}`, { key: null })

/** Everything that a page loads, as the browser reads its addresses. */
const loadedBy = (html: string, address: string): URL[] =>
  [...html.matchAll(/<(?:script|link|img|iframe|source|object|embed|use)\b[^>]*?\b(?:src|href|data)="([^"]*)"/g)].map(
    ([, url]) => new URL(String(url), address),
  )

it('loads its files below the path of the public address', async () => {
  const below = await createTestApp(inject('postgresUrl'), { GATEHOUSE_PUBLIC_URL: 'http://gatehouse.test/users' })
  for (const path of ['', '/']) {
    const address = `http://gatehouse.test/users/api/docs${path}`
    const { text } = await below.call(`GET /docs${path}`, { key: null })
    const paths = loadedBy(text, address).map(({ pathname }) => pathname)
    expect(paths).toContain('/users/api/docs/static/swagger-ui-bundle.js')
    expect(paths.filter((file) => !file.startsWith('/users/api/docs/static/'))).toEqual([])
  }
})

describe.each([page, page.slice(0, -1)])('the page of documentation at %s', (address) => {
  // asvs: 14.2.3
  it('is HTML for everybody, and loads nothing from other hosts', async () => {
    const { status, headers, text } = await get(new URL(address))
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).toContain('<title>Gatehouse API</title>')
    const loaded = loadedBy(text, address)
    expect(loaded.length).toBeGreaterThan(4)
    expect(loaded.filter(({ origin }) => origin !== 'http://gatehouse.test')).toEqual([])
    for (const url of loaded) {
      const asset = await get(url)
      expect(asset.status, url.pathname).toBe(200)
      expect(asset.headers['content-type']).toMatch(types[url.pathname.split('.').at(-1) ?? ''] ?? /^never$/)
      expect(asset.headers['x-content-type-options']).toBe('nosniff')
      // A style sheet could load more; ours contain everything.
      const further = url.pathname.endsWith('.css') ? asset.text.matchAll(/@import|url\(\s*["']?([^)"']{0,9})/g) : []
      expect([...further].filter(([, start = '']) => !/^(data:|#)/.test(start))).toEqual([])
    }
  })

  it('contains no inline script, and its policy allows none', async () => {
    const { headers, text } = await get(new URL(address))
    expect(text.match(/<script\b/g)?.length).toBeGreaterThan(1)
    expect(text).not.toMatch(/<script\b(?![^>]*\bsrc=)|<script\b[^>]*>\s*[^\s<]|\son\w+=|javascript:/i)
    const policy = new Map(
      String(headers['content-security-policy'])
        .split(';')
        .map((directive) => directive.trim().split(' '))
        .map(([name = '', ...sources]) => [name, sources.join(' ')]),
    )
    expect(Object.fromEntries(policy)).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'frame-ancestors': "'none'",
    })
    expect([...policy.values()].join(' ')).not.toMatch(/unsafe-eval|https?:|\*/)
  })
})

it('the page reads the same document as /api/openapi.json', async () => {
  const [ofPage, own] = await Promise.all(['GET /docs/json', 'GET /openapi.json'].map((request) => t.call(request)))
  expect(ofPage?.body).toEqual(own?.body)
  const initializer = await t.call('GET /docs/static/swagger-initializer.js', { key: null })
  expect(initializer.text).toContain("url: resolveUrl('./json')")
  expect(initializer.text).toContain('validatorUrl')
  expect(initializer.text).not.toMatch(/validatorUrl["']?:\s*["']http/)
})

// asvs: 13.4.1, 13.4.3
it('serves only its own files', async () => {
  for (const path of ['/docs/static/nothing.js', '/docs/static/..%2f..%2fpackage.json', '/docs/static/.env']) {
    const { status, body } = await t.call(`GET ${path}`, { key: null })
    expect({ path, status, code: body?.code }).toEqual({ path, status: 404, code: 'not_found' })
  }
})

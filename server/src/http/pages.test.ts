import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { parseConfig } from '../config.ts'
import { processorMs } from '../testing/processor-time.ts'
import { pageRoutes } from './pages.ts'
import { createServer } from './server.ts'

const script = `console.log(${JSON.stringify('x'.repeat(2000))})`
const html = (name: string) => `<meta property="csp-nonce" content="__CSP_NONCE__"><meta content="__VISITOR__">${name}`
const publicPages = ['/login', '/register', '/check-mail', '/verify-email', '/forgot-password', '/reset-password']

const createFolder = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-pages-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  return dir
}

/** A minimal console build. */
function createBuild(dir = createFolder()): string {
  mkdirSync(join(dir, 'assets'), { recursive: true })
  writeFileSync(join(dir, 'index.html'), html('admin'))
  writeFileSync(join(dir, 'public.html'), html('public'))
  writeFileSync(join(dir, 'favicon.svg'), '<svg/>')
  writeFileSync(join(dir, 'assets/kit.js'), 'export {}')
  writeFileSync(join(dir, 'assets/admin-AbCd_-12.js'), script)
  writeFileSync(join(dir, 'assets/admin-AbCd_-12.js.br'), brotliCompressSync(script))
  writeFileSync(join(dir, 'assets/admin-AbCd_-12.js.gz'), gzipSync(script))
  return dir
}

async function createSite(dir: string, settings: Record<string, string> = {}) {
  const config = parseConfig({ GATEHOUSE_PUBLIC_URL: 'http://gatehouse.test', ...settings })
  const app = createServer(config, undefined)
  pageRoutes(app, config, dir)
  await app.ready()
  onTestFinished(() => app.close())
  return app
}

it('answers a browser at an unknown address with a page, and a program with the error', async () => {
  const app = await createSite(createBuild(), { GATEHOUSE_PUBLIC_URL: 'http://gatehouse.test/people' })
  const accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'
  for (const url of ['/nonsense', '/deep/er/nonsense?x=1']) {
    const page = await app.inject({ url, headers: { accept } })
    expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.body).toContain('public')
    for (const headers of [{}, { accept: 'application/json' }, { accept: '*/*' }, { accept: 'text/html;q=0' }]) {
      const error = await app.inject({ url, headers })
      expect([error.statusCode, error.json().code]).toEqual([404, 'not_found'])
    }
    expect((await app.inject({ method: 'POST', url, headers: { accept } })).json().code).toBe('not_found')
  }
  for (const url of ['/api/nonsense', '/assets/none.js', '//api/nonsense', '/avatars/none.webp']) {
    expect((await app.inject({ url, headers: { accept } })).json().code).toBe('not_found')
  }
})

// asvs: 13.4.1, 13.4.3
it('serves the console at / and the public pages at their addresses, and nothing else', async () => {
  const app = await createSite(createBuild())
  for (const url of ['/', ...publicPages]) {
    const answer = await app.inject({ url, cookies: { gatehouse: 'gs_x' } })
    expect({ url, status: answer.statusCode }).toEqual({ url, status: 200 })
    expect(answer.body).toContain(url === '/' ? 'admin' : 'public')
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    })
    expect((await app.inject({ method: 'HEAD', url })).statusCode).toBe(200)
  }
  const others = ['/users', '/login/x', '/index.html', '/public.html', '/assets', '/assets/', '/assets/none.js']
  const outside = ['/assets/../index.html', '/assets/..%2findex.html', '/assets/%2e%2e/index.html']
  for (const url of [...others, ...outside]) {
    expect({ url, status: (await app.inject(url)).statusCode }).toEqual({ url, status: 404 })
  }
})

// asvs: 1.2.3, 3.4.6
it('gives every answer a policy with a new nonce, the same as in the page, and nothing else inline', async () => {
  const app = await createSite(createBuild())
  const nonces = await Promise.all(
    ['/', '/login', '/login'].map(async (url) => {
      const { headers, body } = await app.inject(url)
      const policy = String(headers['content-security-policy'])
      const nonce = /'nonce-([A-Za-z0-9+/]{22}==)'/.exec(policy)?.[1]
      expect(body).toContain(`content="${nonce}"`)
      expect(policy.split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        "img-src 'self' http://gatehouse.test data: blob: https:",
        "connect-src 'self'",
        "font-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-src 'self'",
        "frame-ancestors 'none'",
      ])
      return nonce
    }),
  )
  expect(new Set(nonces).size).toBe(3)
})

it.each([
  ['recaptcha', 'https://www.gstatic.com/recaptcha/'],
  ['hcaptcha', 'https://*.hcaptcha.com'],
  ['turnstile', 'https://challenges.cloudflare.com'],
])('names the hosts of %s only on the public pages, if it is configured', async (provider, host) => {
  const app = await createSite(createBuild(), { GATEHOUSE_CAPTCHA_URL: `${provider}://site:secret@default` })
  const policyOf = async (url: string) =>
    String((await app.inject({ url, cookies: { gatehouse: 'gs_x' } })).headers['content-security-policy'])
  expect(await policyOf('/register')).toMatch(new RegExp(`script-src 'self'[^;]* ${RegExp.escape(host)}(;| )`))
  expect(await policyOf('/register')).toMatch(/frame-src 'self' https:/)
  expect(await policyOf('/')).not.toMatch(/(script|frame|connect)-src [^;]*https:/)
})

it('goes on with its own build while another is made beside it', async () => {
  const dir = createBuild()
  const app = await createSite(dir)
  const before = await app.inject('/assets/kit.js')
  writeFileSync(join(dir, 'assets/kit.js'), 'export const other = 1')
  const after = await app.inject('/assets/kit.js')
  expect([after.statusCode, after.body, after.headers.etag]).toEqual([200, 'export {}', before.headers.etag])
})

it('shows a stranger the sign-in page in place of the console', async () => {
  const app = await createSite(createBuild())
  const answer = await app.inject('/')
  expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining('public')])
})

it('tells the page whether the visitor has a session cookie, because scripts cannot see it', async () => {
  const app = await createSite(createBuild())
  expect((await app.inject('/login')).body).toContain('content="anonymous"')
  expect((await app.inject({ url: '/login', cookies: { gatehouse: 'gs_x' } })).body).toContain('content="returning"')
})

it.each([
  ['br, gzip', 'br', brotliDecompressSync],
  ['gzip;q=0.5, br;q=0', 'gzip', gunzipSync],
  ['deflate', undefined, (body: Buffer) => body],
])('sends a script with Accept-Encoding "%s" as %s, cached for ever', async (accepted, encoding, decode) => {
  const app = await createSite(createBuild())
  const url = '/assets/admin-AbCd_-12.js'
  const { statusCode, headers, rawPayload } = await app.inject({ url, headers: { 'accept-encoding': accepted } })
  expect(statusCode).toBe(200)
  expect(headers['content-encoding']).toBe(encoding)
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
    'content-length': String(rawPayload.length),
  })
  expect(decode(rawPayload).toString()).toBe(script)
})

it('has the kit, whose address is fixed, revalidated each time', async () => {
  const app = await createSite(createBuild())
  const first = await app.inject('/assets/kit.js')
  expect(first.headers['cache-control']).toBe('public, max-age=0, must-revalidate')
  const etag = String(first.headers.etag)
  for (const tags of [etag, `"other" , ${etag}`, `W/${etag}`, '*']) {
    const second = await app.inject({ url: '/assets/kit.js', headers: { 'if-none-match': tags } })
    expect({ tags, status: second.statusCode, body: second.body }).toEqual({ tags, status: 304, body: '' })
  }
  const other = await app.inject({
    url: '/assets/kit.js',
    headers: { 'if-none-match': `"other", ${etag.slice(0, -2)}"` },
  })
  expect(other.statusCode).toBe(200)
})

it.each(['if-none-match', 'accept-encoding'])('reads a long %s in linear time', async (header) => {
  const app = await createSite(createBuild())
  const url = '/assets/admin-AbCd_-12.js'
  const ask = async (value: string) =>
    expect((await app.inject({ url, headers: { [header]: value } })).statusCode).toBe(200)
  await ask('a') // whatever is loaded once
  expect(await processorMs(() => ask(`a${' '.repeat(15_000)}b`))).toBeLessThan(100)
})

it('has an icon', async () => {
  const app = await createSite(createBuild())
  for (const url of ['/favicon.svg', '/favicon.ico']) {
    expect((await app.inject(url)).headers['content-type']).toBe('image/svg+xml')
  }
})

it('says how to build a missing console, and serves it once it is built', async () => {
  const dir = join(createFolder(), 'dist')
  const app = await createSite(dir)
  for (const url of ['/', '/login']) {
    const answer = await app.inject(url)
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.body).toContain('npm run build')
  }
  expect((await app.inject('/assets/kit.js')).statusCode).toBe(404)
  expect((await app.inject('/favicon.ico')).statusCode).toBe(404)
  createBuild(dir)
  expect((await app.inject('/')).statusCode).toBe(200)
})

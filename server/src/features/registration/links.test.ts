import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createAccount, newcomer, oldPassword, register, remind } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { messageTo } from '../../testing/messages.ts'

let t: TestApp
beforeAll(async () => {
  // Forwarded headers are trusted here; even so, links do not depend on them.
  const settings = { GATEHOUSE_PUBLIC_URL: 'https://users.gatehouse.test/base/', GATEHOUSE_TRUST_PROXY: '127.0.0.1' }
  t = await startTestApp(inject('postgresUrl'), settings)
})
afterAll(() => t.close())

const publicUrl = 'https://users.gatehouse.test/base'
const spoofs: Record<string, string>[] = [
  { host: 'evil.test' },
  { host: 'evil.test:443' },
  { host: 'users.gatehouse.test.evil.test' },
  { host: 'users.gatehouse.test:80@evil.test' },
  { host: 'users.gatehouse.test#@evil.test' },
  { 'x-forwarded-host': 'evil.test' },
  { 'x-forwarded-host': 'users.gatehouse.test, evil.test' },
  { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'http', 'x-forwarded-port': '8080' },
  { 'x-forwarded-server': 'evil.test' },
  { 'x-forwarded-prefix': '//evil.test' },
  { 'x-original-host': 'evil.test', 'x-host': 'evil.test', 'x-http-host-override': 'evil.test' },
  { forwarded: 'for=127.0.0.1;host=evil.test;proto=http' },
  { 'x-original-url': 'http://evil.test/', 'x-rewrite-url': 'http://evil.test/' },
  { origin: 'http://evil.test', referer: 'http://evil.test/reset-password' },
]

describe('links are built from the configured public URL alone', () => {
  it.each(spoofs)('%j', async (headers) => {
    const { user, key } = await createAccount(t)
    const body = newcomer()
    const changed = { email: `changed.${user.email}`, current_password: oldPassword }
    expect((await remind(t, user.email, headers)).status).toBe(200)
    expect((await register(t, body, headers, '127.0.0.1')).status).toBe(201)
    expect((await t.call('PATCH /me/details/auth', { key, body: changed, headers })).status).toBe(200)
    const mails = [
      [await messageTo(t, user.email, 'reset-password'), `${publicUrl}/reset-password#token=`],
      [await messageTo(t, body.email, 'confirm-email'), `${publicUrl}/verify-email#token=`],
      [await messageTo(t, changed.email, 'confirm-email'), `${publicUrl}/verify-email#token=`],
    ] as const
    for (const [{ body_text, body_html }, link] of mails) {
      const found = `${body_text} ${body_html}`.match(/https?:\/\/[^\s"<]+/g) ?? []
      expect(found.length).toBeGreaterThan(1)
      for (const url of found) expect(url.startsWith(link), url).toBe(true)
      expect(`${body_text} ${body_html}`).not.toContain('evil')
    }
  })
})

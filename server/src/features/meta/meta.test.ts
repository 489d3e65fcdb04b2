import { describe, expect, inject, it } from 'vitest'
import { createTestApp } from '../../testing/app.ts'
import { version } from '../../version.ts'

describe('GET /meta', () => {
  it('shows everybody the version, the plugins, and what the public pages need', async () => {
    const t = await createTestApp(inject('postgresUrl'))
    expect(await t.call('GET /meta', { key: null })).toMatchObject({ status: 200 })
    expect((await t.call('GET /meta', { key: 'nonsense' })).body).toEqual({
      data: {
        version,
        plugins: ['announcements'],
        console_plugins: t.ctx.plugins.consoles,
        features: {
          registration: true,
          email_confirmation: true,
          password_reset: true,
          two_factor: true,
          passwordless: false,
        },
        terms: null,
        captcha: null,
        password_min_length: 8,
      },
    })
  })

  it('follows the settings at once', async () => {
    const t = await createTestApp(inject('postgresUrl'))
    const terms = {
      'registration.terms': true,
      'registration.terms_version': '3',
      'registration.terms_url': 'https://x/t',
    }
    const features = {
      'registration.enabled': false,
      'registration.email_confirmation': false,
      'password.min_length': 12,
    }
    const off = { 'password_reset.enabled': false, 'two_factor.enabled': false }
    await t.call('PATCH /settings', { body: { ...terms, ...features, ...off } })
    expect((await t.call('GET /meta', { key: null })).body.data).toMatchObject({
      features: { registration: false, email_confirmation: false, password_reset: false, two_factor: false },
      terms: { version: '3', url: 'https://x/t' },
      password_min_length: 12,
    })
  })

  it('has the site key of the captcha while it is asked for, and never its secret', async () => {
    const t = await createTestApp(inject('postgresUrl'), {
      GATEHOUSE_CAPTCHA_URL: 'hcaptcha://site-key:s3cret@default',
    })
    const { body, text } = await t.call('GET /meta', { key: null })
    expect(body.data.captcha).toEqual({ provider: 'hcaptcha', site_key: 'site-key' })
    expect(text).not.toContain('s3cret')
    await t.call('PATCH /settings', { body: { 'registration.captcha': false } })
    expect((await t.call('GET /meta', { key: null })).body.data.captcha).toBe(null)
  })
})

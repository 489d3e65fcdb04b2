import { freePort } from '@gatehouse/plugin-kit/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { toLoggedError } from '../../cli/logger.ts'
import { type CaptchaConfig, parseConfig } from '../../config.ts'
import { newcomer, register } from '../../testing/accounts.ts'
import { startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import { type HttpPeer, startHttpPeer } from '../../testing/http-peer.ts'
import { isCaptchaSolved } from './captcha.ts'

const urlOf = (api: string) => `turnstile://site-key:s3cret%2F@default?api=${encodeURIComponent(api)}`

let t: TestApp
let peer: HttpPeer
beforeAll(async () => {
  peer = await startHttpPeer(() => {})
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_CAPTCHA_URL: urlOf(`${peer.url}/siteverify`) })
})
beforeEach(() => {
  peer.requests.length = 0
  peer.answer = () => ({ status: 200, body: '{"success":true}' })
})
afterAll(async () => {
  await t.close()
  await peer.close()
})

const countUsers = async () => (await t.ctx.unguarded.selectFrom('users').select('id').execute()).length
const field = 'g-captcha-response'
const solved = (more: Record<string, unknown> = {}) => newcomer({ [field]: 'solved', ...more })

describe('captcha checked on the server', () => {
  it('with a provider it is on: the response goes there with the secret and the address, once', async () => {
    expect((await register(t, solved(), {}, '127.0.0.1')).status).toBe(201)
    expect(peer.requests).toHaveLength(1)
    expect(peer.requests[0]).toMatchObject({ method: 'POST', path: '/siteverify' })
    expect(peer.requests[0]?.headers['content-type']).toContain('application/x-www-form-urlencoded')
    const sent = Object.fromEntries(new URLSearchParams(peer.requests[0]?.body))
    expect(sent).toEqual({ secret: 's3cret/', response: 'solved', remoteip: '127.0.0.1' })
  })

  it('the name of a caller without an address, on the Unix socket, is not sent as one', async () => {
    await isCaptchaSolved(t.ctx.config.captcha as CaptchaConfig, 'solved', 'unix')
    expect(new URLSearchParams(peer.requests[0]?.body).has('remoteip')).toBe(false)
  })

  it('a response that the provider refuses is 422 at g-captcha-response, and no account is made', async () => {
    const before = await countUsers()
    peer.answer = () => ({ status: 200, body: '{"success":false,"error-codes":["invalid-input-response"]}' })
    const { status, body } = await register(t, solved())
    expect({ status, body }).toMatchObject({ status: 422, body: { code: 'captcha_failed' } })
    expect(Object.keys(body.errors)).toEqual([field])
    expect(await countUsers()).toBe(before)
  })

  it.each(['g-recaptcha-response', 'h-captcha-response', 'cf-turnstile-response'])(
    '%s is used instead',
    async (name) => {
      for (const missing of [{}, { [field]: null }, { [field]: ' ' }]) {
        expect((await register(t, newcomer({ ...missing, [name]: 'theirs' }))).status).toBe(201)
        expect(new URLSearchParams(peer.requests.at(-1)?.body).get('response')).toBe('theirs')
      }
      await register(t, newcomer({ [field]: 'ours', [name]: 'theirs' }))
      expect(new URLSearchParams(peer.requests.at(-1)?.body).get('response')).toBe('ours')
    },
  )

  it('if it is missing or not text, under any name, it is 422 at g-captcha-response and the provider is not asked', async () => {
    for (const name of [field, 'g-recaptcha-response', 'h-captcha-response', 'cf-turnstile-response']) {
      for (const response of [undefined, null, '', 1, true, ['solved'], { a: 1 }, 'x'.repeat(8193)]) {
        const { status, body } = await register(t, newcomer({ [name]: response }))
        expect(status, `${name} ${JSON.stringify(response)?.slice(0, 20)}`).toBe(422)
        expect(body.errors).toEqual({ [field]: [expect.any(String)] })
      }
    }
    expect(peer.requests).toHaveLength(0)
  })

  it('a body of the wrong shape does not use the response up', async () => {
    for (const more of [{ email: 'no address' }, { password: 'short' }, { username: '' }, { tos: 2 }]) {
      expect((await register(t, solved(more))).status).toBe(422)
    }
    expect(peer.requests).toHaveLength(0)
  })

  it('a missing response is reported together with shape errors, and with nothing else', async () => {
    const { body } = await register(t, { username: 'admin', email: 'admin@example.com', password: 'password1' })
    expect(Object.keys(body.errors).sort()).toEqual([field, 'password_confirmation'])
  })

  const responses: Record<string, [captcha: Record<string, unknown>, answer: HttpPeer['answer'], status: number]> = {
    missing: [{}, () => null, 422],
    'no text': [{ [field]: 1 }, () => null, 422],
    garbage: [{ [field]: 'garbage' }, () => ({ status: 200, body: '{"success":false}' }), 422],
    'sent while the provider is down': [{ [field]: 'solved' }, () => ({ status: 500, body: '' }), 503],
  }
  it.each(Object.entries(responses))(
    'is checked before anything else: with one that is %s, nobody learns who has an account',
    async (_, [captcha, answer, status]) => {
      peer.answer = answer
      const { body: taken } = await t.call('POST /users', { body: { ...newcomer(), role_id: 2 } })
      const { username, email } = taken.data
      const same = (password: string) => ({ password, password_confirmation: password })
      const tries = [
        ...[{}, { username }, { email }, { username, email }],
        ...[same('password1'), { username: 'somebody new', ...same('somebody new') }],
      ]
      const answers: unknown[] = []
      for (const names of tries) {
        const given = await register(t, newcomer({ ...captcha, ...names }))
        answers.push({ status: given.status, text: given.text })
      }
      expect(answers).toEqual(answers.map(() => ({ status, text: (answers[0] as { text: string }).text })))
    },
  )

  it('once it is valid, every other failing field is named at once', async () => {
    const names = { username: 'admin', email: 'admin@example.com' }
    const { body } = await register(t, solved({ ...names, password: 'password1', password_confirmation: 'password2' }))
    expect(Object.keys(body.errors).sort()).toEqual(['email', 'password', 'password_confirmation', 'username'])
    expect(peer.requests).toHaveLength(1)
  })

  it('switched off, none is required', async () => {
    await t.call('PATCH /settings', { body: { 'registration.captcha': false } })
    expect((await register(t, newcomer())).status).toBe(201)
    expect(peer.requests).toHaveLength(0)
    await t.call('PATCH /settings', { body: { 'registration.captcha': true } })
  })
})

// asvs: 16.5.3
describe('provider down fails closed', () => {
  /** What the log says of why. */
  const loggedCause = async (api: string): Promise<unknown> => {
    const config = parseConfig({ GATEHOUSE_CAPTCHA_URL: urlOf(api) }).captcha as CaptchaConfig
    const error = await isCaptchaSolved(config, 'solved', null).catch((failure) => failure)
    return (toLoggedError(error) as { cause?: unknown }).cause
  }

  const broken: Record<string, HttpPeer['answer']> = {
    'answers 500': () => ({ status: 500, body: '{"success":true}' }),
    'answers 404': () => ({ status: 404, body: '{"success":true}' }),
    'answers no JSON': () => ({ status: 200, body: '<html>success: true</html>' }),
    'answers nothing': () => ({ status: 200, body: '' }),
    'answers null': () => ({ status: 200, body: 'null' }),
    'answers a word': () => ({ status: 200, body: '"success"' }),
    'answers success as text': () => ({ status: 200, body: '{"success":"true"}' }),
    'answers success as a number': () => ({ status: 200, body: '{"success":1}' }),
    'answers another object': () => ({ status: 200, body: '{"ok":true}' }),
    redirects: () => ({ status: 302, headers: { location: '/yes' } }),
    'never answers': () => null,
  }

  it.each([
    ...['missing-input-secret', 'invalid-input-secret', 'sitekey-secret-mismatch', 'invalid-keys'],
    ...['not-using-dummy-passcode', 'bad-request', 'internal-error'],
  ])('503 where the provider says %s, which no visitor can help, and the log has it', async (code) => {
    const errors = ['invalid-input-response', code]
    peer.answer = () => ({ status: 200, body: JSON.stringify({ success: false, 'error-codes': errors }) })
    expect((await register(t, solved())).body).toMatchObject({ code: 'captcha_unavailable' })
    const { host } = new URL(peer.url)
    expect(await loggedCause(`${peer.url}/siteverify`)).toBe(`turnstile at ${host}: it answered ${code}`)
  })

  it.each(['invalid-input-response', 'timeout-or-duplicate', 'expired-input-response', 'already-seen-response'])(
    'but 422 where it says %s',
    async (code) => {
      peer.answer = () => ({ status: 200, body: JSON.stringify({ success: false, 'error-codes': [code] }) })
      expect((await register(t, solved())).body).toMatchObject({ code: 'captcha_failed' })
    },
  )

  it('the log has the reason of an outage, without the secret', async () => {
    const { host } = new URL(peer.url)
    const port = await freePort()
    const nobody = await loggedCause(`http://127.0.0.1:${port}/`)
    expect(nobody).toBe(`turnstile at 127.0.0.1:${port}: fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`)
    expect(await loggedCause('http://captcha.invalid/')).toMatch(/^turnstile at captcha\.invalid: .*captcha\.invalid/)
    const reasons = {
      'answers 500': 'its status is 500',
      redirects: 'fetch failed: unexpected redirect',
      'answers no JSON': 'its answer is not valid',
      'answers another object': 'its answer is not valid',
    }
    for (const [how, reason] of Object.entries(reasons)) {
      peer.answer = broken[how] as HttpPeer['answer']
      expect(await loggedCause(`${peer.url}/?secret=s3cret`)).toBe(`turnstile at ${host}: ${reason}`)
    }
  })

  it('503 with Retry-After, and no account, when it breaks in any way', async () => {
    const before = await countUsers()
    for (const [how, answer] of Object.entries(broken)) {
      peer.answer = (request) => (request.path === '/yes' ? { status: 200, body: '{"success":true}' } : answer(request))
      const { status, body, headers } = await register(t, solved())
      expect({ status, code: body.code }, how).toEqual({ status: 503, code: 'captcha_unavailable' })
      expect(Number(headers['retry-after']), how).toBeGreaterThan(0)
      expect(body.message).not.toMatch(/127\.0\.0\.1|s3cret|fetch/)
    }
    expect(await countUsers()).toBe(before)
    peer.answer = () => ({ status: 200, body: '{"success":true}' })
    expect((await register(t, solved())).status).toBe(201)
  })

  it('503 when nothing listens there', async () => {
    const port = await freePort()
    const settings = { GATEHOUSE_CAPTCHA_URL: urlOf(`http://127.0.0.1:${port}/siteverify`) }
    const other = await startNode(t, settings)
    const before = await countUsers()
    expect((await register(other, solved())).status).toBe(503)
    expect(await countUsers()).toBe(before)
  })

  it('503 when captcha is on and the configuration has lost its provider', async () => {
    // Stored while it was configured, then switched off and on again.
    for (const on of [false, true]) await t.call('PATCH /settings', { body: { 'registration.captcha': on } })
    const without = await startNode(t)
    const before = await countUsers()
    expect((await register(without, solved())).status).toBe(503)
    expect(await countUsers()).toBe(before)
  })
})

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { systemActor } from '../core/context.ts'
import type { Outgoing } from '../outbox/message.ts'
import { createTestApp, type TestApp } from '../testing/app.ts'
import { type HttpPeer, startHttpPeer } from '../testing/http-peer.ts'
import { messagesTo } from '../testing/messages.ts'
import { gatewayTransport, secretFile } from './gateway.ts'

const to = '+4930123456'
const secret = `whsec_${Buffer.from('a secret of thirty-two bytes 123').toString('base64')}`

/** What all messages here have in common. */
const sms = {
  kind: 'sms',
  template: 'two-factor',
  userId: null,
  recipient: to,
  subject: null,
  html: null,
} as const

const sendCode = (t: TestApp) =>
  t.ctx.transaction(systemActor, (tx) =>
    tx.outbox.enqueue({
      ...sms,
      text: '123456 is your code.',
      secret: true,
      retryForMs: 5 * 60_000,
    }),
  )

async function startWithTwilio(): Promise<{ t: TestApp; peer: HttpPeer }> {
  const peer = await startHttpPeer()
  const url = `twilio://AC123:t0ken%2Fof%20mine@default?from=%2B15550100&api=${encodeURIComponent(peer.url)}`
  return { peer, t: await createTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_URL: url }) }
}

const startWithGateway = (url: string) => createTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_URL: url })

describe('Twilio', () => {
  it('gets the number and the text as a form, signed in as the account', async () => {
    const { t, peer } = await startWithTwilio()
    await sendCode(t)
    const [row] = await messagesTo(t, to)
    const [request] = peer.requests
    expect(peer.requests).toHaveLength(1)
    expect(request).toMatchObject({ method: 'POST', path: '/2010-04-01/Accounts/AC123/Messages.json' })
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(Buffer.from(String(request?.headers.authorization).slice(6), 'base64').toString()).toBe(
      'AC123:t0ken/of mine',
    )
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      To: to,
      From: '+15550100',
      Body: '123456 is your code.',
    })
    expect(row).toMatchObject({ status: 'sent', body_text: null, last_error: null })
  })

  it('that refuses is quoted, without the code and the credentials that it repeats', async () => {
    const { t, peer } = await startWithTwilio()
    peer.answer = ({ headers }) => {
      const message = `The 'To' number is not valid: 123456 t0ken/of mine ${headers.authorization}`
      return { status: 400, body: JSON.stringify({ code: 21211, message, more_info: '', status: 400 }) }
    }
    await sendCode(t)
    const [row] = await messagesTo(t, to)
    expect(row?.last_error).toBe("Twilio answered 400: The 'To' number is not valid: … … Basic … (code 21211)")
    expect(row).toMatchObject({ status: 'queued', attempts: 1 })
  })

  it.each([
    ['nothing that it says is JSON', { status: 502, body: '<html>' }, 'Twilio answered 502.'],
    [
      'it is a redirect, which is not followed',
      { status: 307, headers: { location: '/elsewhere' } },
      'Twilio answered 307.',
    ],
  ])('is tried again where %s', async (_name, answer, reason) => {
    const { t, peer } = await startWithTwilio()
    peer.answer = () => answer
    await sendCode(t)
    const [row] = await messagesTo(t, to)
    expect(row).toMatchObject({ status: 'queued', last_error: reason })
    expect(peer.requests).toHaveLength(1)
    peer.answer = () => ({ status: 201, body: '{}' })
    t.clock.advance({ seconds: 5 })
    expect((await messagesTo(t, to))[0]).toMatchObject({ status: 'sent', attempts: 2 })
  })

  it('has accepted what it answers with 2xx, though the rest of its answer cannot be read', async () => {
    const { t, peer } = await startWithTwilio()
    peer.answer = () => ({ status: 201, body: 'plain', headers: { 'content-encoding': 'gzip' } })
    await sendCode(t)
    expect((await messagesTo(t, to))[0]).toMatchObject({ status: 'sent', attempts: 1 })
  })

  it('that never answers is given up within 8 seconds', async () => {
    const { t, peer } = await startWithTwilio()
    peer.answer = () => null
    await sendCode(t)
    const start = performance.now()
    const [row] = await messagesTo(t, to)
    expect(performance.now() - start).toBeLessThan(10_000)
    expect(row).toMatchObject({ status: 'queued', last_error: 'The server did not answer in time.' })
  })

  it('that is away is named by what went wrong', async () => {
    const { t, peer } = await startWithTwilio()
    await peer.close()
    await sendCode(t)
    expect((await messagesTo(t, to))[0]).toMatchObject({ status: 'queued', last_error: 'ECONNREFUSED' })
  })
})

describe('an SMS that holds a code', () => {
  it('is tried while the code lives, then it failed and its text is erased', async () => {
    const { t, peer } = await startWithTwilio()
    peer.answer = () => ({ status: 503 })
    await sendCode(t)
    for (let second = 0; second <= 360; second += 5) {
      await t.ctx.outbox.deliverDue()
      t.clock.advance({ seconds: 5 })
    }
    expect((await messagesTo(t, to))[0]).toMatchObject({ status: 'failed', body_text: null, attempts: 6 })
    expect(peer.requests).toHaveLength(6)
  })

  it('is not sent at all when nobody was there to send it while the code lived', async () => {
    const { t, peer } = await startWithTwilio()
    await sendCode(t)
    t.clock.advance({ minutes: 6 })
    expect((await messagesTo(t, to))[0]).toMatchObject({ status: 'failed', body_text: null })
    expect(peer.requests).toHaveLength(0)
  })
})

const message: Outgoing = {
  ...sms,
  text: 'Hello',
  secret: false,
  messageId: '<one@gatehouse.test>',
}

describe('a gateway of one’s own', () => {
  // asvs: 11.4.3
  it('gets a POST that Standard Webhooks verifies, with the secret of the URL', async () => {
    const peer = await startHttpPeer()
    const t = await startWithGateway(`http://any:${encodeURIComponent(secret)}@127.0.0.1:${new URL(peer.url).port}/sms`)
    await sendCode(t)
    const [row] = await messagesTo(t, to)
    const [request] = peer.requests
    expect(row).toMatchObject({ status: 'sent', body_text: null })
    expect(request).toMatchObject({ method: 'POST', path: '/sms' })
    expect(request?.headers.authorization).toBeUndefined()
    const headers = request?.headers as Record<string, string>
    const id = row?.message_id.slice(1, 37)
    expect(new Webhook(secret).verify(request?.body ?? '', headers)).toEqual({ to, text: '123456 is your code.', id })
    expect(headers['webhook-id']).toBe(id)
    expect(() => new Webhook(secret).verify(`${request?.body} `, headers)).toThrow('No matching signature')
  })

  it('gets the same id at every try, so that it can leave out duplicates', async () => {
    const peer = await startHttpPeer()
    const t = await startWithGateway(`${peer.url.replace('//', `//any:${encodeURIComponent(secret)}@`)}/`)
    peer.answer = ({ headers }) => ({ status: 500, body: `${secret} ${headers['webhook-signature']}` })
    await sendCode(t)
    await t.ctx.outbox.deliverDue()
    t.clock.advance({ seconds: 5 })
    peer.answer = () => ({ status: 204 })
    const [row] = await messagesTo(t, to)
    expect(row).toMatchObject({ status: 'sent', attempts: 2 })
    const ids = peer.requests.map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body).id])
    expect(new Set(ids.flat()).size).toBe(1)
  })

  it('has a secret that is made once, where the URL has none, and that only the owner can read', async () => {
    const peer = await startHttpPeer()
    const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-gateway-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true }))
    const nodes = [1, 2, 3].map(() => gatewayTransport({ url: peer.url, secret: null, dataDir }))
    await Promise.all(nodes.map((node) => node.send(message)))
    const made = readFileSync(secretFile(dataDir), 'utf8').trim()
    expect(made).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(statSync(secretFile(dataDir)).mode & 0o777).toBe(0o600)
    for (const { body, headers } of peer.requests) {
      expect(new Webhook(made).verify(body, headers as Record<string, string>)).toMatchObject({ to })
    }
  })

  // asvs: 13.2.4, 15.3.2
  it('is not redirected: the code is meant for it alone', async () => {
    const elsewhere = await startHttpPeer()
    const peer = await startHttpPeer()
    const t = await startWithGateway(`${peer.url.replace('//', `//any:${encodeURIComponent(secret)}@`)}/`)
    peer.answer = () => ({ status: 308, headers: { location: elsewhere.url } })
    await sendCode(t)
    expect((await messagesTo(t, to))[0]).toMatchObject({ status: 'queued', last_error: 'The server answered 308.' })
    expect(elsewhere.requests).toHaveLength(0)
  })

  it('with a secret in its file that is no base64 is said so, and the secret is not', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-gateway-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true }))
    writeFileSync(secretFile(dataDir), 'whsec_**not**')
    const { send } = gatewayTransport({ url: 'http://127.0.0.1:9/', secret: null, dataDir })
    await expect(send(message)).rejects.toThrow('The secret of the SMS gateway is not whsec_ followed by base64.')
  })
})

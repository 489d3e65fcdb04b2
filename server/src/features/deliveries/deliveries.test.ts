import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { systemActor } from '../../core/context.ts'
import { sendMail } from '../../mails/send-mail.ts'
import { createTestApp, startTestApp, type TestApp } from '../../testing/app.ts'
import { startSmtpPeer } from '../../testing/smtp-peer.ts'
import { addDelivery, type DeliveryFields } from './deliveries-test-steps.ts'

const link = 'http://gatehouse.test/reset-password#token=abcdefghijklmnopqrstuvwxyz'

let t: TestApp
let viewer: string
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  const role_id = await t.createRole('postmaster', ['deliveries.view'])
  viewer = (await t.createUser({ role_id })).key
})
afterAll(() => t.close())

const createDelivery = (fields?: DeliveryFields) => addDelivery(t, fields)

const idsOf = async (query: string): Promise<number[]> => {
  const { status, body } = await t.call(`GET /deliveries?${query}`, { key: viewer })
  expect(status).toBe(200)
  return body.data.map(({ id }: { id: number }) => id)
}

describe('GET /deliveries', () => {
  it('lists messages, newest first, and needs deliveries.view', async () => {
    const [first, second] = [await createDelivery(), await createDelivery()]
    const ids = await idsOf('per_page=2')
    expect(ids).toEqual([second, first])
    const { key } = await t.createUser()
    expect((await t.call('GET /deliveries', { key })).status).toBe(403)
    expect((await t.call('GET /deliveries', { key: null })).status).toBe(401)
  })

  it('filters by kind, status, recipient, template and time, in any combination', async () => {
    const moment = '2027-03-01 10:00:00'
    const id = await createDelivery({
      kind: 'sms',
      status: 'failed',
      template: 'two-factor',
      subject: null,
      body_html: null,
      recipient: 'Ada@Example.com',
      created_at: moment,
    })
    const other = await createDelivery()
    for (const filter of [
      ...['filter[kind]=sms', 'filter[kind]=SMS', 'filter[status]=failed', 'filter[status]=failed,queued'],
      ...['filter[recipient]=ada@EXAMPLE.com', 'filter[template]=two-factor', 'filter[from]=2027-03-01'],
      ...['filter[to]=2027-03-01&filter[kind]=sms', `filter[from]=${moment}&filter[to]=${moment}`],
    ]) {
      const ids = await idsOf(filter.replaceAll(' ', '%20'))
      expect(ids, filter).toContain(id)
      expect(ids, filter).not.toContain(other)
    }
    expect(await idsOf('filter[recipient]=ada@example')).toEqual([])
    expect(await idsOf('filter[to]=2020-01-01')).toEqual([])
    expect((await t.call('GET /deliveries?filter[body_text]=x')).status).toBe(400)
    expect((await t.call('GET /deliveries?sort=body_text')).status).toBe(400)
    expect((await t.call('GET /deliveries?filter[from]=yesterday')).status).toBe(422)
  })

  it.each([
    ['a queued secret', { status: 'queued', secret: 1 }, null],
    ['a secret on its way', { status: 'sending', secret: 1 }, null],
    ['a captured secret', { status: 'captured', secret: 1 }, null],
    ['other mail that was sent', { status: 'sent', secret: 0 }, link],
  ] as const)('shows the text of %s accordingly, alone and in the list', async (_name, fields, shown) => {
    const id = await createDelivery({ ...fields, body_text: link, body_html: link, give_up_ms: 1, due_ms: 1e15 })
    const one = await t.call(`GET /deliveries/${id}`, { key: viewer })
    const list = await t.call('GET /deliveries?per_page=1', { key: viewer })
    for (const data of [one.body.data, list.body.data[0]]) {
      expect(data).toMatchObject({ id, body_text: shown, body_html: shown })
    }
    if (shown === null) expect(one.text + list.text).not.toContain('abcdefgh')
    await t.ctx.unguarded.deleteFrom('deliveries').where('id', '=', id).execute()
  })
})

describe('GET /deliveries/{id}', () => {
  it('answers the message with its tries; 404, 401 and 403 as everywhere', async () => {
    const due_ms = t.clock.now().getTime() + 5_000
    const id = await createDelivery({
      status: 'queued',
      attempts: 3,
      last_error: 'not now',
      due_ms,
      recipient: 'Q@x.org',
    })
    const { body } = await t.call(`GET /deliveries/${id}`, { key: viewer })
    expect(body.data).toEqual({
      id,
      kind: 'mail',
      template: 'test',
      status: 'queued',
      user_id: null,
      recipient: 'Q@x.org',
      subject: 'Hello',
      body_text: 'Hello',
      body_html: '<p>Hello</p>',
      message_id: '<Q@x.org>',
      attempts: 3,
      last_error: 'not now',
      next_try_at: '2026-01-15 12:00:05',
      created_at: '2026-01-15 12:00:00',
      updated_at: '2026-01-15 12:00:00',
      sent_at: null,
    })
    const { key } = await t.createUser()
    for (const request of ['GET /deliveries/987654', 'POST /deliveries/987654/retry', 'GET /deliveries/01']) {
      expect((await t.call(request, { key: viewer })).status).toBe(404)
    }
    for (const request of [`GET /deliveries/${id}`, `POST /deliveries/${id}/retry`]) {
      expect((await t.call(request, { key })).status).toBe(403)
      expect((await t.call(request, { key: null })).status).toBe(401)
    }
    await t.ctx.unguarded.deleteFrom('deliveries').where('id', '=', id).execute()
  })
})

describe('GET /deliveries/{id}/preview', () => {
  it('shows the HTML as a page that can do nothing and may be framed by our own', async () => {
    const id = await createDelivery({ body_html: '<p>Hello</p><script>alert(1)</script>' })
    const { status, headers, text } = await t.call(`GET /deliveries/${id}/preview`, { key: viewer })
    expect([status, text]).toEqual([200, '<p>Hello</p><script>alert(1)</script>'])
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(headers).not.toHaveProperty('x-frame-options')
  })

  // asvs: 1.2.1, 3.2.2
  it('shows a mail without HTML as text, in which nothing is markup', async () => {
    const id = await createDelivery({ subject: '</title>', body_html: null, body_text: 'a < b\n</pre><img src=x>' })
    const { text } = await t.call(`GET /deliveries/${id}/preview`, { key: viewer })
    expect(text).toContain('a &lt; b\n&lt;/pre&gt;&lt;img src=x&gt;</pre>')
    expect(text).toContain('<title>&lt;/title&gt;</title>')
  })

  it.each([
    ['an SMS', { kind: 'sms', subject: null, body_html: null }],
    ['a mail whose text is erased', { secret: 1, body_text: null, body_html: null }],
    ['a secret that waits', { secret: 1, status: 'queued', due_ms: 4e12 }],
  ] as const)('is 404 for %s', async (_name, fields) => {
    const id = await createDelivery(fields)
    expect((await t.call(`GET /deliveries/${id}/preview`, { key: viewer })).status).toBe(404)
    await t.ctx.unguarded.deleteFrom('deliveries').where('id', '=', id).execute()
  })

  it('needs deliveries.view; 404 where there is no such message', async () => {
    const id = await createDelivery()
    const { key } = await t.createUser()
    expect((await t.call(`GET /deliveries/${id}/preview`, { key })).status).toBe(403)
    expect((await t.call(`GET /deliveries/${id}/preview`, { key: null })).status).toBe(401)
    expect((await t.call('GET /deliveries/987654/preview', { key: viewer })).status).toBe(404)
  })
})

describe('POST /deliveries/{id}/retry', () => {
  it('sends a message that failed at once, with the Message-ID of before, and writes down who wanted it', async () => {
    const peer = await startSmtpPeer()
    const own = await createTestApp(inject('postgresUrl'), { GATEHOUSE_MAIL_URL: peer.url })
    await own.ctx.transaction(systemActor, (tx) =>
      sendMail(tx, { template: 'test', to: 'ada@example.com', userId: null, data: { at: 'now' } }),
    )
    peer.behave({ refuse: 'no' })
    for (let hour = 0; hour < 60; hour++) {
      await own.ctx.outbox.deliverDue()
      own.clock.advance({ hours: 1 })
    }
    const { body: before } = await own.call('GET /deliveries/1')
    expect(before.data).toMatchObject({ status: 'failed', body_text: expect.stringContaining('a test'), sent_at: null })
    const { status, body } = await own.call('POST /deliveries/1/retry')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id: 1, status: 'queued' })
    // Refused again, it waits for its next try: two more days are there for it.
    await own.ctx.outbox.deliverDue()
    expect((await own.call('GET /deliveries/1')).body.data.status).toBe('queued')
    peer.behave('accept')
    expect((await own.call('POST /deliveries/1/retry')).status).toBe(200)
    await own.ctx.outbox.deliverDue()
    expect((await own.call('GET /deliveries/1')).body.data).toMatchObject({ status: 'sent', last_error: null })
    expect(peer.mails.map(({ parsed }) => parsed.messageId)).toEqual([before.data.message_id])
    const { body: log } = await own.call('GET /activity?filter[event]=delivery.retried')
    expect(log.data).toHaveLength(2)
    expect(log.data[0]).toMatchObject({ subject_type: 'delivery', subject_id: 1, actor_id: 1 })
  })

  it.each([
    ['sent', 'delivery_not_waiting', { status: 'sent' }],
    ['captured', 'delivery_not_waiting', { status: 'captured' }],
    ['on its way', 'delivery_not_waiting', { status: 'sending', due_ms: 1e15 }],
    ['failed and has no text any more', 'delivery_body_erased', { status: 'failed', secret: 1, body_text: null }],
  ] as const)('refuses a message that is %s', async (_name, code, fields) => {
    const id = await createDelivery(fields)
    const { status, body } = await t.call(`POST /deliveries/${id}/retry`, { key: viewer })
    expect(status).toBe(422)
    expect(body).toEqual({ message: expect.any(String), code })
    const { body: log } = await t.call(`GET /activity?filter[event]=delivery.retried&filter[subject_id]=${id}`)
    expect(log.data).toEqual([])
  })
})

import { getEventListeners, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Webhook as Signer } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { sequenceAll } from '../../server/src/features/activity/sequencer.ts'
import { startTestApp, type TestApp } from '../../server/src/testing/app.ts'
import { type HttpPeer, startHttpPeer } from '../../server/src/testing/http-peer.ts'
import { createWebhook, deliverWebhooks, loopbackNetworks } from '../../server/src/testing/webhooks.ts'
import { type Client, createClient, FeedError, verifyWebhook, WebhookVerificationError } from './index.ts'

let t: TestApp
let client: Client
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), loopbackNetworks)
  const baseUrl = `${await t.app.listen({ port: 0, host: '127.0.0.1' })}/api`
  client = createClient({ baseUrl, apiKey: t.adminKey })
})
afterAll(() => t.close())

const newRole = (name: string) => t.call('POST /roles', { body: { name } })

describe('verifyWebhook', () => {
  const requestOf = ({ requests }: HttpPeer, body = requests[0]?.body ?? ''): Request =>
    new Request('http://receiver.test/', {
      method: 'POST',
      headers: requests[0]?.headers as Record<string, string>,
      body,
    })

  it('returns the event of a message from Gatehouse, and refuses one that was changed or is for another secret', async () => {
    const peer = await startHttpPeer()
    const { secret } = await createWebhook(t, peer.url, ['role.created'])
    const { body } = await newRole('Verified')
    await deliverWebhooks(t)
    expect(await verifyWebhook(requestOf(peer), secret)).toMatchObject({
      type: 'role.created',
      data: { subject: { type: 'role', id: body.data.id } },
    })
    await expect(verifyWebhook(requestOf(peer, '{}'), secret)).rejects.toThrow(WebhookVerificationError)
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
    await expect(verifyWebhook(requestOf(peer), other)).rejects.toThrow('No signature')
    await expect(verifyWebhook(new Request('http://receiver.test/'), secret)).rejects.toThrow('missing')
    for (const noSecret of [undefined, '', 'whsec_', 'whsec_***'])
      await expect(verifyWebhook(requestOf(peer), noSecret as string)).rejects.toThrow('whsec_ followed by base64')
  })

  it('takes the headers and the body of a server that has no Request, such as that of Node', async () => {
    const answers: unknown[] = []
    let secret = ''
    const server = createServer(async (request, response) => {
      const { headers } = request
      const body = await buffer(request)
      const bodies = [body, body.toString(), `${body} `, JSON.parse(body.toString())]
      for (const each of bodies)
        answers.push(await verifyWebhook({ headers, body: each }, secret).catch((error) => error))
      const capitals = { ...headers, 'Webhook-Id': headers['webhook-id'], 'webhook-id': undefined }
      answers.push(await verifyWebhook({ headers: capitals, body }, secret))
      answers.push(await verifyWebhook({ headers: {}, body }, secret).catch((error) => error))
      response.writeHead(204).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    secret = (await createWebhook(t, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, ['role.created']))
      .secret
    await newRole('Received by Node')
    await deliverWebhooks(t)
    server.close()
    const event = expect.objectContaining({ type: 'role.created' })
    const refused = expect.any(WebhookVerificationError)
    expect(answers).toEqual([event, event, refused, expect.any(TypeError), event, refused])
  })

  it.each([
    [-301, false],
    [-290, true],
    [290, true],
    [301, false],
  ])('takes a message that was signed %i s from now: %s', async (seconds, isTaken) => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const at = new Date(Date.now() + seconds * 1_000)
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Signer(secret).sign('msg_1', at, '{}'),
    }
    const request = new Request('http://receiver.test/', { method: 'POST', headers, body: '{}' })
    const verified = verifyWebhook(request, secret)
    if (isTaken) expect(await verified).toEqual({})
    else await expect(verified).rejects.toThrow('timestamp')
  })
})

describe('events', () => {
  it('gives what is there and what comes, and goes on from a cursor', async () => {
    await newRole('First')
    await sequenceAll(t.ctx)
    const seen: string[] = []
    let last = ''
    for await (const { event, cursor } of client.events({ types: ['role.*'] })) {
      seen.push(event.type)
      last = cursor
      if (seen.length === 2) {
        await newRole('While reading')
        await sequenceAll(t.ctx)
      }
      if (seen.length === 3) break
    }
    expect(seen).toEqual(Array(3).fill('role.created'))
    await newRole('After the break')
    await sequenceAll(t.ctx)
    for await (const { event } of client.events({ after: last, types: ['role.*'] })) {
      expect(event.timestamp).toBe('2026-01-15T12:00:00Z')
      break
    }
  })

  it('goes on after each event, also from the middle of what was read at once', async () => {
    for (const name of ['One', 'Two', 'Three']) await newRole(`Cursor ${name}`)
    await sequenceAll(t.ctx)
    const ids: number[] = []
    let after: string | undefined
    for (let nth = 0; nth < 5; nth++) {
      for await (const { event, cursor } of client.events({ after })) {
        ids.push(event.data.id)
        after = cursor
        break
      }
    }
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other))
    expect(ids).toHaveLength(5)
  })

  it('rejects where the cursor is wrong, and ends with its signal', async () => {
    const refused = await client
      .events({ after: 'wrong' })
      .next()
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(FeedError)
    expect(refused).toMatchObject({ name: 'FeedError', status: 400, code: 'invalid_cursor' })
    const stop = new AbortController()
    const next = client.events({ types: ['role.deleted'], signal: stop.signal }).next()
    stop.abort()
    expect(await next).toEqual({ done: true, value: undefined })
  })

  it.each([
    ['text/html', '<!doctype html>'],
    ['application/json', '{"name":"another service"}'],
    ['application/json', ''],
  ])('rejects where something else than the feed answers: %s', async (type, body) => {
    const fetch = async () => new Response(body, { headers: { 'content-type': type } })
    const elsewhere = createClient({ baseUrl: 'http://gatehouse.test', fetch })
    await expect(elsewhere.events().next()).rejects.toMatchObject({
      status: 200,
      code: 'unreadable_answer',
      message: 'What answers is not a feed of events: is the base URL right?',
    })
  })

  it('rejects where something else than Gatehouse refuses, also without a word', async () => {
    const fetch = async () => new Response(null, { status: 404 })
    const elsewhere = createClient({ baseUrl: 'http://gatehouse.test', fetch })
    await expect(elsewhere.events().next()).rejects.toMatchObject({ status: 404, code: 'unreadable_answer' })
  })

  it.each([
    [{ baseUrl: '/api' }, 'Failed to parse URL'],
    [{ baseUrl: 'http://me:secret@gatehouse.test/api' }, 'includes credentials'],
    [{ baseUrl: 'http://gatehouse.test/api', apiKey: 'gh_two\nlines' }, 'invalid header value'],
  ])('rejects where no request can be made, instead of trying again: %j', async (options, message) => {
    const feed = createClient(options).events({ signal: AbortSignal.timeout(1_000) })
    await expect(feed.next()).rejects.toThrow(message)
  })

  it('leaves nothing on its signal, however many requests it sends', async () => {
    const stop = new AbortController()
    const page = { data: [{ type: 'role.created' }], meta: { next_cursor: 'next', cursors: ['next'] } }
    const fed = createClient({ baseUrl: 'http://gatehouse.test/api', fetch: async () => Response.json(page) })
    let count = 0
    for await (const _event of fed.events({ signal: stop.signal })) if (++count === 20) break
    expect(getEventListeners(stop.signal, 'abort')).toEqual([])
  })

  /** A client whose requests are answered 503 with this `Retry-After`. */
  const refused = (retryAfter: string, onRequest: () => void) =>
    createClient({
      baseUrl: 'http://gatehouse.test/api',
      fetch: async () => {
        onRequest()
        return new Response('', { status: 503, headers: { 'retry-after': retryAfter } })
      },
    })

  it('ends at once where its signal comes while a request fails', async () => {
    const stop = new AbortController()
    const feed = refused('30', () => stop.abort()).events({ signal: stop.signal })
    const begun = performance.now()
    expect(await feed.next()).toEqual({ done: true, value: undefined })
    expect(performance.now() - begun).toBeLessThan(5_000)
  })

  it('waits longer from failure to failure, also where Retry-After is a date', async () => {
    const stop = new AbortController()
    const at: number[] = []
    const feed = refused('Wed, 21 Oct 2026 07:28:00 GMT', () => {
      at.push(performance.now())
      if (at.length === 3) stop.abort()
    }).events({ signal: stop.signal })
    await feed.next()
    const [first = 0, second = 0, third = 0] = at
    expect(second - first).toBeGreaterThan(450)
    expect(third - second).toBeGreaterThan(900)
  })
})

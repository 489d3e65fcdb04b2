import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createHolder } from '../../testing/actors.ts'
import { createTestApp, startTestApp, type TestApp } from '../../testing/app.ts'
import { startHttpPeer } from '../../testing/http-peer.ts'
import { createWebhook, deliverWebhooks, loopbackNetworks } from '../../testing/webhooks.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const url = 'https://example.com/hook'

describe('a webhook', () => {
  it('is created, read, listed, changed and deleted; the secret is shown once', async () => {
    const { status, body } = await t.call('POST /webhooks', {
      body: { url, events: ['user.*', 'announcement.created'] },
    })
    const { secret, ...shown } = body.data
    expect(status).toBe(201)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(shown).toEqual({
      id: expect.any(Number),
      url,
      events: ['user.*', 'announcement.created'],
      description: null,
      enabled: true,
      disabled_reason: null,
      failing_since: null,
      created_at: '2026-01-15 12:00:00',
      updated_at: '2026-01-15 12:00:00',
    })
    const path = `/webhooks/${shown.id}`
    expect((await t.call(`GET ${path}`)).body.data).toEqual(shown)
    expect((await t.call('GET /webhooks?sort=-id')).body.data).toContainEqual(shown)
    const changed = await t.call(`PATCH ${path}`, { body: { enabled: 'false', events: ['*'], description: 'CRM' } })
    expect(changed.body.data).toEqual({
      ...shown,
      events: ['*'],
      description: 'CRM',
      enabled: false,
      disabled_reason: 'administrator',
    })
    expect((await t.call(`DELETE ${path}`)).body).toEqual({ success: true })
    expect((await t.call(`GET ${path}`)).status).toBe(404)
    const { body: log } = await t.call('GET /activity?filter[subject_type]=webhook&sort=id')
    expect(log.data.map(({ event }: { event: string }) => event)).toEqual([
      ...['webhook.created', 'webhook.updated', 'webhook.deleted'],
    ])
  })

  // asvs: 11.5.1
  it('has a secret that is encrypted at rest', async () => {
    const { secret } = await createWebhook(t, url)
    const stored = JSON.stringify(await t.ctx.db.selectFrom('webhooks').selectAll().execute())
    expect(stored).toContain('v1.')
    expect(stored).not.toContain(secret)
    expect(stored).not.toContain(secret.slice('whsec_'.length))
  })

  it.each([
    ['url', { url: 'http://example.com/hook', events: ['*'] }],
    ['url', { url: 'ftp://example.com/hook', events: ['*'] }],
    ['url', { url: 'https://user:pass@example.com/', events: ['*'] }],
    ['url', { url: 'https://127.0.0.1/', events: ['*'] }],
    ['url', { url: 'https://0x7f.1/', events: ['*'] }],
    ['url', { url: 'https://[::ffff:127.0.0.1]/', events: ['*'] }],
    ['url', { url: 'https://169.254.169.254/latest/meta-data', events: ['*'] }],
    ['url', { url: 'https://10.0.0.1/', events: ['*'] }],
    ['url', { url: 'https://localhost/', events: ['*'] }],
    ['url', { url: 'https://intranet/', events: ['*'] }],
    ['url', { events: ['*'] }],
    ['events', { url }],
    ['events', { url, events: [] }],
    ['events', { url, events: ['user.nothing'] }],
    ['events', { url, events: ['nothing.*'] }],
    ['events', { url, events: ['user*'] }],
    ['events', { url, events: 'user.*' }],
    ['enabled', { url, events: ['*'], enabled: 'perhaps' }],
  ])('is 422 at %s with %j', async (field, body) => {
    const answer = await t.call('POST /webhooks', { body })
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]])
  })

  it('says that its URL may hold no credentials', async () => {
    const { body } = await t.call('POST /webhooks', { body: { url: 'https://user:pass@example.com/', events: ['*'] } })
    expect(body.errors.url).toEqual(['The url field must be an http or https address without credentials.'])
  })

  it('needs webhooks.manage, which shows users with that alone', async () => {
    const [one, other] = await Promise.all([createHolder(t, ['webhooks.manage']), createHolder(t, ['users.manage'])])
    const answers = await Promise.all([one.key, other.key, null].map((key) => t.call('GET /webhooks', { key })))
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 401])
    const { body } = await t.call('GET /permissions')
    const described = body.data.find(({ name }: { name: string }) => name === 'webhooks.manage')
    expect(described.description).toContain('Manage users')
  })
})

describe('test, retry and replay', () => {
  const start = async (events: string[]) => {
    const app = await createTestApp(inject('postgresUrl'), loopbackNetworks)
    const peer = await startHttpPeer()
    const { id } = await createWebhook(app, peer.url, events)
    const types = () => peer.requests.map(({ body }) => JSON.parse(body).type)
    return { app, peer, id, types, path: `/webhooks/${id}` }
  }

  it('a test is 202 and sends webhook.tested, whatever the patterns are', async () => {
    const { app, peer, path, types } = await start(['role.created'])
    const { status, body } = await app.call(`POST ${path}/test`)
    expect(status).toBe(202)
    await deliverWebhooks(app)
    expect(types()).toEqual(['webhook.tested'])
    expect(peer.requests[0]?.headers['webhook-id']).toBe(body.data.message_id)
    await app.call(`PATCH ${path}`, { body: { enabled: false } })
    expect((await app.call(`POST ${path}/test`)).body.code).toBe('webhook_disabled')
  })

  it('those that fail are found, and the attempts that failed', async () => {
    const { app, peer, id, path } = await start(['role.created'])
    const off = (await createWebhook(app, peer.url)).id
    await app.call(`PATCH /webhooks/${off}`, { body: { enabled: false } })
    const idsOf = async (query: string) =>
      (await app.call(`GET ${query}`)).body.data.map((one: { id: number }) => one.id)
    expect(await idsOf('/webhooks?filter[status]=on')).toEqual([id])
    for (const status of [201, 500, 307]) {
      peer.answer = () => ({ status, body: '{}' })
      await app.call('POST /roles', { body: { name: `Answered ${status}` } })
      await deliverWebhooks(app)
    }
    expect(await idsOf('/webhooks?filter[status]=failing')).toEqual([id])
    expect(await idsOf('/webhooks?filter[status]=on')).toEqual([])
    expect(await idsOf('/webhooks?filter[status]=off')).toEqual([off])
    expect(await idsOf('/webhooks?filter[status]=off,failing&sort=id')).toEqual([id, off])
    const statuses = async (success: boolean) =>
      (await app.call(`GET ${path}/attempts?filter[success]=${success}`)).body.data.map(
        ({ status }: { status: number }) => status,
      )
    expect([await statuses(true), await statuses(false)]).toEqual([[201], [307, 500]])
    await peer.close()
    await app.call('POST /roles', { body: { name: 'Not answered' } })
    await deliverWebhooks(app)
    expect(await statuses(false)).toEqual([null, 307, 500])
  })

  it('an attempt can be read with its request, and retried with the same id', async () => {
    const { app, peer, path } = await start(['role.created'])
    await app.call('POST /roles', { body: { name: 'Again' } })
    await deliverWebhooks(app)
    const [attempt] = (await app.call(`GET ${path}/attempts`)).body.data
    expect(attempt).toEqual({
      id: expect.any(Number),
      message_id: peer.requests[0]?.headers['webhook-id'],
      type: 'role.created',
      status: 201,
      error: null,
      duration_ms: expect.any(Number),
      answer: '{}',
      created_at: '2026-01-15 12:00:00',
    })
    const details = (await app.call(`GET ${path}/attempts/${attempt.id}`)).body.data
    expect(details).toEqual({ ...attempt, request: peer.requests[0]?.body })
    const retried = await app.call(`POST ${path}/attempts/${attempt.id}/retry`)
    expect([retried.status, retried.body.data]).toEqual([202, { message_id: attempt.message_id }])
    await deliverWebhooks(app)
    expect(peer.requests.map(({ headers }) => headers['webhook-id'])).toEqual(Array(2).fill(attempt.message_id))
    expect((await app.call(`POST ${path}/attempts/99999/retry`)).status).toBe(404)
    expect((await app.call(`POST ${path}/attempts/x/retry`)).status).toBe(404)
    await app.call(`PATCH ${path}`, { body: { enabled: false } })
    expect((await app.call(`POST ${path}/attempts/99999/retry`)).status).toBe(404)
  })

  it('what happened while it was switched off comes by a replay only, in order, with stable ids', async () => {
    const { app, peer, path, types } = await start(['role.*'])
    await app.call(`PATCH ${path}`, { body: { enabled: false } })
    const { body } = await app.call('POST /roles', { body: { name: 'Off' } })
    await app.call(`PATCH /roles/${body.data.id}`, { body: { description: 'Off' } })
    await deliverWebhooks(app)
    await app.call(`PATCH ${path}`, { body: { enabled: true } })
    await deliverWebhooks(app)
    expect(types()).toEqual([])
    app.clock.advance({ hours: 1 })
    await app.call('POST /roles', { body: { name: 'Later' } })
    await deliverWebhooks(app)
    expect(types()).toEqual(['role.created'])
    const range = { from: '2026-01-15 12:00:00', to: '2026-01-15 12:30:00' }
    const replayed = await app.call(`POST ${path}/replay`, { body: range })
    expect([replayed.status, replayed.body]).toEqual([202, { data: { messages: 2 } }])
    await deliverWebhooks(app)
    expect(types().slice(1)).toEqual(['role.created', 'role.updated'])
    await app.call(`POST ${path}/replay`, { body: range })
    await deliverWebhooks(app)
    const ids = peer.requests.map(({ headers }) => headers['webhook-id'])
    expect(ids.slice(3)).toEqual(ids.slice(1, 3))
  })

  it('a replay sends at once what waits for its next attempt, with what stands behind it', async () => {
    const { app, peer, path, types } = await start(['role.*'])
    peer.answer = () => ({ status: 500 })
    const { body } = await app.call('POST /roles', { body: { name: 'Outage' } })
    await deliverWebhooks(app)
    await app.call(`PATCH /roles/${body.data.id}`, { body: { description: 'Outage' } })
    await deliverWebhooks(app)
    expect(types()).toEqual(['role.created'])
    peer.answer = () => ({ status: 200 })
    const range = { from: '2026-01-15 12:00:00', to: '2026-01-15 12:30:00' }
    const replayed = await app.call(`POST ${path}/replay`, { body: range })
    expect(replayed.body).toEqual({ data: { messages: 2 } })
    await deliverWebhooks(app)
    expect(types().slice(1)).toEqual(['role.created', 'role.updated'])
  })

  it.each([
    [{}, ['from', 'to']],
    [{ from: '2026-01-15', to: '2026-01-15 12:00:00' }, ['from']],
    [{ from: '2026-01-15 12:00:01', to: '2026-01-15 12:00:00' }, ['to']],
  ])('a replay of %j is 422', async (body, fields) => {
    const { id } = await createWebhook(t, url)
    const answer = await t.call(`POST /webhooks/${id}/replay`, { body })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, fields])
  })
})

import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestApp, startTestApp, type TestApp } from '../../testing/app.ts'
import { type HttpPeer, type ReceivedRequest, startHttpPeer } from '../../testing/http-peer.ts'
import { messagesTo } from '../../testing/messages.ts'
import { createWebhook, deliverWebhooks, loopbackNetworks } from '../../testing/webhooks.ts'

const start = () => createTestApp(inject('postgresUrl'), loopbackNetworks)
const payloadOf = ({ body }: ReceivedRequest) => JSON.parse(body)
const typesAt = ({ requests }: HttpPeer): string[] => requests.map((request) => payloadOf(request).type)
const newRole = (t: TestApp, name: string) => t.call('POST /roles', { body: { name } })
const attemptsOf = async (t: TestApp, id: number) => (await t.call(`GET /webhooks/${id}/attempts`)).body.data

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), loopbackNetworks)
})
afterAll(() => t.close())

describe('a message', () => {
  // asvs: 11.4.3
  it('is verified by the official library, and holds the user as the API shows it after the change', async () => {
    const peer = await startHttpPeer()
    const { secret } = await createWebhook(t, `${peer.url}/hook?a=1`, ['user.updated'])
    const { user } = await t.createUser()
    const { body } = await t.call(`PATCH /users/${user.id}`, { body: { first_name: 'Ada' } })
    await t.call(`PATCH /users/${user.id}`, { body: { first_name: 'Later' } })
    await deliverWebhooks(t)
    const [request] = peer.requests
    expect(request).toMatchObject({ method: 'POST', path: '/hook?a=1' })
    const verified = new Verifier(secret).verify(request?.body ?? '', request?.headers as Record<string, string>)
    expect(verified).toEqual({
      type: 'user.updated',
      timestamp: '2026-01-15T12:00:00Z',
      data: {
        id: expect.any(Number),
        actor_id: 1,
        subject: { type: 'user', id: user.id },
        user: body.data,
        details: { fields: ['first_name'] },
      },
    })
    expect(() => new Verifier(secret).verify(`${request?.body} `, request?.headers as Record<string, string>)).toThrow(
      'No matching signature',
    )
  })

  it('is signed with both secrets for 24 hours after a rotation, then with the new one alone', async () => {
    const app = await start()
    const peer = await startHttpPeer()
    const { id, secret } = await createWebhook(app, peer.url, ['role.created'])
    const rotated = (await app.call(`POST /webhooks/${id}/rotate`)).body.data.secret
    expect(rotated).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await newRole(app, 'First')
    await deliverWebhooks(app)
    app.clock.advance({ hours: 24, seconds: 1 })
    await newRole(app, 'Second')
    await deliverWebhooks(app)
    const isFor = (request: ReceivedRequest | undefined, key: string): boolean => {
      try {
        new Verifier(key).verify(request?.body ?? '', request?.headers as Record<string, string>)
        return true
      } catch {
        return false
      }
    }
    const [first, second] = peer.requests
    expect([isFor(first, secret), isFor(first, rotated)]).toEqual([true, true])
    expect([isFor(second, secret), isFor(second, rotated)]).toEqual([false, true])
  })

  it('goes to the webhooks whose patterns match, about what happened after they were made', async () => {
    const app = await start()
    await newRole(app, 'Before')
    const [all, some] = [await startHttpPeer(), await startHttpPeer()]
    await createWebhook(app, all.url, ['*'])
    await createWebhook(app, some.url, ['permission.*', 'role.deleted'])
    const { body } = await newRole(app, 'After')
    await app.call('POST /permissions', { body: { name: 'after' } })
    await app.call(`DELETE /roles/${body.data.id}`)
    await deliverWebhooks(app)
    expect(typesAt(all)).toEqual(['webhook.created', 'role.created', 'permission.created', 'role.deleted'])
    expect(typesAt(some)).toEqual(['permission.created', 'role.deleted'])
  })

  it('of a plugin’s event goes out like any other', async () => {
    const app = await createTestApp(inject('postgresUrl'), { ...loopbackNetworks, GATEHOUSE_PLUGINS: 'announcements' })
    const peer = await startHttpPeer()
    await createWebhook(app, peer.url, ['announcement.*'])
    const { body } = await app.call('POST /announcements', { body: { title: 'Open', body: 'Come in' } })
    await app.call(`DELETE /announcements/${body.data.id}`)
    await deliverWebhooks(app)
    expect(peer.requests.map(payloadOf)).toEqual([
      expect.objectContaining({ type: 'announcement.created', data: expect.objectContaining({ actor_id: 1 }) }),
      expect.objectContaining({ type: 'announcement.deleted' }),
    ])
    expect(payloadOf(peer.requests[0] as ReceivedRequest).data.subject).toEqual({
      type: 'announcement',
      id: body.data.id,
    })
  })

  it('about a user who was deleted meanwhile goes out without the user', async () => {
    const app = await start()
    const peer = await startHttpPeer()
    await createWebhook(app, peer.url, ['user.*'])
    const { user } = await app.createUser()
    await app.call(`PATCH /users/${user.id}`, { body: { first_name: 'Ada' } })
    await app.call(`DELETE /users/${user.id}`)
    await deliverWebhooks(app)
    const mine = peer.requests.map(payloadOf).filter(({ data }) => data.subject.id === user.id)
    expect(mine.map(({ type, data }) => [type, data.user])).toEqual([
      ['user.updated', undefined],
      ['user.deleted', undefined],
    ])
  })
})

describe('a failure', () => {
  it('is tried again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h with the same id; then it is given up', async () => {
    const app = await start()
    const peer = await startHttpPeer()
    const { id } = await createWebhook(app, peer.url, ['role.created'])
    peer.answer = ({ body }) => ({ status: JSON.parse(body).data.subject.id === 3 ? 500 : 200, body: 'answered' })
    await newRole(app, 'Fails')
    await deliverWebhooks(app)
    const pauses = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
    for (const [at, seconds] of pauses.entries()) {
      app.clock.advance({ seconds: seconds - 1 })
      await newRole(app, `Succeeds ${at}`)
      await deliverWebhooks(app)
      const failed = () => peer.requests.filter((request) => payloadOf(request).data.subject.id === 3)
      expect(failed()).toHaveLength(at + 1)
      app.clock.advance({ seconds: 1 })
      await deliverWebhooks(app)
      expect(failed()).toHaveLength(at + 2)
      expect(new Set(failed().map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect(new Set(failed().map(({ body }) => body)).size).toBe(1)
    }
    app.clock.advance({ days: 3 })
    await deliverWebhooks(app)
    expect(peer.requests).toHaveLength(19)
    expect(await app.ctx.db.selectFrom('webhook_messages').selectAll().execute()).toEqual([])
    expect((await attemptsOf(app, id))[0]).toMatchObject({ status: 500, error: null, answer: 'answered' })
  })

  it('holds back the later messages about its subject, in order, and nobody else’s', async () => {
    const app = await start()
    const peer = await startHttpPeer()
    await createWebhook(app, peer.url, ['role.*'])
    const [one, two] = [(await newRole(app, 'One')).body.data.id, (await newRole(app, 'Two')).body.data.id]
    peer.answer = ({ body }) => ({ status: JSON.parse(body).data.subject.id === one ? 503 : 200 })
    for (const description of ['a', 'b', 'c']) {
      for (const id of [one, two]) await app.call(`PATCH /roles/${id}`, { body: { description } })
    }
    await deliverWebhooks(app)
    const seen = (subject: number) => peer.requests.map(payloadOf).filter(({ data }) => data.subject.id === subject)
    expect(seen(one).map(({ type }) => type)).toEqual(['role.created'])
    expect(seen(two).map(({ type }) => type)).toEqual(['role.created', ...Array(3).fill('role.updated')])
    peer.answer = () => ({ status: 204 })
    app.clock.advance({ seconds: 5 })
    await deliverWebhooks(app)
    const ids = seen(one).map(({ data }) => data.id)
    expect(ids).toEqual([ids[0], ...ids.slice(1).toSorted((a, b) => a - b)])
    expect(new Set(ids).size).toBe(4)
  })

  it('410 switches the webhook off', async () => {
    const app = await start()
    const peer = await startHttpPeer()
    const { id } = await createWebhook(app, peer.url, ['role.created'])
    peer.answer = () => ({ status: 410 })
    await newRole(app, 'Gone')
    await deliverWebhooks(app)
    expect((await app.call(`GET /webhooks/${id}`)).body.data).toMatchObject({ enabled: false, disabled_reason: 'gone' })
    const { body } = await app.call('GET /activity?filter[event]=webhook.disabled')
    expect(body.data).toMatchObject([{ actor_id: null, subject_id: id, details: { reason: 'gone' } }])
    await newRole(app, 'Not sent')
    await deliverWebhooks(app)
    expect(peer.requests).toHaveLength(1)
  })

  it('for three days and nothing else switches it off, and the administrators get a mail', async () => {
    const app = await start()
    const peer = await startHttpPeer()
    const { id } = await createWebhook(app, peer.url, ['role.created'])
    peer.answer = () => ({ status: 500 })
    await newRole(app, 'Fails')
    await deliverWebhooks(app)
    for (let hours = 0; hours < 80; hours += 4) {
      app.clock.advance({ hours: 4 })
      await deliverWebhooks(app)
      const { enabled } = (await app.call(`GET /webhooks/${id}`)).body.data
      if (hours + 4 < 72) expect(enabled).toBe(true)
    }
    expect((await app.call(`GET /webhooks/${id}`)).body.data).toMatchObject({
      enabled: false,
      disabled_reason: 'failing',
    })
    const mails = (await messagesTo(app, 'admin@example.com')).filter(({ template }) => template === 'webhook-disabled')
    expect(mails).toHaveLength(1)
    expect(mails[0]?.body_text).toContain(peer.url)
  })

  it('for three days switches it off also where the clock was ahead when it began', async () => {
    const app = await start()
    const peer = await startHttpPeer()
    const { id } = await createWebhook(app, peer.url, ['role.created'])
    peer.answer = () => ({ status: 500 })
    app.clock.advance({ days: 365 })
    await newRole(app, 'Fails')
    await deliverWebhooks(app)
    app.clock.advance({ days: -365 })
    for (const [at, days] of [0, 3].entries()) {
      app.clock.advance({ days })
      await newRole(app, `Fails, too ${at}`)
      await deliverWebhooks(app)
    }
    expect((await app.call(`GET /webhooks/${id}`)).body.data).toMatchObject({ enabled: false })
  })

  it('of a redirect is a failure, and nothing follows it', async () => {
    const app = await start()
    const [peer, elsewhere] = [await startHttpPeer(), await startHttpPeer()]
    const { id } = await createWebhook(app, peer.url, ['role.created'])
    peer.answer = () => ({ status: 307, headers: { location: elsewhere.url } })
    await newRole(app, 'Redirected')
    await deliverWebhooks(app)
    expect(elsewhere.requests).toEqual([])
    expect(await attemptsOf(app, id)).toMatchObject([{ status: 307 }])
  })

  it('where nobody answers is named; a long answer of 2xx is a success and is read to 16 KiB', async () => {
    const app = await start()
    const [peer, closed] = [await startHttpPeer(), await startHttpPeer()]
    await closed.close()
    const dead = await createWebhook(app, closed.url, ['role.created'])
    const long = await createWebhook(app, peer.url, ['role.created'])
    peer.answer = () => ({ status: 200, body: 'x'.repeat(1_000_000) })
    await newRole(app, 'Both')
    await deliverWebhooks(app)
    expect(await attemptsOf(app, dead.id)).toMatchObject([{ status: null, error: 'ECONNREFUSED', answer: null }])
    const [attempt] = await attemptsOf(app, long.id)
    expect([attempt.status, attempt.answer.length]).toEqual([200, 16_384])
  })

  it('of some webhooks delays no other, not even at the same host', async () => {
    const app = await start()
    const peer = await startHttpPeer()
    peer.answer = ({ path }) => (path === '/quick' ? { status: 204 } : null)
    const [silentOne] = await Promise.all(
      ['silent/1', 'silent/2', 'silent/3', 'quick'].map((path) =>
        createWebhook(app, `${peer.url}/${path}`, ['role.created']),
      ),
    )
    for (let at = 0; at < 30; at++) await newRole(app, `Role ${at}`)
    const delivered = deliverWebhooks(app)
    const quick = () => peer.requests.filter(({ path }) => path === '/quick')
    await expect.poll(() => quick().length).toBe(30)
    expect(await attemptsOf(app, silentOne?.id ?? 0), 'no attempt has been given up meanwhile').toEqual([])
    await peer.close()
    await delivered
  })
})

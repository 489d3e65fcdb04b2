import { describe, expect, inject, it } from 'vitest'
import { createTestApp, startNode, type TestApp } from '../../testing/app.ts'
import { startHttpPeer } from '../../testing/http-peer.ts'
import { createWebhook, deliverWebhooks, loopbackNetworks } from '../../testing/webhooks.ts'

const start = () => createTestApp(inject('postgresUrl'), loopbackNetworks)
const newRole = (t: TestApp, name: string) => t.call('POST /roles', { body: { name } })

describe('several nodes', () => {
  it('do not wait for the lease of a dead one whose clock was set back, but for what a restore holds', async () => {
    const app = await start()
    const peer = await startHttpPeer()
    const { id } = await createWebhook(app, peer.url, ['role.created'])
    await newRole(app, 'One')
    const leave = (holder: string, seconds: number) =>
      app.ctx.unguarded
        .updateTable('webhook_queues')
        .set({ holder, lease_until_ms: app.clock.now().getTime() + seconds * 1_000 })
        .where('webhook_id', '=', id)
        .execute()
    await leave('held', 3_600)
    await deliverWebhooks(app)
    await leave('a live node', 9)
    await deliverWebhooks(app)
    expect(peer.requests).toHaveLength(0)
    await leave('a dead node', 3_600)
    await deliverWebhooks(app)
    expect(peer.requests).toHaveLength(1)
  })

  it('send every message once, in order per subject, while nothing fails', async () => {
    const app = await start()
    const other = await startNode(app, loopbackNetworks)
    const peers = [await startHttpPeer(), await startHttpPeer(), await startHttpPeer()]
    for (const peer of peers) await createWebhook(app, peer.url, ['role.updated'])
    const ids = []
    for (let at = 0; at < 5; at++) ids.push((await newRole(app, `Role ${at}`)).body.data.id)
    for (let at = 0; at < 40; at++)
      await (at % 2 === 0 ? app : other).call(`PATCH /roles/${ids[at % 5]}`, {
        key: app.adminKey,
        body: { description: String(at) },
      })
    await Promise.all([deliverWebhooks(app), deliverWebhooks(other), deliverWebhooks(app)])
    await deliverWebhooks(other)
    for (const peer of peers) {
      const seen = peer.requests.map(({ body }) => JSON.parse(body).data)
      expect(new Set(seen.map(({ id }) => id)).size).toBe(40)
      expect(seen).toHaveLength(40)
      for (const role of ids) {
        const own = seen.filter(({ subject }) => subject.id === role).map(({ id }) => id)
        expect(own).toEqual(own.toSorted((a, b) => a - b))
      }
    }
  })
})

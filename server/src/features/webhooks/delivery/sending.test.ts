import { expect, inject, it } from 'vitest'
import { createTestApp } from '../../../testing/app.ts'
import { startHttpPeer } from '../../../testing/http-peer.ts'
import { createWebhook, deliverWebhooks, loopbackNetworks } from '../../../testing/webhooks.ts'
import { sequenceAll } from '../../activity/sequencer.ts'

it('a message that cannot be made counts as a failed attempt, is tried again later, and does not stop the others', async () => {
  const app = await createTestApp(inject('postgresUrl'), loopbackNetworks)
  const newRole = (name: string) => app.call('POST /roles', { body: { name } })
  const peer = await startHttpPeer()
  const { id } = await createWebhook(app, peer.url, ['role.created'])
  const attempts = async () => (await app.call(`GET /webhooks/${id}/attempts`)).body.data
  await newRole('Broken')
  await sequenceAll(app.ctx)
  const broken = app.ctx.unguarded.updateTable('activity').set({ details: '{' })
  await broken.where('event', '=', 'role.created').execute()
  await newRole('Sound')
  await deliverWebhooks(app)
  expect(peer.requests).toHaveLength(1)
  const failed = (await attempts()).filter(({ error }: { error: string | null }) => error !== null)
  expect(failed).toMatchObject([{ status: null, error: expect.stringContaining('cannot be made') }])
  await deliverWebhooks(app)
  expect(await attempts()).toHaveLength(2)
  app.clock.advance({ seconds: 6 })
  await deliverWebhooks(app)
  expect(await attempts()).toHaveLength(3)
})

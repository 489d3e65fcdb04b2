import { expect, inject, it } from 'vitest'
import type { JobRunner } from '../../core/jobs.ts'
import { createAccount, signIn } from '../../testing/accounts.ts'
import { createTestApp, type TestApp } from '../../testing/app.ts'
import { recordRoles } from '../../testing/events.ts'
import { startHttpPeer } from '../../testing/http-peer.ts'
import { createWebhook, deliverWebhooks, loopbackNetworks } from '../../testing/webhooks.ts'
import { batch } from './delivery/queue.ts'

const start = () => createTestApp(inject('postgresUrl'), loopbackNetworks)
const enable = (t: TestApp, id: number, enabled: boolean) => t.call(`PATCH /webhooks/${id}`, { body: { enabled } })
const subjectsAt = (requests: readonly { body: string }[]): number[] =>
  requests.map(({ body }) => JSON.parse(body).data.subject.id)

async function runJob(t: TestApp, name: string): Promise<void> {
  await (t.ctx.jobs.runners.find((runner) => runner.name === name) as JobRunner).drain()
}

it('what happened before a webhook was switched off is sent once it is on again, however much it was, and nothing of what came after', async () => {
  const t = await start()
  const peer = await startHttpPeer()
  const { id } = await createWebhook(t, peer.url, ['role.updated'])
  const before = Array.from({ length: 2 * batch + 50 }, (_, at) => (at % 240) + 100)
  await recordRoles(t, before)
  await enable(t, id, false)
  await recordRoles(t, [1_000])
  await enable(t, id, true)
  await recordRoles(t, [2_000])
  await deliverWebhooks(t)
  expect(subjectsAt(peer.requests).toSorted((a, b) => a - b)).toEqual([...before, 2_000].toSorted((a, b) => a - b))
  const ids = peer.requests.map(({ body }) => JSON.parse(body).data)
  for (const subject of new Set(before)) {
    const own = ids.filter((data) => data.subject.id === subject).map((data) => data.id)
    expect(own).toEqual(own.toSorted((a, b) => a - b))
  }
})

it('failed sign-ins of a minute in which a webhook is switched off are one event of its end, which a replay brings', async () => {
  const t = await start()
  const peer = await startHttpPeer()
  const { id } = await createWebhook(t, peer.url, ['user.sign_in_failed'])
  const { user } = await createAccount(t)
  const fail = () => signIn(t, user.email, 'a wrong password')
  await fail()
  await enable(t, id, false)
  await fail()
  t.clock.advance({ seconds: 60 })
  await deliverWebhooks(t)
  await enable(t, id, true)
  await deliverWebhooks(t)
  expect(peer.requests).toEqual([])
  const body = { from: '2026-01-15 00:00:00', to: '2026-01-16 00:00:00' }
  expect((await t.call(`POST /webhooks/${id}/replay`, { body })).body.data.messages).toBe(1)
  await deliverWebhooks(t)
  expect(peer.requests.map((r) => JSON.parse(r.body).data.details)).toEqual([{ reason: 'password', count: 2 }])
})

it('what waits when an endpoint answers 410 is sent once the webhook is on again', async () => {
  const t = await start()
  const peer = await startHttpPeer()
  const { id } = await createWebhook(t, peer.url, ['role.updated'])
  const subjects = Array.from({ length: 3 * batch }, (_, at) => at + 100)
  await recordRoles(t, subjects)
  peer.answer = () => ({ status: 410 })
  await deliverWebhooks(t)
  expect((await t.call(`GET /webhooks/${id}`)).body.data.enabled).toBe(false)
  peer.answer = () => ({ status: 204 })
  await enable(t, id, true)
  peer.requests.length = 0
  t.clock.advance({ seconds: 5 })
  await deliverWebhooks(t)
  expect(subjectsAt(peer.requests).toSorted((a, b) => a - b)).toEqual(subjects)
})

it('a message whose event retention has removed holds back no other', async () => {
  const t = await start()
  const peer = await startHttpPeer()
  const { id } = await createWebhook(t, peer.url, ['user.*'])
  await t.call('PATCH /settings', { body: { 'sign_ins.retention_days': 1 } })
  const { user } = await createAccount(t)
  peer.answer = () => ({ status: 500 })
  expect((await signIn(t, user.email)).status).toBe(200)
  await t.call(`PATCH /users/${user.id}`, { body: { first_name: 'Waits' } })
  await deliverWebhooks(t)
  t.clock.advance({ hours: 25 })
  await runJob(t, 'maintenance.activity')
  await runJob(t, 'maintenance.webhooks')
  peer.answer = () => ({ status: 204 })
  peer.requests.length = 0
  await deliverWebhooks(t)
  expect(peer.requests.map(({ body }) => JSON.parse(body).type)).toEqual(['user.updated'])
  expect((await t.call(`GET /webhooks/${id}`)).body.data.failing_since).toBeNull()
})

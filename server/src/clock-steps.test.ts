import { expect, inject, it, vi } from 'vitest'
import { clockSteps } from './clock-steps.ts'
import { heldDueMs } from './outbox/held.ts'
import { createTestApp, type TestApp } from './testing/app.ts'
import { startHttpPeer } from './testing/http-peer.ts'
import { createWebhook, deliverWebhooks, loopbackNetworks } from './testing/webhooks.ts'

const start = (settings: Record<string, string> = {}) => createTestApp(inject('postgresUrl'), settings)
const queued = async (t: TestApp) =>
  (await t.ctx.db.selectFrom('deliveries').select(['status', 'due_ms']).execute()).map(({ status, due_ms }) => ({
    status,
    inSeconds: (due_ms - t.clock.now().getTime()) / 1_000,
  }))

/** The job, and the monotonic clock that it compares with. */
function createSteps(t: TestApp) {
  let monotonicMs = 5_000
  const job = clockSteps(t.ctx, () => monotonicMs)
  return {
    run: async (afterSeconds: number) => {
      monotonicMs += afterSeconds * 1_000
      await job.run(new AbortController().signal)
    },
  }
}

it('a clock that is set back does not keep mail, events and webhook messages waiting until the time comes again', async () => {
  const t = await start(loopbackNetworks)
  const peer = await startHttpPeer()
  await createWebhook(t, peer.url, ['role.created'])
  const steps = createSteps(t)
  await steps.run(0)
  await t.call('POST /users/invite', { body: { email: 'late@example.com', role_id: 2 } })
  await t.call('POST /roles', { body: { name: 'Before' } })
  t.clock.advance({ hours: -1 })
  await deliverWebhooks(t)
  expect(peer.requests).toHaveLength(0)
  expect(await queued(t)).toEqual([{ status: 'queued', inSeconds: 3_600 }])

  await steps.run(5)
  expect(await queued(t)).toEqual([{ status: 'queued', inSeconds: 0 }])
  await deliverWebhooks(t)
  expect(peer.requests.map(({ body }) => JSON.parse(body).type)).toEqual(['role.created'])
})

it('what waits by right goes on waiting: a retry, and what is held since a restore', async () => {
  const t = await start()
  const steps = createSteps(t)
  await t.call('POST /users/invite', { body: { email: 'one@example.com', role_id: 2 } })
  await t.call('POST /users/invite', { body: { email: 'two@example.com', role_id: 2 } })
  const [one, two] = await t.ctx.db.selectFrom('deliveries').select('id').orderBy('id').execute()
  const retryMs = t.clock.now().getTime() + 1_200_000
  const set = (id: number | undefined, values: { due_ms: number; attempts?: number }) =>
    t.ctx.unguarded.updateTable('deliveries').set(values).where('id', '=', Number(id)).execute()
  await set(one?.id, { due_ms: retryMs, attempts: 5 })
  await set(two?.id, { due_ms: heldDueMs })
  await steps.run(0)
  t.clock.advance({ minutes: -10 })
  await steps.run(5)
  const rows = await t.ctx.db.selectFrom('deliveries').select('due_ms').orderBy('id').execute()
  expect(rows).toEqual([{ due_ms: retryMs }, { due_ms: heldDueMs }])
})

it('is said in the log, once', async () => {
  const t = await start()
  const warn = vi.spyOn(t.ctx.log, 'warn')
  const steps = createSteps(t)
  await steps.run(0)
  t.clock.advance({ seconds: 5 })
  await steps.run(5)
  expect(warn).not.toHaveBeenCalled()
  t.clock.advance({ hours: -1, seconds: 5 })
  await steps.run(5)
  t.clock.advance({ seconds: 5 })
  await steps.run(5)
  expect(warn.mock.calls).toEqual([[{ seconds: 3_600 }, 'the clock was set back']])
})

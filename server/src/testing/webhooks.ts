import type { JobRunner } from '../core/jobs.ts'
import { sequenceAll } from '../features/activity/sequencer.ts'
import { deliverJob } from '../features/webhooks/delivery/job.ts'
import type { TestApp } from './app.ts'

/** Settings of a test whose receivers are on this machine. */
export const loopbackNetworks = { GATEHOUSE_WEBHOOK_NETWORKS: '127.0.0.0/8,::1' }

/** Sends everything to webhooks that is due now, and returns when it has been tried. */
export async function deliverWebhooks({ ctx }: Pick<TestApp, 'ctx'>): Promise<void> {
  await sequenceAll(ctx)
  const job = ctx.jobs.runners.find(({ name }) => name === deliverJob) as JobRunner
  await job.drain()
}

export interface MadeWebhook {
  readonly id: number
  readonly secret: string
}

/** Creates a webhook; throws unless that worked. */
export async function createWebhook(t: TestApp, url: string, events: string[] = ['*']): Promise<MadeWebhook> {
  const { status, body } = await t.call('POST /webhooks', { body: { url, events, enabled: true } })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data
}

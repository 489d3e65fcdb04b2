import { expect, inject, it, onTestFinished } from 'vitest'
import { systemActor } from '../core/context.ts'
import { sendMail } from '../mails/send-mail.ts'
import { createTestApp, type TestApp } from '../testing/app.ts'
import { startSmtpPeer } from '../testing/smtp-peer.ts'
import { until } from '../testing/until.ts'

const requests = 200

async function medianMs(t: TestApp): Promise<number> {
  const times: number[] = []
  for (let made = 0; made < requests; made++) {
    const start = performance.now()
    const { status } = await t.call('GET /users/1')
    times.push(performance.now() - start)
    expect(status).toBe(200)
  }
  return times.sort((a, b) => a - b)[requests / 2] as number
}

// asvs: 16.5.2
it('mail slow or dead never slows the API; when the server is back, every mail arrives, once', async () => {
  const peer = await startSmtpPeer()
  const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_MAIL_URL: peer.url })
  t.ctx.outbox.start()
  onTestFinished(() => t.ctx.outbox.stop())
  const recipients = Array.from({ length: 30 }, (_, index) => `user${index}@example.com`)
  await medianMs(t) // warm
  const without = await medianMs(t)

  peer.behave('silent')
  for (const to of recipients) {
    const mail = { template: 'test', to, userId: null, data: { at: '2026-01-15 12:00:00' } } as const
    await t.ctx.transaction(systemActor, (tx) => sendMail(tx, mail))
  }
  await until(() => peer.connections() === 5, 'all slots to wait for the server')
  const during = await medianMs(t)
  expect(during).toBeLessThan(without * 3 + 2)
  const failed = () =>
    t.ctx.unguarded
      .selectFrom('deliveries')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('last_error', 'is not', null)
      .executeTakeFirstOrThrow()
  await until(async () => (await failed()).count >= 5, 'the first tries to be given up')

  peer.behave('accept')
  await until(async () => {
    t.clock.advance({ seconds: 5 })
    await t.ctx.outbox.deliverDue()
    return peer.mails.length >= recipients.length
  }, 'every mail')
  expect(peer.mails.flatMap(({ to }) => to).sort()).toEqual(recipients.sort())
  const ids = new Set(peer.mails.map(({ parsed }) => parsed.messageId))
  expect(ids.size).toBe(recipients.length)
})

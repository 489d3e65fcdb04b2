import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { systemActor } from '../core/context.ts'
import { createTestApp, type TestApp } from '../testing/app.ts'
import { startHttpPeer } from '../testing/http-peer.ts'
import { itOnce } from '../testing/it-once.ts'
import { messagesTo, testMail } from '../testing/messages.ts'
import { type SmtpPeer, startSmtpPeer } from '../testing/smtp-peer.ts'
import { until } from '../testing/until.ts'
import type { DeliveryRow } from './deliveries.table.ts'
import type { Message } from './message.ts'

const to = 'ada@example.com'

const mail = (recipient = to, more: Partial<Message> = {}) => testMail({ recipient, html: '<p>Hello</p>', ...more })

async function startWithPeer(settings: Record<string, string> = {}): Promise<{ t: TestApp; peer: SmtpPeer }> {
  const peer = await startSmtpPeer()
  return { peer, t: await createTestApp(inject('postgresUrl'), { GATEHOUSE_MAIL_URL: peer.url, ...settings }) }
}

/** Runs the worker as the service does, until the test ends. */
function startWorker(t: TestApp): void {
  t.ctx.outbox.start()
  onTestFinished(() => t.ctx.outbox.stop())
}

const enqueue = (t: TestApp, ...messages: Message[]) =>
  t.ctx.transaction(systemActor, async (tx) => {
    for (const message of messages) await tx.outbox.enqueue(message)
  })

const rows = (t: TestApp): Promise<DeliveryRow[]> =>
  t.ctx.unguarded.selectFrom('deliveries').selectAll().orderBy('id').execute()

const onlyRow = async (t: TestApp): Promise<DeliveryRow> => {
  const [row, ...more] = await rows(t)
  if (row === undefined || more.length > 0) throw new Error('not one message')
  return row
}

describe('outbox: same transaction, at least once, stable Message-ID, a rollback sends nothing', () => {
  it('a committed message is sent at once, without a look at the clock', async () => {
    const { t, peer } = await startWithPeer()
    startWorker(t)
    await enqueue(t, mail())
    const start = performance.now()
    await until(() => peer.mails.length === 1, 'the mail')
    expect(performance.now() - start).toBeLessThan(4_000)
    await until(async () => (await onlyRow(t)).status === 'sent', 'the mark')
    expect(await onlyRow(t)).toMatchObject({ attempts: 1, last_error: null, sent_at: '2026-01-15 12:00:00' })
  })

  it('a rolled back transaction leaves no message and sends none', async () => {
    const { t, peer } = await startWithPeer()
    startWorker(t)
    const failed = t.ctx.transaction(systemActor, async (tx) => {
      await tx.outbox.enqueue(mail('lost@example.com'))
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    await enqueue(t, mail())
    await until(() => peer.mails.length > 0, 'the other mail')
    await t.ctx.outbox.deliverDue()
    expect(peer.mails.flatMap(({ to: recipients }) => recipients)).toEqual([to])
    expect(await rows(t)).toHaveLength(1)
  })

  it('a mail whose text holds a token is erased once it is sent; other mail stays readable', async () => {
    const { t } = await startWithPeer()
    await enqueue(t, mail(to, { secret: true }), mail(to))
    const [secret, plain] = await messagesTo(t, to)
    expect(secret).toMatchObject({ status: 'sent', body_text: null, body_html: null })
    expect(plain).toMatchObject({ status: 'sent', body_text: 'Hello', body_html: '<p>Hello</p>' })
  })
})

describe('mail slow or dead: back-off; what failed for good is visible', () => {
  it('a refusing server is tried again after 5 s, then ever more rarely, at least hourly, for two days', async () => {
    const { t, peer } = await startWithPeer()
    peer.behave({ refuse: 'not today' })
    await enqueue(t, mail(to, { secret: true }))
    const start = t.clock.now().getTime()
    const triedAt: number[] = []
    for (;;) {
      await t.ctx.outbox.deliverDue()
      const { status, attempts, due_ms } = await onlyRow(t)
      triedAt.push(t.clock.now().getTime())
      expect(attempts).toBe(triedAt.length)
      if (status === 'failed') break
      // A second before it is due, nothing happens.
      t.clock.advance({ seconds: (due_ms - t.clock.now().getTime()) / 1000 - 1 })
      await t.ctx.outbox.deliverDue()
      expect((await onlyRow(t)).attempts).toBe(attempts)
      t.clock.advance({ seconds: 1 })
    }
    const pauses = triedAt.slice(1).map((time, index) => (time - (triedAt[index] as number)) / 1000)
    expect(pauses.slice(0, 11)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600])
    expect(new Set(pauses.slice(10))).toEqual(new Set([3600]))
    const lastHours = ((triedAt.at(-1) as number) - start) / 3_600_000
    expect(lastHours).toBeGreaterThan(46)
    expect(lastHours).toBeLessThanOrEqual(48)
    const row = await onlyRow(t)
    expect(row).toMatchObject({ status: 'failed', body_text: null, body_html: null })
    expect(row.last_error).toContain('not today')
    expect(peer.mails).toHaveLength(0)
  })

  itOnce('a dead mail server does not hold up SMS, nor the other way round', async () => {
    const gateway = await startHttpPeer()
    const { t, peer } = await startWithPeer({
      GATEHOUSE_SMS_URL: gateway.url.replace('//', '//any:a-secret-of-my-own@'),
    })
    const sms = (text: string): Message => ({
      ...mail('+4930123456', { text }),
      kind: 'sms',
      subject: null,
      html: null,
    })
    startWorker(t)
    peer.behave('silent')
    await enqueue(t, ...Array.from({ length: 20 }, () => mail()))
    await until(() => peer.connections() === 5, 'all slots of mail to be taken')
    await enqueue(t, sms('one'))
    await until(() => gateway.requests.length === 1, 'the SMS')
    expect(peer.connections()).toBe(5)
    peer.behave('accept')
    gateway.answer = () => null
    await enqueue(t, ...Array.from({ length: 20 }, (_, index) => sms(String(index))))
    await until(() => gateway.requests.length === 6, 'all slots of SMS to be taken')
    await until(() => peer.mails.length > 0, 'mail')
  })

  it('what waited too long while no node ran is sent all the same, unless it is a code or link', async () => {
    const { t, peer } = await startWithPeer()
    await enqueue(t, mail('news@example.com'), mail('link@example.com', { secret: true }))
    t.clock.advance({ days: 3 })
    await t.ctx.outbox.deliverDue()
    expect(peer.mails.flatMap(({ to: recipients }) => recipients)).toEqual(['news@example.com'])
    expect((await rows(t)).map(({ status }) => status)).toEqual(['sent', 'failed'])
  })
})

describe('a message of a node that died', () => {
  it('is taken over when its lease ends, and what the node may still say of it counts no more', async () => {
    const { t, peer } = await startWithPeer()
    await enqueue(t, mail())
    // As a node leaves it that died while it was sending.
    const due_ms = t.clock.now().getTime() + 10_000
    await t.ctx.unguarded.updateTable('deliveries').set({ status: 'sending', attempts: 1, due_ms }).execute()
    t.clock.advance({ seconds: 9 })
    await t.ctx.outbox.deliverDue()
    expect(peer.mails).toHaveLength(0)
    t.clock.advance({ seconds: 1 })
    let late: DeliveryRow | undefined
    peer.onMail = async () => {
      const { finish } = await import('./outbox.queries.ts')
      late = { ...(await onlyRow(t)), attempts: 1 }
      const { sent_at, updated_at, last_error } = late
      const outcome = { status: 'failed', sent_at, updated_at, last_error, due_ms: null, erase: 0 } as const
      await finish(t.ctx.unguarded, [{ ...late, ...outcome }])
    }
    await t.ctx.outbox.deliverDue()
    expect(peer.mails).toHaveLength(1)
    expect(late?.status).toBe('sending')
    expect(await onlyRow(t)).toMatchObject({ status: 'sent', attempts: 2 })
  })
})

describe('stopping', () => {
  it('waits for what is being sent, marks it, and takes no more', async () => {
    const { t, peer } = await startWithPeer()
    const held = Promise.withResolvers<void>()
    peer.onMail = () => held.promise
    t.ctx.outbox.start()
    await enqueue(t, ...Array.from({ length: 8 }, () => mail()))
    await until(() => peer.mails.length === 5, 'five mails on their way')
    const stopped = t.ctx.outbox.stop()
    held.resolve()
    await stopped
    expect(peer.mails).toHaveLength(5)
    const statuses = (await rows(t)).map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(3).fill('queued'), ...Array(5).fill('sent')])
  })
})

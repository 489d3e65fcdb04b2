import { expect, inject, it, onTestFinished } from 'vitest'
import { systemActor } from '../core/context.ts'
import { createTestApp, type TestApp } from '../testing/app.ts'
import { testMail } from '../testing/messages.ts'
import { type SmtpPeer, startSmtpPeer } from '../testing/smtp-peer.ts'
import { until } from '../testing/until.ts'
import type { DeliveryRow } from './deliveries.table.ts'

const busy = (responseCode: number) => Object.assign(new Error('too many connections'), { responseCode })

/** A server that works for `limit.connections` at a time, and says so at the greeting or at `MAIL FROM`. */
async function startBusyPeer(at: 'greeting' | 'MAIL FROM', limit: { connections: number }) {
  const served = new Set<string>()
  let refused = 0
  const admit = (id: string, answer: (error?: Error) => void) => {
    if (served.size < limit.connections || served.has(id)) {
      served.add(id)
      return answer()
    }
    refused++
    answer(busy(at === 'greeting' ? 421 : 450))
  }
  const peer = await startSmtpPeer({
    ...(at === 'greeting'
      ? { onConnect: ({ id }, answer) => admit(id, answer) }
      : { onMailFrom: (_address, { id }, answer) => admit(id, answer) }),
    onClose: ({ id }) => void served.delete(id),
  })
  const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_MAIL_URL: peer.url })
  return { t, peer, refusals: () => refused }
}

const mail = (recipient: string) => testMail({ recipient })

const recipients = Array.from({ length: 30 }, (_, index) => `user${index}@example.com`)

const enqueue = (t: TestApp, kind: 'urgent' | 'bulk', to = recipients) =>
  t.ctx.transaction(systemActor, async (tx) => {
    if (kind === 'bulk') return tx.outbox.enqueueAll(to.map(mail))
    for (const recipient of to) await tx.outbox.enqueue(mail(recipient))
  })

const rows = (t: TestApp): Promise<DeliveryRow[]> => t.ctx.unguarded.selectFrom('deliveries').selectAll().execute()

const recipientsOf = ({ mails }: SmtpPeer) => mails.flatMap(({ to }) => to)

it.each([
  ['greeting', 2, 'urgent'],
  ['greeting', 2, 'bulk'],
  ['greeting', 1, 'bulk'],
  ['MAIL FROM', 2, 'urgent'],
] as const)(
  'a server that refuses further connections at %s gets every mail over %i, once and at the first attempt: %s',
  async (at, connections, kind) => {
    const { t, peer, refusals } = await startBusyPeer(at, { connections })
    await enqueue(t, kind)
    await t.ctx.outbox.deliverDue()
    expect(refusals()).toBeGreaterThan(0)
    expect(recipientsOf(peer).sort()).toEqual(recipients.toSorted())
    for (const row of await rows(t)) expect(row).toMatchObject({ status: 'sent', attempts: 1, last_error: null })
  },
)

it('a refusal that comes when the other mails have just been taken is no attempt either', async () => {
  let first: string | undefined
  const peer = await startSmtpPeer({
    onMailFrom: async (_address, { id }, answer) => {
      first ??= id
      if (id === first) return answer()
      await until(() => peer.mails.length > 0)
      answer(busy(450))
    },
  })
  const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_MAIL_URL: peer.url })
  await enqueue(t, 'urgent', recipients.slice(0, 2))
  await t.ctx.outbox.deliverDue()
  for (const row of await rows(t)) expect(row).toMatchObject({ status: 'sent', attempts: 1, last_error: null })
})

it.each([
  ['451 4.1.8', 'Sender domain not found'],
  ['450 4.7.1', 'Too many messages'],
])(
  'a temporary answer to MAIL FROM that is not about connections is one failed attempt: %s %s',
  async (code, words) => {
    let refused = 0
    const peer = await startSmtpPeer({
      hideENHANCEDSTATUSCODES: true,
      onMailFrom: (_address, _session, answer) => {
        refused++
        const [responseCode, enhanced] = code.split(' ')
        answer(Object.assign(new Error(`${enhanced} ${words}`), { responseCode: Number(responseCode) }))
      },
    })
    const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_MAIL_URL: peer.url })
    await enqueue(t, 'urgent', recipients.slice(0, 7))
    await t.ctx.outbox.deliverDue()
    expect(refused).toBe(7)
    for (const row of await rows(t)) expect(row).toMatchObject({ status: 'queued', attempts: 1 })
  },
)

it('one connection more is tried after each minute', async () => {
  const limit = { connections: 2 }
  const { t, peer, refusals } = await startBusyPeer('greeting', limit)
  let sending = 0
  let most = 0
  peer.onMail = async () => {
    most = Math.max(most, ++sending)
    await new Promise(setImmediate)
    sending--
  }
  const sendAll = async () => {
    most = 0
    const before = refusals()
    await enqueue(t, 'urgent')
    await t.ctx.outbox.deliverDue()
    return { most, refused: refusals() - before }
  }
  await sendAll()
  limit.connections = 5
  const atOnce = (await sendAll()).most
  expect(atOnce).toBeLessThanOrEqual(2)
  t.clock.advance({ seconds: 60 })
  expect((await sendAll()).most).toBeLessThanOrEqual(atOnce + 1)
  t.clock.advance({ seconds: 300 })
  expect((await sendAll()).most).toBeGreaterThan(2)
  expect((await rows(t)).every(({ status, attempts }) => status === 'sent' && attempts === 1)).toBe(true)
})

it.each(['urgent', 'bulk'] as const)(
  'a server that refuses every connection is no server that takes mail: the attempt counts, and is repeated later: %s',
  async (kind) => {
    const { t, peer } = await startBusyPeer('greeting', { connections: 0 })
    await enqueue(t, kind, recipients.slice(0, 7))
    await t.ctx.outbox.deliverDue()
    expect(peer.mails).toHaveLength(0)
    for (const row of await rows(t)) {
      expect(row).toMatchObject({ status: 'queued', attempts: 1, due_ms: t.clock.now().getTime() + 5_000 })
      expect(row.last_error).toContain('421')
    }
  },
)

it('a stop does not send what waits for a connection; another node can, and its attempts are not used up', async () => {
  const { t, peer, refusals } = await startBusyPeer('greeting', { connections: 1 })
  const held = Promise.withResolvers<void>()
  onTestFinished(() => held.resolve())
  peer.onMail = () => held.promise
  t.ctx.outbox.start()
  await enqueue(t, 'urgent', recipients.slice(0, 5))
  await until(() => refusals() === 4 && peer.mails.length === 1, 'one mail on its way and four refusals')
  const stopped = t.ctx.outbox.stop()
  await until(
    async () => (await rows(t)).filter(({ status }) => status === 'queued').length === 4,
    'four to be released',
  )
  held.resolve()
  await stopped
  expect(peer.mails).toHaveLength(1)
  expect((await rows(t)).map(({ status, attempts }) => `${status} ${attempts}`).sort()).toEqual([
    ...Array(4).fill('queued 0'),
    'sent 1',
  ])
})

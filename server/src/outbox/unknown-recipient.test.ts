import { expect, inject, it } from 'vitest'
import { systemActor } from '../core/context.ts'
import { createTestApp } from '../testing/app.ts'
import { testMail } from '../testing/messages.ts'
import { startSmtpPeer } from '../testing/smtp-peer.ts'

/** How one mail fares, tried twelve times where it is due so often, with a server that answers this to its recipient. */
async function fare(responseCode: number, words: string) {
  const peer = await startSmtpPeer({
    hideENHANCEDSTATUSCODES: true,
    onRcptTo: (_address, _session, answer) => answer(Object.assign(new Error(words), { responseCode })),
  })
  const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_MAIL_URL: peer.url })
  await t.ctx.transaction(systemActor, (tx) => tx.outbox.enqueue(testMail()))
  const start = t.clock.now().getTime()
  let lastTriedMs = start
  for (let tries = 0, before = 0; tries < 12; tries++) {
    await t.ctx.outbox.deliverDue()
    const { attempts, due_ms } = await t.ctx.unguarded.selectFrom('deliveries').selectAll().executeTakeFirstOrThrow()
    if (attempts === before) break
    before = attempts
    lastTriedMs = t.clock.now().getTime()
    t.clock.advance({ seconds: (due_ms - lastTriedMs) / 1_000 })
  }
  const { body } = await t.call('GET /deliveries')
  return { delivery: body.data[0], minutes: Math.round((lastTriedMs - start) / 60_000) }
}

it.each([
  [550, '5.1.1 No such user'],
  [550, '5.1.10 Domain takes no mail'],
  [550, '5.2.1 Mailbox disabled'],
])(
  'an address that the server says is none is given up after ten attempts, and says why: %i %s',
  async (code, words) => {
    const { delivery, minutes } = await fare(code, words)
    expect(delivery).toMatchObject({
      status: 'failed',
      attempts: 10,
      last_error: `The mail server says that this address takes no mail: ${code} ${words}`,
    })
    expect(minutes).toBe(43)
  },
)

it.each([
  [550, '5.7.1 Relaying denied'],
  [550, 'Rejected'],
  [552, '5.2.2 Mailbox full'],
  [450, '4.2.0 Greylisted'],
])('what may be the fault of a setting, or pass, is tried on: %i %s', async (code, words) => {
  const { delivery } = await fare(code, words)
  expect(delivery).toMatchObject({ status: 'queued', attempts: 12, last_error: expect.stringContaining(words) })
})

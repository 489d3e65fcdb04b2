import { sql } from 'kysely'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { systemActor } from '../core/context.ts'
import { isPostgres } from '../db/dialect.ts'
import { removeOldDeliveries } from '../features/deliveries/deliveries.service.ts'
import { createTestApp, type TestApp } from '../testing/app.ts'
import { testMail } from '../testing/messages.ts'
import { type SmtpPeer, startSmtpPeer } from '../testing/smtp-peer.ts'
import { until } from '../testing/until.ts'
import {
  cancelMail,
  findMailProgress,
  type MailRecipient,
  type MailToMany,
  prepareMail,
  sendPrepared,
} from './mail-to-many.ts'

const source = {
  subject: 'News: {{ title }}',
  text: 'Hello {{ name }}, {{ body }}\n\n{{ link }}',
  html: '<p>Hello {{ name }}, {{ body }} {{ body | raw }}</p><a href="{{ link }}">Unsubscribe</a>',
}
const news: MailToMany = {
  template: 'news.published',
  source,
  data: { title: 'Summer\r\nBcc: eve@example.com', body: '<b>Hi</b>' },
  perRecipient: ['name', 'link'],
}

const recipient = (index: number, more: Partial<MailRecipient> = {}): MailRecipient => ({
  userId: 1,
  email: `user${index}@example.com`,
  values: { name: `User ${index}`, link: `http://x/?a=${index}&b` },
  ...more,
})

const recipients = (count: number) => Array.from({ length: count }, (_, index) => recipient(index))

async function startWithPeer(): Promise<{ t: TestApp; peer: SmtpPeer }> {
  const peer = await startSmtpPeer()
  return { peer, t: await createTestApp(inject('postgresUrl'), { GATEHOUSE_MAIL_URL: peer.url }) }
}

/** Prepares the mail and puts it into the outbox; the id of its body. */
const send = (t: TestApp, to: readonly MailRecipient[]): Promise<number> =>
  t.ctx.transaction(systemActor, async (tx) => {
    const id = await prepareMail(tx, news)
    await sendPrepared(tx, id, to)
    return id
  })

const other = (t: TestApp, to: string) =>
  t.ctx.transaction(systemActor, (tx) =>
    tx.outbox.enqueue(testMail({ recipient: to, subject: 'Reset', text: 'Reset' })),
  )

const addresses = (peer: SmtpPeer): string[] => peer.mails.flatMap(({ to }) => to)

describe('a mail to many', () => {
  it('is kept once; each recipient gets it with their own values, escaped in HTML, and their own headers', async () => {
    const { t, peer } = await startWithPeer()
    const name = `<img src=x> & "Ada"\r\nBcc: eve@example.com`
    const headers = {
      'List-Unsubscribe': '<http://gatehouse.test/u/1>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }
    const link = 'http://gatehouse.test/u?a=1&b="'
    await send(t, [recipient(1, { values: { name, link }, headers }), recipient(2)])
    await t.ctx.outbox.deliverDue()
    expect(addresses(peer).sort()).toEqual(['user1@example.com', 'user2@example.com'])
    const [ada, two] = peer.mails.toSorted((a, b) => (String(a.to) < String(b.to) ? -1 : 1)).map(({ parsed }) => parsed)
    expect(ada?.subject).toBe('News: Summer Bcc: eve@example.com')
    expect(ada?.headers.has('bcc')).toBe(false)
    expect(ada?.headers.get('list')).toMatchObject({ unsubscribe: { url: 'http://gatehouse.test/u/1' } })
    expect(
      peer.mails.filter(({ raw }) => raw.includes('List-Unsubscribe-Post: List-Unsubscribe=One-Click')),
    ).toHaveLength(1)
    expect(two?.headers.has('list')).toBe(false)
    expect(ada?.text).toContain(`Hello <img src=x> & "Ada" Bcc: eve@example.com, <b>Hi</b>`)
    expect(ada?.text).toContain(link)
    expect(ada?.html).toContain('Hello &lt;img src=x&gt; &amp; &#34;Ada&#34; Bcc')
    expect(ada?.html).toContain('&lt;b&gt;Hi&lt;/b&gt; <b>Hi</b>')
    expect(ada?.html).toContain('href="http://gatehouse.test/u?a=1&amp;b=&#34;"')
    expect(ada?.html).toContain('sent automatically by')
    expect(two?.text).toContain('Hello User 2,')
    expect(ada?.messageId).not.toBe(two?.messageId)
    const rows = await t.ctx.unguarded.selectFrom('deliveries').selectAll().execute()
    expect(rows.map(({ subject, body_text, body_html }) => [subject, body_text, body_html])).toEqual(
      Array(2).fill([null, null, null]),
    )
    expect(await t.ctx.unguarded.selectFrom('delivery_bodies').select('id').execute()).toHaveLength(1)
  })

  it('is shown merged wherever messages are read, sent again, and removed with its body when it is old', async () => {
    const { t, peer } = await startWithPeer()
    peer.behave({ refuse: 'no' })
    const bodyId = await send(t, [recipient(7)])
    await t.ctx.outbox.deliverDue()
    const shown = { subject: 'News: Summer Bcc: eve@example.com', body_text: expect.stringContaining('Hello User 7,') }
    const id = (await t.call('GET /deliveries')).body.data[0].id
    for (const request of [`GET /deliveries/${id}`, `POST /deliveries/${id}/retry`]) {
      expect((await t.call(request)).body.data).toMatchObject({
        ...shown,
        status: 'queued',
        template: 'news.published',
      })
    }
    expect((await t.call('GET /deliveries?filter[template]=news.published')).body.data).toEqual([
      expect.objectContaining(shown),
    ])
    expect((await t.call(`GET /deliveries/${id}/preview`)).text).toContain('Hello User 7,')
    peer.behave('accept')
    await t.ctx.outbox.deliverDue()
    expect(addresses(peer)).toEqual(['user7@example.com'])
    t.clock.advance({ days: 91 })
    const young = await t.ctx.transaction(systemActor, (tx) => prepareMail(tx, news))
    await removeOldDeliveries(t.ctx)
    expect(await findMailProgress(t.ctx.unguarded, bodyId)).toEqual({ queued: 0, untried: 0, sent: 0, failed: 0 })
    expect(await t.ctx.unguarded.selectFrom('delivery_bodies').select('id').execute()).toEqual([{ id: young }])
  })

  it('that cannot be right is refused before anything is written', async () => {
    const { t } = await startWithPeer()
    const prepare = (more: Partial<MailToMany>) =>
      t.ctx.transaction(systemActor, (tx) => prepareMail(tx, { ...news, ...more }))
    const html = (text: string) => ({ source: { ...source, html: text } })
    await expect(prepare({ perRecipient: [] })).rejects.toThrow('undefined variable')
    await expect(prepare(html('{{ nobody }}'))).rejects.toThrow('undefined variable')
    await expect(prepare({ perRecipient: ['name', 'link', 'title'] })).rejects.toThrow('"title"')
    await expect(prepare({ perRecipient: ['name', 'link', 'subject'] })).rejects.toThrow('"subject"')
    await expect(prepare(html('{{ name | upcase }}'))).rejects.toThrow('filter')
    await expect(prepare(html('{{ name | truncate: 12 }}'))).rejects.toThrow('filter')
    await expect(send(t, [recipient(1, { values: { name: 'Ada' } })])).rejects.toThrow('has no "link"')
    for (const [name, value] of [
      ['X-A', 'one\r\nBcc: eve@example.com'],
      ['X-A\r\nBcc', 'e'],
      ['Bcc', 'e@x.org'],
      ['to', 'e@x.org'],
    ] as const) {
      await expect(send(t, [recipient(1, { headers: { [name]: value } })])).rejects.toThrow('header')
    }
    expect(await t.ctx.unguarded.selectFrom('delivery_bodies').select('id').execute()).toEqual([])
  })

  it('tells how far it is; what no node has taken yet can be taken back', async () => {
    const { t, peer } = await startWithPeer()
    peer.onMail = async ({ to }) => {
      if (to.includes('user2@example.com')) await held.promise
    }
    const held = Promise.withResolvers<void>()
    const bodyId = await send(t, recipients(3))
    const unsent = await send(t, recipients(1_200))
    await t.ctx.unguarded.updateTable('deliveries').set({ due_ms: 4e12 }).where('body_id', '=', unsent).execute()
    const delivered = t.ctx.outbox.deliverDue()
    await until(() => peer.mails.length === 3, 'all mails')
    await t.ctx.unguarded
      .updateTable('deliveries')
      .set({ status: 'failed' })
      .where('body_id', '=', unsent)
      .where('recipient', '=', 'user5@example.com')
      .execute()
    expect(await findMailProgress(t.ctx.unguarded, unsent)).toEqual({
      queued: 1_199,
      untried: 1_199,
      sent: 0,
      failed: 1,
    })
    expect(await t.ctx.transaction(systemActor, (tx) => cancelMail(tx, unsent))).toBe(1_199)
    expect(await findMailProgress(t.ctx.unguarded, unsent)).toEqual({ queued: 0, untried: 0, sent: 0, failed: 1 })
    expect(await t.ctx.transaction(systemActor, (tx) => cancelMail(tx, bodyId))).toBe(0)
    held.resolve()
    await delivered
    expect(await findMailProgress(t.ctx.unguarded, bodyId)).toEqual({ queued: 0, untried: 0, sent: 3, failed: 0 })
  })
})

describe('bulk messages never stand in the way', () => {
  it('whatever else there is goes first, and one slot of the five stays free for it', async () => {
    const { t, peer } = await startWithPeer()
    const held = Promise.withResolvers<void>()
    peer.onMail = ({ to }) => (to.includes('reset@example.com') ? undefined : held.promise)
    await send(t, recipients(300))
    for (const index of [1, 2, 3]) await other(t, `first${index}@example.com`)
    t.ctx.outbox.start()
    onTestFinished(() => t.ctx.outbox.stop())
    await until(() => peer.mails.length === 5, 'all slots to be taken')
    expect(addresses(peer).filter((address) => address.startsWith('first'))).toHaveLength(3)
    held.resolve()
    const slow = Promise.withResolvers<void>()
    peer.onMail = ({ to }) => (to.includes('reset@example.com') ? undefined : slow.promise)
    await until(() => peer.mails.length >= 9, 'mail to many to have its slots')
    await other(t, 'reset@example.com')
    await until(() => addresses(peer).includes('reset@example.com'), 'the other mail', 2_000)
    const before = peer.mails.length
    await other(t, 'reset@example.com')
    await until(() => peer.mails.length > before, 'one more', 2_000)
    expect(addresses(peer).at(-1)).toBe('reset@example.com')
    slow.resolve()
    await until(() => peer.mails.length === 305, 'all')
    const ids = new Set(peer.mails.map(({ parsed }) => parsed.messageId))
    expect(ids.size).toBe(305)
  })

  it('a stop waits for what is being sent and gives the rest back at once', async () => {
    const { t, peer } = await startWithPeer()
    const held = Promise.withResolvers<void>()
    peer.onMail = () => (peer.mails.length > 150 ? held.promise : undefined)
    await send(t, recipients(400))
    t.ctx.outbox.start()
    await until(() => peer.mails.length === 154, 'four on their way')
    const stopped = t.ctx.outbox.stop()
    held.resolve()
    await stopped
    const rows = await t.ctx.unguarded.selectFrom('deliveries').select(['status', 'attempts']).execute()
    const count = (text: string) => rows.filter(({ status, attempts }) => `${status} ${attempts}` === text).length
    expect([count('sent 1'), count('queued 0')]).toEqual([154, 246])
  })

  it('a server that takes nothing is left alone for a while, other mail is tried all the same', async () => {
    const { t, peer } = await startWithPeer()
    peer.behave({ refuse: 'too many' })
    await send(t, recipients(200))
    await t.ctx.outbox.deliverDue()
    const tried = () => t.ctx.unguarded.selectFrom('deliveries').select('id').where('attempts', '>', 0).execute()
    expect((await tried()).length).toBeLessThan(20)
    peer.behave('accept')
    await other(t, 'reset@example.com')
    await t.ctx.outbox.deliverDue()
    expect(addresses(peer)).toEqual(['reset@example.com'])
    t.clock.advance({ seconds: 5 })
    await t.ctx.outbox.deliverDue()
    expect(peer.mails).toHaveLength(201)
  })

  it('a message of a node that died is taken over when its lease ends, and not before', async () => {
    const { t, peer } = await startWithPeer()
    await send(t, recipients(2))
    const due_ms = t.clock.now().getTime() + 10_000
    await t.ctx.unguarded.updateTable('deliveries').set({ status: 'sending', attempts: 1, due_ms }).execute()
    await t.ctx.outbox.deliverDue()
    expect(peer.mails).toHaveLength(0)
    t.clock.advance({ seconds: 10 })
    await t.ctx.outbox.deliverDue()
    expect(peer.mails).toHaveLength(2)
  })

  it('with 20,000 of them waiting, the next message and the progress are found through their indexes', async () => {
    const { t } = await startWithPeer()
    const bodyId = await send(t, recipients(20_000))
    const { unguarded: db } = t.ctx
    await sql`analyze`.execute(db)
    const queries = {
      deliveries_due: sql`select id from deliveries where kind = 'mail' and bulk = 0 and status in ('queued', 'sending')
        and due_ms <= ${t.clock.now().getTime()} order by due_ms limit 5`,
      deliveries_body: sql`select status, count(*) from deliveries where body_id = ${bodyId} group by status`,
    }
    for (const [index, query] of Object.entries(queries)) {
      const explain = isPostgres(db) ? sql`set enable_seqscan = off` : sql`select 1`
      await db.connection().execute(async (one) => {
        await explain.execute(one)
        const { rows } = await sql`${sql.raw(isPostgres(db) ? 'explain' : 'explain query plan')} ${query}`.execute(one)
        expect(JSON.stringify(rows)).toContain(index)
        if (isPostgres(db)) await sql`reset enable_seqscan`.execute(one)
      })
    }
  })
})

import { simpleParser } from 'mailparser'
import { expect, inject, it } from 'vitest'
import { createTestApp, runPluginJobs } from '../../../server/src/testing/app.ts'
import { startSmtpPeer } from '../../../server/src/testing/smtp-peer.ts'
import { announce, createUsers, progressOf, sendAll, startMailSink } from './testing/notifying.ts'

it('mails 2,000 active users exactly once each through a real SMTP server, and nobody else', async () => {
  const peer = await startMailSink()
  const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_MAIL_URL: peer.url })
  const active = ['admin@example.com', ...(await createUsers(t.ctx.unguarded, 1999))]
  await createUsers(t.ctx.unguarded, 20, 'Banned')
  const id = await announce(t, { title: 'Über\r\nBcc: all', body: 'A *b*\n\n<script>alert(1)</script>' })
  expect(await progressOf(t, id)).toEqual({
    status: 'running',
    total: 2000,
    queued: 2000,
    sent: 0,
    failed: 0,
    skipped: 0,
  })
  await createUsers(t.ctx.unguarded, 5) // too late
  await sendAll(t)
  expect(await progressOf(t, id)).toEqual({ status: 'done', total: 2000, queued: 0, sent: 2000, failed: 0, skipped: 0 })
  expect(peer.mails.map(({ to }) => to).sort()).toEqual(active.sort())
  expect(new Set(peer.mails.map(({ messageId }) => messageId)).size).toBe(2000)
  const links = peer.mails.map(({ raw }) => /^List-Unsubscribe:\s+<(\S+)>/im.exec(raw)?.[1])
  expect(new Set(links).size).toBe(2000)

  const parsed = await simpleParser(peer.mails[0]?.raw ?? '')
  expect(parsed.subject).toBe('Über Bcc: all')
  expect(parsed.html).toContain('<p>A <em>b</em></p>\n<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
  expect(parsed.text).toContain('A *b*\n\n<script>alert(1)</script>')

  // Much later, when the deliveries have been removed.
  await t.ctx.unguarded.deleteFrom('deliveries').execute()
  expect(await progressOf(t, id)).toMatchObject({ status: 'done', total: 2000, sent: 2000 })
})

it('queues at most 1,000 mails, and continues as they are sent', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  await createUsers(t.ctx.unguarded, 2100)
  const id = await announce(t)
  const rows = async () => (await t.ctx.unguarded.selectFrom('deliveries').select('id').execute()).length
  await runPluginJobs(t)
  await runPluginJobs(t)
  expect(await rows()).toBe(1000)
  expect(await progressOf(t, id)).toMatchObject({ status: 'running', total: 2101, queued: 2101 })
  await t.ctx.outbox.deliverDue()
  await runPluginJobs(t)
  expect(await rows()).toBe(2000)
  expect(await progressOf(t, id)).toMatchObject({ status: 'running', total: 2101, queued: 1101, sent: 1000 })
})

it('skips users who were banned, deleted or unsubscribed in the meantime, and the numbers add up', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const people = [await t.createUser(), await t.createUser(), await t.createUser(), await t.createUser()]
  const [banned, deleted, unsubscribed, stays] = people.map(({ user }) => user)
  const id = await announce(t)
  await t.call(`PATCH /users/${banned?.id}`, { body: { status: 'Banned' } })
  await t.call(`DELETE /users/${deleted?.id}`)
  await t.call('PUT /announcements/subscription', { key: people[2]?.key as string, body: { subscribed: false } })
  expect(await progressOf(t, id)).toEqual({ status: 'running', total: 5, queued: 5, sent: 0, failed: 0, skipped: 0 })
  await sendAll(t)
  expect(await progressOf(t, id)).toEqual({ status: 'done', total: 5, queued: 0, sent: 2, failed: 0, skipped: 3 })
  const mailed = await t.ctx.unguarded.selectFrom('deliveries').select('recipient').orderBy('id').execute()
  expect(mailed.map(({ recipient }) => recipient)).toEqual(['admin@example.com', stays?.email])
  expect(unsubscribed?.email).toBeDefined()
})

it('counts mails that the mail server refuses permanently as failed', async () => {
  const peer = await startSmtpPeer()
  peer.behave({ refuse: 'no' })
  const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_MAIL_URL: peer.url })
  const id = await announce(t)
  await runPluginJobs(t)
  for (let tries = 0; tries < 60; tries++) {
    await t.ctx.outbox.deliverDue()
    t.clock.advance({ hours: 1 })
  }
  await runPluginJobs(t)
  expect(await progressOf(t, id)).toEqual({ status: 'done', total: 1, queued: 0, sent: 0, failed: 1, skipped: 0 })
})

it('addresses that the mail server refuses hold up nobody else', async () => {
  const refused = new Set<string>()
  const peer = await startSmtpPeer({
    onRcptTo: ({ address }, _session, answer) => {
      if (refused.size < 1_100) refused.add(address)
      answer(refused.has(address) ? Object.assign(new Error('No such user'), { responseCode: 550 }) : null)
    },
  })
  const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_MAIL_URL: peer.url })
  await createUsers(t.ctx.unguarded, 1_299)
  const id = await announce(t)
  for (let seconds = 0; seconds < 600; seconds += 5) {
    await runPluginJobs(t)
    await t.ctx.outbox.deliverDue()
    t.clock.advance({ seconds: 5 })
  }
  expect(await progressOf(t, id)).toMatchObject({ status: 'running', queued: 1_100, sent: 200 })
  expect(new Set(peer.mails.flatMap(({ to }) => to)).size).toBe(200)
})

it('can be cancelled: unsent mails are not sent', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  await createUsers(t.ctx.unguarded, 1499)
  const id = await announce(t)
  await runPluginJobs(t)
  await t.ctx.outbox.deliverDue()
  await runPluginJobs(t) // 500 more wait
  const cancelled = await t.call(`DELETE /announcements/${id}/notifications`)
  const numbers = { status: 'cancelled', total: 1500, queued: 0, sent: 1000, failed: 0, skipped: 500 }
  expect({ status: cancelled.status, body: cancelled.body }).toEqual({ status: 200, body: { data: numbers } })
  await sendAll(t)
  expect(await t.ctx.unguarded.selectFrom('deliveries').select('id').execute()).toHaveLength(1000)
  expect(await progressOf(t, id)).toEqual(numbers)
  expect((await t.call(`DELETE /announcements/${id}/notifications`)).body.data).toEqual(numbers)
  expect((await t.call(`POST /announcements/${id}/notifications`)).status).toBe(422)
})

it('ends with its announcement', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  await createUsers(t.ctx.unguarded, 1200)
  const id = await announce(t)
  await runPluginJobs(t)
  expect((await t.call(`DELETE /announcements/${id}`)).status).toBe(200)
  await sendAll(t)
  expect(await t.ctx.unguarded.selectFrom('deliveries').select('id').execute()).toEqual([])
  expect((await t.call(`GET /announcements/${id}/notifications`)).status).toBe(404)
})

it('can be started later, once, after a count of the recipients', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const users = [await t.createUser(), await t.createUser(), await t.createUser({ status: 'Unconfirmed' })]
  for (const { key } of users.slice(1, 2)) {
    await t.call('PUT /announcements/subscription', { key, body: { subscribed: false } })
  }
  const recipients = async () => (await t.call('GET /announcements/recipients')).body.data
  expect(await recipients()).toEqual({ count: 2, unsubscribed: 1 })
  for (const [status, count, unsubscribed] of [
    ['Banned', 2, 0],
    ['Active', 2, 1],
    ['Unconfirmed', 2, 0],
    ['Active', 2, 1],
  ]) {
    await t.call(`PATCH /users/${users[1]?.user.id}`, { body: { status } })
    expect(await recipients()).toEqual({ count, unsubscribed })
  }

  const id = await announce(t, { email_notifications: false })
  expect((await t.call(`GET /announcements/${id}/notifications`)).status).toBe(404)
  expect((await t.call(`DELETE /announcements/${id}/notifications`)).status).toBe(404)
  const answers = await Promise.all([1, 2, 3].map(() => t.call(`POST /announcements/${id}/notifications`)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422])
  const refused = answers.find(({ status }) => status === 422)
  expect(refused?.body).toEqual({
    message: 'This announcement has been mailed before.',
    code: 'announcements_already_notified',
  })
  await sendAll(t)
  expect(await progressOf(t, id)).toEqual({ status: 'done', total: 3, queued: 0, sent: 2, failed: 0, skipped: 1 })
  const { body } = await t.call('GET /activity?filter[event]=announcement.notifications_started')
  expect(body.data).toMatchObject([{ subject_type: 'announcement', subject_id: id, details: { total: 3 } }])
})

it('is requested by a flag', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const mailsFor = async (flags: object): Promise<number> => {
    const { status } = await t.call('POST /announcements', { body: { title: 'T', body: 'B', ...flags } })
    expect(status).toBe(201)
    await sendAll(t)
    const { numDeletedRows } = await t.ctx.unguarded.deleteFrom('deliveries').executeTakeFirst()
    return Number(numDeletedRows)
  }
  for (const flag of [true, 'true', '1']) expect(await mailsFor({ email_notifications: flag }), `${flag}`).toBe(1)
  for (const flag of [false, 'false', '0']) expect(await mailsFor({ email_notifications: flag }), `${flag}`).toBe(0)
  // In the spelling of older clients.
  for (const flag of [true, '1']) expect(await mailsFor({ email_notification: flag }), `${flag}`).toBe(1)
  expect(await mailsFor({ email_notifications: false, email_notification: true })).toBe(0)
  expect(await mailsFor({})).toBe(0)
})

it('keeps to the configured rate', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  await createUsers(t.ctx.unguarded, 500)
  const set = await t.call('PATCH /settings', { body: { 'announcements.mails_per_minute': 120 } })
  expect(set.body.data['announcements.mails_per_minute']).toBe(120)
  for (const wrong of [-1, 1.5, 'sixty', null]) {
    const { status } = await t.call('PATCH /settings', { body: { 'announcements.mails_per_minute': wrong } })
    expect(status, String(wrong)).toBe(422)
  }
  await announce(t)
  const after: number[] = []
  for (let second = 0; second < 60; second++) {
    await runPluginJobs(t)
    await t.ctx.outbox.deliverDue()
    after.push((await t.ctx.unguarded.selectFrom('deliveries').select('id').execute()).length)
    t.clock.advance({ seconds: 1 })
  }
  expect([after[0], after[4], after[5], after[30], after[59]]).toEqual([10, 10, 20, 70, 120])
  await t.call('PATCH /settings', { body: { 'announcements.mails_per_minute': 0 } })
  await sendAll(t)
  expect(await t.ctx.unguarded.selectFrom('deliveries').select('id').execute()).toHaveLength(501)
})

it('is included in the announcement on request, for callers who may see it', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const reader = await t.createUser()
  const mailed = await announce(t)
  const silent = (await t.call('POST /announcements', { body: { title: 'T', body: 'B' } })).body.data.id
  const included = async (id: number, key?: string) =>
    (await t.call(`GET /announcements/${id}?include=notifications`, key === undefined ? {} : { key })).body.data
      .notifications
  expect(await included(mailed)).toEqual(await progressOf(t, mailed))
  expect(await included(silent)).toBeNull()
  expect(await included(mailed, reader.key)).toBeNull()
  await sendAll(t)
  expect(await included(mailed)).toMatchObject({ status: 'done', sent: 2 })
})

it('goes on at its pace after the clock was set back', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  await createUsers(t.ctx.unguarded, 30)
  await t.call('PATCH /settings', { body: { 'announcements.mails_per_minute': 120 } })
  await announce(t)
  const mails = async () => (await t.ctx.unguarded.selectFrom('deliveries').select('id').execute()).length
  await runPluginJobs(t)
  expect(await mails()).toBe(10)
  t.clock.advance({ hours: -1 })
  await runPluginJobs(t)
  expect(await mails()).toBe(20)
  await runPluginJobs(t)
  expect(await mails()).toBe(20)
})

it('misses nobody where a user becomes active while a batch is prepared', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const { user: late } = await t.createUser({ status: 'Unconfirmed' })
  await createUsers(t.ctx.unguarded, 205)
  await announce(t)
  const { transaction } = t.ctx
  let isFirst = true
  Object.assign(t.ctx, {
    transaction: (async (actor, work) => {
      if (isFirst) {
        isFirst = false
        await t.call(`PATCH /users/${late.id}`, { body: { status: 'Active' } })
      }
      return transaction(actor, work)
    }) satisfies typeof transaction,
  })
  await runPluginJobs(t)
  Object.assign(t.ctx, { transaction })
  await runPluginJobs(t)
  const { db } = t.ctx
  const mailed = await db
    .selectFrom('deliveries')
    .select('user_id')
    .where('template', '=', 'announcements.published')
    .execute()
  const active = await db.selectFrom('users').select('id').where('status', '=', 'Active').orderBy('id').execute()
  const ids = mailed.map(({ user_id }) => Number(user_id)).sort((a, b) => a - b)
  expect(ids).toEqual(active.map(({ id }) => id).filter((id) => id !== late.id))
})

import type { RootDb } from '../../../../server/src/db/database.ts'
import { inTransaction } from '../../../../server/src/db/transaction.ts'
import { type Answer, runPluginJobs, type TestApp } from '../../../../server/src/testing/app.ts'
import { startSmtpPeer } from '../../../../server/src/testing/smtp-peer.ts'

/** Runs the walk and the outbox in turn until nothing is left to do. */
export async function sendAll(t: TestApp): Promise<void> {
  for (let waiting = true; waiting; ) {
    await runPluginJobs(t)
    await t.ctx.outbox.deliverDue()
    await runPluginJobs(t)
    const row = await t.ctx.unguarded
      .selectFrom('deliveries')
      .select('id')
      .where('status', '=', 'queued')
      .executeTakeFirst()
    waiting = row !== undefined
  }
}

/** Inserts active users directly into the database; returns their addresses. */
export async function createUsers(
  db: RootDb,
  count: number,
  status: 'Active' | 'Banned' = 'Active',
): Promise<string[]> {
  const name = `${status}${Math.random().toString(36).slice(2, 8)}`.toLowerCase()
  const rows = Array.from({ length: count }, (_, index) => {
    const email = `${name}-${index}@example.com`
    return {
      email,
      email_canonical: email,
      password_hash: 'none',
      role_id: 2,
      status,
      first_name_key: '',
      last_name_key: '',
      created_at: '2026-01-01 00:00:00',
      updated_at: '2026-01-01 00:00:00',
    }
  })
  await inTransaction(db, async (transaction) => {
    for (let at = 0; at < rows.length; at += 500) {
      await transaction
        .insertInto('users')
        .values(rows.slice(at, at + 500))
        .execute()
    }
    await transaction
      .insertInto('user_counts')
      .values({ role_id: 2, status, count })
      .onConflict((conflict) =>
        conflict
          .columns(['role_id', 'status', 'slot'])
          .doUpdateSet((eb) => ({ count: eb('user_counts.count', '+', count) })),
      )
      .execute()
  })
  return rows.map(({ email }) => email)
}

/** An announcement that everybody gets by mail. */
export async function announce(t: TestApp, more: object = {}): Promise<number> {
  const body = { title: 'News', body: 'Some **news**', email_notifications: true, ...more }
  const answer = await t.call('POST /announcements', { body })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.data.id
}

export const progressOf = async (t: TestApp, id: number): Promise<Answer['body']> =>
  (await t.call(`GET /announcements/${id}/notifications`)).body.data

/** A real SMTP server that only records what arrives: parsing thousands of mails takes longer than sending them. */
export async function startMailSink() {
  const mails: { to: string; messageId: string; raw: string }[] = []
  const { url } = await startSmtpPeer({
    onData: async (stream, session, answer) => {
      const chunks: Buffer[] = []
      try {
        for await (const chunk of stream) chunks.push(chunk as Buffer)
      } catch {
        return // a client that was killed while sending
      }
      const raw = Buffer.concat(chunks).toString('utf8')
      const to = session.envelope.rcptTo.map(({ address }) => address).join()
      mails.push({ to, raw, messageId: /^Message-ID: (\S+)/im.exec(raw)?.[1] ?? '' })
      answer()
    },
  })
  return { url, mails }
}

import { sql } from 'kysely'
import { networkOf } from '../../core/addresses.ts'
import type { Tx } from '../../core/context.ts'
import { canonicalEmail } from '../../core/email-address.ts'
import { hashSecret } from '../../core/secrets.ts'
import { clockToleranceMs, isWindowOver } from '../../core/time.ts'
import { isTriesWindowOver, refuseUntil } from '../../security/attempts/attempts.service.ts'

/*
 * Anybody can have mail sent to anybody: by registering their address, changing their own address to it, or asking again.
 * Mail to unconfirmed addresses is limited for each mailbox and each sender, over all kinds of mail together.
 */

const minuteMs = 60_000
const hourMs = 60 * minuteMs

interface Budget {
  readonly name: string
  readonly limit: number
  readonly windowMs: number
}

/**
 * One key for each mailbox, ignoring the plus part: `ada+news@example.com` is ada's mailbox. A hash, because the counts
 * outlive the account.
 */
function mailboxOf(email: string): string {
  const canonical = canonicalEmail(email)
  const at = canonical.lastIndexOf('@')
  const local = canonical.slice(0, at)
  return hashSecret(`${local.replace(/(?<=.)\+.*$/s, '')}${canonical.slice(at)}`)
}

/**
 * Counts one more mail to this address and returns whether it may be sent. Runs in the transaction that writes the mail, so
 * that an unsent mail is not counted. Exact also for parallel requests.
 */
export async function mayMailUnproved(tx: Tx, email: string): Promise<boolean> {
  // The sender first: once their limit is used up, they take nothing from the mailbox.
  return (await isOneMore(tx, senderOf(tx))) && (await mayMailMailbox(tx, email))
}

/**
 * The same for an administrator, who may write to any number of people but to none too often; throws 429. Without this, a
 * button pressed twice would send two mails.
 */
export async function assertMayMailMailbox(tx: Tx, email: string): Promise<void> {
  const budgets = await refusingBudgets(tx, email)
  if (budgets.length === 0) return
  const names = budgets.map(({ name }) => name)
  const rows = await tx.db
    .selectFrom('tries')
    .select(['name', 'count', 'expires_ms'])
    .where('name', 'in', names)
    .execute()
  const now = tx.clock().getTime()
  const ends = budgets.flatMap(({ name, limit, windowMs }) => {
    const row = rows.find((found) => found.name === name)
    if (row === undefined || row.count < limit) return []
    return isWindowOver(now, row.expires_ms, windowMs, clockToleranceMs) ? [] : [{ limit, endsMs: row.expires_ms }]
  })
  const [last] = ends.toSorted((a, b) => b.endsMs - a.endsMs)
  throw refuseUntil(tx, last?.endsMs ?? now, last?.limit ?? 1)
}

/** Counts one more mail to the mailbox; false if it had one within the minute, or five within the hour. */
export async function mayMailMailbox(tx: Tx, email: string): Promise<boolean> {
  return (await refusingBudgets(tx, email)).length === 0
}

/** Takes as many statements as `mayMailUnproved`, one for the sender and two for the mailbox, and counts nothing. */
export async function pretendToCountUnproved({ db }: Tx): Promise<void> {
  for (let budgets = 0; budgets < 3; budgets++) await db.deleteFrom('tries').where('name', '=', '').execute()
}

/** Counts one more mail to the mailbox, up to the first budget that is used up; returns that and the ones after it. */
async function refusingBudgets(tx: Tx, email: string): Promise<Budget[]> {
  const mailbox = mailboxOf(email)
  const budgets: Budget[] = [
    { name: `unproved mail, minute ${mailbox}`, limit: 1, windowMs: minuteMs },
    { name: `unproved mail, hour ${mailbox}`, limit: 5, windowMs: hourMs },
  ]
  for (const [at, budget] of budgets.entries()) if (!(await isOneMore(tx, budget))) return budgets.slice(at)
  return []
}

/**
 * Who causes the mail, and how many mails they may cause in an hour: the user, or the network of an anonymous caller. Everybody in
 * an office or a school shares a network, and they may all register on one morning.
 */
const senderOf = ({ actor }: Tx): Budget =>
  actor.userId === null
    ? { name: `unproved mail by network ${networkOf(actor.origin.ip ?? '')}`, limit: 100, windowMs: hourMs }
    : { name: `unproved mail by user ${actor.userId}`, limit: 20, windowMs: hourMs }

/** Counts in one statement, and only within the limit. */
async function isOneMore(tx: Tx, { name, limit, windowMs }: Budget): Promise<boolean> {
  const now = tx.clock().getTime()
  const isOver = isTriesWindowOver(now, windowMs)
  const counted = await tx.db
    .insertInto('tries')
    .values({ name, count: 1, expires_ms: now + windowMs })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({
          count: sql<number>`case when ${isOver} then 1 else tries.count + 1 end`,
          expires_ms: sql<number>`case when ${isOver} then ${now + windowMs} else tries.expires_ms end`,
        })
        .where((is) => is.or([isOver, is('tries.count', '<', limit)])),
    )
    .returning('name')
    .executeTakeFirst()
  return counted !== undefined
}

import { sql } from 'kysely'
import { callerOf } from '../../core/addresses.ts'
import type { Tx } from '../../core/context.ts'
import { canonicalEmail } from '../../core/email-address.ts'
import { hashSecret } from '../../core/secrets.ts'

/*
 * Anybody can have mail sent to anybody: by registering their address, by changing their own to it, by asking for more. What
 * goes to an address that nobody has proved is bounded for each mailbox and for each sender, over all kinds together.
 */

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** One mailbox, whatever its plus-part: `ada+news@example.com` is read by ada. A hash, for the counts outlive the account. */
function mailboxOf(email: string): string {
  const canonical = canonicalEmail(email)
  const at = canonical.lastIndexOf('@')
  const local = canonical.slice(0, at)
  return hashSecret(`${local.replace(/(?<=.)\+.*$/s, '')}${canonical.slice(at)}`)
}

/**
 * Whether one more mail may go to this address, which then counts. It is part of the transaction that writes the mail: one that
 * is not sent counts for nobody. Of many at once, as many are let through as the limit says.
 */
export async function mayMailUnproved(tx: Tx, email: string): Promise<boolean> {
  const mailbox = mailboxOf(email)
  // The sender first: who has used theirs up takes nothing from the mailbox.
  return (
    (await isOneMore(tx, `unproved mail by ${senderOf(tx)}`, 20, hourMs)) &&
    (await isOneMore(tx, `unproved mail, minute ${mailbox}`, 1, minuteMs)) &&
    (await isOneMore(tx, `unproved mail, hour ${mailbox}`, 5, hourMs))
  )
}

/** Who has it sent: the user, or the network of a stranger. */
const senderOf = ({ actor }: Tx): string =>
  actor.userId === null ? `network ${callerOf(actor.origin.ip ?? '')}` : `user ${actor.userId}`

/** Counts in one statement, and only what is within the limit. */
async function isOneMore(tx: Tx, name: string, limit: number, windowMs: number): Promise<boolean> {
  const now = tx.clock().getTime()
  const counted = await tx.db
    .insertInto('tries')
    .values({ name, count: 1, expires_ms: now + windowMs })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({
          count: sql<number>`case when tries.expires_ms <= ${now} then 1 else tries.count + 1 end`,
          expires_ms: sql<number>`case when tries.expires_ms <= ${now} then ${now + windowMs} else tries.expires_ms end`,
        })
        .where((is) => is.or([is('tries.expires_ms', '<=', now), is('tries.count', '<', limit)])),
    )
    .returning('name')
    .executeTakeFirst()
  return counted !== undefined
}

import type { Db, RootDb } from '../db/database.ts'

/** When messages are due that a restored backup holds back: 9999-12-31 23:59:59. */
export const heldDueMs = 253_402_300_799_000
/** Who holds the webhooks of a restored backup until they are released. */
export const webhookHolder = 'held'
/** In `installation`: the id of the newest mail to many in a restored backup. New messages of it, and of older ones, are held, too. */
export const heldBodies = 'held_mail_bodies'
/** Messages are tried for at least this long after their release. */
const tryForMs = 3_600_000

/** When new messages of a mail to many are due, in epoch milliseconds. */
export async function dueOf(db: Db, bodyId: number, now: number): Promise<number> {
  const last = await db.selectFrom('installation').select('value').where('name', '=', heldBodies).executeTakeFirst()
  return last !== undefined && bodyId <= Number(last.value) ? heldDueMs : now
}

/** Lets go what waited when a backup was made; returns the numbers of messages and webhooks. */
export async function releaseHeld(db: RootDb, now: number): Promise<{ messages: number; webhooks: number }> {
  return db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('installation').where('name', '=', heldBodies).execute()
    const held = transaction.updateTable('deliveries').where('status', '=', 'queued').where('due_ms', '=', heldDueMs)
    await held
      .set({ give_up_ms: now + tryForMs })
      .where('give_up_ms', '<', now + tryForMs)
      .execute()
    const messages = await held.set({ due_ms: now }).executeTakeFirst()
    const webhooks = await transaction
      .updateTable('webhook_queues')
      .set({ holder: null, lease_until_ms: 0 })
      .where('holder', '=', webhookHolder)
      .executeTakeFirst()
    return { messages: Number(messages.numUpdatedRows), webhooks: Number(webhooks.numUpdatedRows) }
  })
}

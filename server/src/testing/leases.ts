import type { RootDb } from '../db/database.ts'

/** After a kill: as if the time of the dead node's leases had passed, so that the next one may take over at once. */
export async function endLeases(db: RootDb): Promise<void> {
  await db.updateTable('deliveries').set({ due_ms: 0 }).where('status', '=', 'sending').execute()
  await db.updateTable('webhook_queues').set({ lease_until_ms: 0 }).where('holder', 'is not', null).execute()
  await db.updateTable('jobs').set({ lease_ms: 0 }).where('status', '=', 'running').execute()
}

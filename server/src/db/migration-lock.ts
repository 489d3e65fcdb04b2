import { setTimeout as pause } from 'node:timers/promises'
import type { RootDb } from './database.ts'
import { findApart } from './direct.ts'

/** Kysely's own number, so that nodes of earlier versions, which take Kysely's lock, are waited for as well. */
const lockId = '3853314791062309107'
const lookEveryMs = 200
const longMs = 10_000

/**
 * Runs `work` while no other node migrates this database; `onWait` is called if that takes long. SQLite excludes other writers by itself.
 *
 * On PostgreSQL the lock belongs to a transaction on a connection apart: behind a pooler a session is somebody else's the next
 * time. While it waits it holds no transaction open, because `create index concurrently` waits for older ones.
 */
export async function withMigrationLock<T>(db: RootDb, work: () => Promise<T>, onWait = () => {}): Promise<T> {
  const apart = await findApart(db)?.()
  if (apart === undefined) return work()
  try {
    for (let waitedMs = 0; !(await isLocked()); waitedMs += lookEveryMs) {
      if (waitedMs === longMs) onWait()
      await pause(lookEveryMs)
    }
    return await work()
  } finally {
    await apart.end() // which ends the transaction
  }

  async function isLocked(): Promise<boolean> {
    const { query } = apart as NonNullable<typeof apart>
    await query('begin')
    await query('set local idle_in_transaction_session_timeout = 0')
    const [row] = await query<{ locked: boolean }>(`select pg_try_advisory_xact_lock(${lockId}) as locked`)
    if (row?.locked === true) return true
    await query('rollback')
    return false
  }
}

import { sql } from 'kysely'
import type { Db, RootDb } from './database.ts'
import { isPostgres } from './dialect.ts'
import { isCollision, isForeignKeyViolation, isUniqueViolation } from './failures.ts'
import { openSession, runTransaction } from './running.ts'

const maxAttempts = 6
/** From this attempt on, a transaction waits for a lock as long as necessary: the holder is slow, not deadlocked with it. */
const patientAttempt = 4

/** Removes the lock timeout of this transaction, for work that cannot be repeated. */
export async function waitForLocks(db: Db): Promise<void> {
  if (isPostgres(db)) await sql`set local lock_timeout = 0`.execute(db)
}

/**
 * Runs `work` in one write transaction. Where two transactions collided, or one took what this one had found free, `work`
 * runs again and sees what is there now; its own checks then say what is wrong. So it must do nothing but queries.
 * `beginner` is the function whose caller an error names as the place where the transaction began.
 */
export async function inTransaction<T>(
  db: RootDb,
  work: (db: Db) => Promise<T>,
  beginner: (...parameters: never[]) => unknown = inTransaction,
): Promise<T> {
  return runTransaction(beginner, async (running) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await db.transaction().execute(async (transaction) => {
          running.isOpen = true
          const closeSession = openSession(transaction, running)
          try {
            if (attempt >= patientAttempt) await waitForLocks(transaction)
            return await work(transaction)
          } finally {
            closeSession()
            running.isOpen = false
          }
        })
      } catch (error) {
        const again = isCollision(error) || isUniqueViolation(error) || isForeignKeyViolation(error)
        if (!again || attempt === maxAttempts) throw error
      }
    }
  })
}

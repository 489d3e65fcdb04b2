import type { Db, RootDb } from './database.ts'
import { isCollision, isForeignKeyViolation, isUniqueViolation } from './failures.ts'
import { runTransaction } from './running.ts'

const maxAttempts = 5

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
          try {
            return await work(transaction)
          } finally {
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

import type { Db } from './database.ts'
import { isCollision, isForeignKeyViolation, isUniqueViolation } from './failures.ts'

const tries = 5

/**
 * Runs `work` in one write transaction. Where two transactions collided, or one took what this one had found free, `work`
 * runs again and sees what is there now; its own checks then say what is wrong. So it must do nothing but queries.
 */
export const transactionOn =
  (db: Db, afterCommit: (db: Db) => void = () => {}) =>
  async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        let transaction: Db = db
        const result = await db.transaction().execute((opened) => {
          transaction = opened
          return work(opened)
        })
        afterCommit(transaction)
        return result
      } catch (error) {
        const again = isCollision(error) || isUniqueViolation(error) || isForeignKeyViolation(error)
        if (!again || attempt === tries) throw error
      }
    }
  }

import { parentPort, workerData } from 'node:worker_threads'
import { openWriter, runEach, StatementCache } from './statements.ts'
import { toThreadFailure } from './thread-failure.ts'
import type { WriteAnswer, WriteQuestion } from './writer-thread.ts'

// Unlike the threads that read, this one keeps its priority: while it has the lock, others wait for it.

/** In KiB. A transaction that changes more than fits is written out before its end, and read again. */
const cacheSize = 32_000

const statements = new StatementCache(openWriter(workerData as string, cacheSize))
statements.db.pragma('wal_autocheckpoint = 0') // within a commit, it would keep others from the lock
const checkpoint = statements.db.prepare('pragma wal_checkpoint(passive)')

parentPort?.on('message', (question: WriteQuestion) => {
  parentPort?.postMessage(answerOf(question))
  if (question.sql === 'commit') copyLog()
})

function copyLog(): void {
  try {
    checkpoint.all()
  } catch {
    // A full disk, say: the next commit tries again.
  }
}

function answerOf({ sql, parameters, runs }: WriteQuestion): WriteAnswer {
  try {
    // On a disk error SQLite itself has rolled back.
    if (sql === 'rollback' && !statements.db.inTransaction) return { rows: [], changes: 0 }
    const statement = statements.prepare(sql)
    if (runs !== undefined) {
      runEach(statement, runs)
      return { rows: [], changes: runs.length }
    }
    if (statement.reader) return { rows: statement.all(...parameters), changes: undefined }
    return { rows: [], changes: statement.run(...parameters).changes }
  } catch (error) {
    return { error: toThreadFailure(error) }
  }
}

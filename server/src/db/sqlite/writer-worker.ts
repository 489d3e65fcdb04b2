import { parentPort, workerData } from 'node:worker_threads'
import { openWriter, StatementCache } from './statements.ts'
import type { WriteAnswer, WriteQuestion } from './writer-thread.ts'

// Unlike the threads that read, this one keeps its priority: while it has the lock, others wait for it.

/** In KiB. A transaction that changes more than fits is written out before its end, and read again. */
const cacheSize = 32_000

const statements = new StatementCache(openWriter(workerData as string, cacheSize))

parentPort?.on('message', (question: WriteQuestion) => parentPort?.postMessage(answerOf(question)))

function answerOf({ sql, parameters, runs }: WriteQuestion): WriteAnswer {
  try {
    // On a disk error SQLite itself has rolled back.
    if (sql === 'rollback' && !statements.db.inTransaction) return { rows: [], changes: 0 }
    const statement = statements.prepare(sql)
    if (runs !== undefined) {
      for (const each of runs) statement.run(...each)
      return { rows: [], changes: runs.length }
    }
    if (statement.reader) return { rows: statement.all(...parameters), changes: undefined }
    return { rows: [], changes: statement.run(...parameters).changes }
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    return { error: { message, code: code ?? '' } }
  }
}

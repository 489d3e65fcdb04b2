import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { openReader, StatementCache } from './statements.ts'
import type { Answer, Question } from './workers.ts'

// On Linux this lowers the priority of this thread alone, so that short work goes first. Elsewhere it would affect the whole process.
if (process.platform === 'linux') setPriority(0, 5)

const statements = new StatementCache(openReader(workerData as string, 4_000))

parentPort?.on('message', ({ sql, parameters }: Question) => {
  parentPort?.postMessage(answerOf(sql, parameters))
})

function answerOf(sql: string, parameters: readonly unknown[]): Answer {
  try {
    return { rows: statements.prepare(sql).all(...parameters) }
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    return { error: { message, code: code ?? '' } }
  }
}

import { parentPort, workerData } from 'node:worker_threads'
import { openReader, StatementCache } from './statements.ts'
import { toThreadFailure } from './thread-failure.ts'
import { lowerPriority } from './thread-priority.ts'
import type { Answer, Question } from './workers.ts'

lowerPriority()

const statements = new StatementCache(openReader(workerData as string, 4_000))

parentPort?.on('message', ({ sql, parameters }: Question) => {
  parentPort?.postMessage(answerOf(sql, parameters))
})

function answerOf(sql: string, parameters: readonly unknown[]): Answer {
  const before = process.threadCpuUsage()
  try {
    const rows = statements.prepare(sql).all(...parameters)
    const { user, system } = process.threadCpuUsage(before)
    return { rows, tookMs: (user + system) / 1000 }
  } catch (error) {
    return { error: toThreadFailure(error) }
  }
}

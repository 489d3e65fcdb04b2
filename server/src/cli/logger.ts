import { write, writeSync } from 'node:fs'
import { pino } from 'pino'
import type { Config } from '../config.ts'
import type { Log } from '../core/context.ts'

/** The time of a line, written out once a millisecond. */
function createTimestamp(): () => string {
  let written = 0
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== written) text = new Date(now).toISOString()
    written = now
    return text
  }
}

/** What pino writes, in half the time: each request has such a line. Without the care that pino takes of errors. */
function quickInfo(logger: pino.Logger, timestamp: () => string, write: (line: string) => void): Log['info'] {
  if (!logger.isLevelEnabled('info')) return () => {}
  const level = logger.levels.values.info
  return (details, msg) => write(`${JSON.stringify({ level, time: timestamp(), ...details, msg })}\n`)
}

const standardOutput = 1
/** Handing lines over costs as much as writing a few: what is logged within so long is written together. */
const togetherMs = 10
const retryMs = 50
/** What waits for a reader that does not read; beyond it, lines are dropped. */
const maxWaiting = 8 * 1024 * 1024
/** How long the end of the process waits for such a reader. */
const maxFlushMs = 1_000

/**
 * Writes lines to standard output, one piece after the other, from another thread: a pipe may be full. What cannot be written is
 * dropped, for a full disk is no reason to stop serving. (pino's own destination ends the process over it, and then does not end.)
 */
function createOutput(): { write: (line: string) => void; flush: () => Promise<void> } {
  let lines = ''
  let writing: Promise<void> | undefined

  const writeOut = (bytes: Buffer): Promise<void> =>
    new Promise((done) => {
      const from = (start: number) =>
        write(standardOutput, bytes, start, bytes.length - start, null, (error, written) => {
          if (error?.code === 'EAGAIN') setTimeout(() => from(start), retryMs).unref()
          else if (error === null && start + written < bytes.length) from(start + written)
          else done()
        })
      from(0)
    })
  const start = (): Promise<void> => {
    if (writing !== undefined || lines === '') return writing ?? Promise.resolve()
    const bytes = Buffer.from(lines)
    lines = ''
    writing = writeOut(bytes).then(() => {
      writing = undefined
      if (lines !== '') setTimeout(start, togetherMs)
    })
    return writing
  }
  const writeAll = async (): Promise<void> => {
    while (lines !== '' || writing !== undefined) await start()
  }
  process.once('exit', () => {
    try {
      if (lines !== '') writeSync(standardOutput, lines) // the last words of a process that fails
    } catch {}
  })
  return {
    write: (line) => {
      if (lines === '' && writing === undefined) setTimeout(start, togetherMs)
      if (lines.length < maxWaiting) lines += line
    },
    flush: () => Promise.race([writeAll(), new Promise<void>((done) => setTimeout(done, maxFlushMs))]),
  }
}

/** What is logged of an error. A database adds fields of its own, with the values of the row that it refused: none of those. */
export function toLoggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, code } = error as NodeJS.ErrnoException
  return { type: name, message, ...(code === undefined ? {} : { code }), stack }
}

/** Lines in pino's format. `flush` writes what is left. */
export function createLogger({ logLevel }: Pick<Config, 'logLevel'>): { logger: Log; flush: () => Promise<void> } {
  const { write, flush } = createOutput()
  const timestamp = createTimestamp()
  const logger = pino(
    { level: logLevel, base: null, timestamp: () => `,"time":"${timestamp()}"`, serializers: { err: toLoggedError } },
    { write },
  )
  return {
    logger: {
      info: quickInfo(logger, timestamp, write),
      warn: logger.warn.bind(logger),
      error: logger.error.bind(logger),
    },
    flush,
  }
}

import cluster from 'node:cluster'
import { fstatSync, write, writeSync } from 'node:fs'
import { pino } from 'pino'
import type { Config } from '../config.ts'
import { causesOf } from '../core/causes.ts'
import type { Log } from '../core/context.ts'

/** The time of a line, formatted once a millisecond. */
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

/** Writes pino's format in half the time, because every request writes such a line. It does not have pino's handling of errors. */
function quickInfo(logger: pino.Logger, timestamp: () => string, write: (line: string) => void): Log['info'] {
  if (!logger.isLevelEnabled('info')) return () => {}
  const level = logger.levels.values.info
  return (details, msg) => write(`${JSON.stringify({ level, time: timestamp(), ...details, msg })}\n`)
}

const standardOutput = 1
/** All lines of this interval are written together: each write wakes a thread, which costs more than formatting several lines. */
const togetherMs = 50
const retryMs = 50
/**
 * Several processes may share the output. A file never mixes what they write (write(2), since Linux 3.14); a pipe mixes writes
 * that are longer than this (PIPE_BUF in pipe(7)).
 */
const pipePiece = 4_096
/** The limit for a reader that does not read; beyond it, lines are dropped. */
const maxWaiting = 8 * 1024 * 1024
/** How long the end of the process waits for such a reader. */
const maxFlushMs = 1_000

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile()
  } catch {
    return false // closed
  }
}

/**
 * Writes lines to standard output, one chunk after the other, from another thread, because a pipe may be full. What cannot
 * be written is dropped: a full disk is no reason to stop serving. (pino's own destination ends the process then, and
 * hangs.)
 */
function createOutput(): { write: (line: string) => void; flush: () => Promise<void> } {
  let lines = ''
  let writing: Promise<void> | undefined
  const isShared = cluster.isWorker && !isFile(standardOutput)

  /** Where the next piece ends: with a line, so that lines of several processes do not mix. */
  const endOf = (bytes: Buffer, start: number): number => {
    if (!isShared || bytes.length - start <= pipePiece) return bytes.length
    const end = bytes.lastIndexOf('\n', start + pipePiece - 1)
    return (end < start ? bytes.indexOf('\n', start) : end) + 1
  }

  const writeOut = (bytes: Buffer): Promise<void> =>
    new Promise((done) => {
      const from = (start: number) =>
        write(standardOutput, bytes, start, endOf(bytes, start) - start, null, (error, written) => {
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
      if (lines !== '') writeSync(standardOutput, lines) // the last lines of a process that fails
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

/** The logged parts of an error. A database adds fields with the values of the refused row: those are left out. */
export function toLoggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, code } = error as NodeJS.ErrnoException
  const cause = causesOf(error)
  return { type: name, message, ...(code === undefined ? {} : { code }), ...(cause === '' ? {} : { cause }), stack }
}

/** Writes lines in pino's format. `flush` writes what is left. */
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

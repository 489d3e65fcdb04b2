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

/** Handing lines over costs as much as writing a few: what is logged within so long is written together. */
const togetherMs = 10

/** Lines to standard output; `flush` hands over what is left, and pino writes it out when the process ends. */
export function createLogger({ logLevel }: Pick<Config, 'logLevel'>): { logger: Log; flush: () => void } {
  let lines = ''
  const flush = () => {
    const passed = lines
    lines = ''
    if (passed !== '') output.write(passed)
  }
  process.once('exit', flush) // before pino's own, which then has all of it
  const output = pino.destination({ sync: false })
  const write = (line: string) => {
    if (lines === '') setTimeout(flush, togetherMs)
    lines += line
  }
  const timestamp = createTimestamp()
  const logger = pino({ level: logLevel, base: null, timestamp: () => `,"time":"${timestamp()}"` }, { write })
  return {
    logger: {
      info: quickInfo(logger, timestamp, write),
      warn: logger.warn.bind(logger),
      error: logger.error.bind(logger),
    },
    flush,
  }
}

import { type Logger, pino } from 'pino'
import type { Config } from '../config.ts'

/** The time of a line, written out once a millisecond. */
function createTimestamp(): () => string {
  let written = 0
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== written) text = `,"time":"${new Date(now).toISOString()}"`
    written = now
    return text
  }
}

/** Lines to standard output. Those of one turn of the event loop are written together; `flush` hands over what is left (pino writes it out when the process ends). */
export function createLogger({ logLevel }: Pick<Config, 'logLevel'>): { logger: Logger; flush: () => void } {
  const output = pino.destination({ sync: false })
  let lines = ''
  const pass = () => {
    const passed = lines
    lines = ''
    if (passed !== '') output.write(passed)
  }
  const write = (line: string) => {
    if (lines === '') setImmediate(pass)
    lines += line
  }
  const logger = pino({ level: logLevel, base: null, timestamp: createTimestamp() }, { write })
  return { logger, flush: pass }
}

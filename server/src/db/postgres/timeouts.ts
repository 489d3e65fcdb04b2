import type pg from 'pg'

/** How long to wait for PostgreSQL; an address may say it in the parameters of libpq and of PostgreSQL that have these names. */
export interface Timeouts {
  /** `connect_timeout`: for a connection to be made, or to be free in the pool. */
  readonly connectMs: number
  /** `statement_timeout`: for a read, and for each statement of a transaction. */
  readonly statementMs: number
  /** `lock_timeout`: for a lock, before the transaction runs again. */
  readonly lockMs: number
  /** `idle_in_transaction_session_timeout`: for the next statement of a transaction. */
  readonly idleMs: number
  /** `answer_timeout`: for the answer to `select 1`. A server that takes longer counts as frozen. */
  readonly answerMs: number
}

const names = {
  connectMs: 'connect_timeout',
  statementMs: 'statement_timeout',
  lockMs: 'lock_timeout',
  idleMs: 'idle_in_transaction_session_timeout',
  answerMs: 'answer_timeout',
} satisfies Record<keyof Timeouts, string>

/** The parameters that `takeTimeouts` reads. */
export const timeoutNames: readonly string[] = Object.values(names)

const defaults: Timeouts = { connectMs: 3_000, statementMs: 20_000, lockMs: 100, idleMs: 20_000, answerMs: 2_000 }

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, min: 60_000 }
const shortestMs = 10
const longestMs = 3_600_000

/** Without a unit, libpq's parameter is in seconds and those of PostgreSQL are in milliseconds. */
function parseDuration(name: string, text: string): number {
  const [, digits, unit = name === names.connectMs ? 's' : 'ms'] = /^(\d{1,7})\s*(ms|s|min)?$/.exec(text) ?? []
  const ms = Number(digits) * (units[unit] as number)
  if (ms >= shortestMs && ms <= longestMs) return ms
  throw new Error(`${name} is a time from 10ms to 60min, for example ${name}=5s`)
}

/** Takes the timeouts out of the parameters of an address, so that none is sent when a connection starts. */
export function takeTimeouts(parameters: URLSearchParams): Timeouts {
  const read = (key: keyof Timeouts): number => {
    const given = parameters.get(names[key])
    parameters.delete(names[key])
    return given === null ? defaults[key] : parseDuration(names[key], given)
  }
  return {
    connectMs: read('connectMs'),
    statementMs: read('statementMs'),
    lockMs: read('lockMs'),
    idleMs: read('idleMs'),
    answerMs: read('answerMs'),
  }
}

/** pg knows this field, but its types do not. */
export const withTimeout = (query: pg.QueryConfig, timeoutMs: number): pg.QueryConfig =>
  Object.assign(query, { query_timeout: timeoutMs })

/** What a server does at once takes as long as two questions at most, before its connection counts as dead. */
export const atOnceMs = ({ answerMs }: Timeouts): number => 2 * answerMs

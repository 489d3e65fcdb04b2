/** What a database error means, on either database. */

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

/** Why a database or a service could not be used, in a few words. */
export function reasonOf(error: unknown): string {
  const { code, message = String(error), errors } = error as { code?: string; message?: string; errors?: unknown[] }
  if (code === undefined) return errors?.[0] === undefined ? (message.split('\n')[0] as string) : reasonOf(errors[0])
  // The codes of databases say little to people.
  const isOfDatabase = code.startsWith('SQLITE_') || 'severity' in (error as object)
  return isOfDatabase ? `${code}, ${message.split('\n')[0]}` : code
}

/** A unique constraint refused the write. */
export const isUniqueViolation = (error: unknown): boolean =>
  codeOf(error) === '23505' ||
  codeOf(error) === 'SQLITE_CONSTRAINT_UNIQUE' ||
  codeOf(error) === 'SQLITE_CONSTRAINT_PRIMARYKEY'

/** A foreign key refused the write. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  codeOf(error) === '23503' || codeOf(error) === 'SQLITE_CONSTRAINT_FOREIGNKEY'

/** The last three: a prepared statement that is unknown, known already, or stale. The next attempt sends it another way. */
const collisionCodes = new Set(['40P01', '40001', '55P03', 'SQLITE_IOERR_GROUP', '26000', '42P05', '0A000'])

/**
 * Two transactions collided (PostgreSQL: deadlock, serialization failure, lock timeout), or one was lost with its group
 * (SQLite). The same work can be done again.
 */
export const isCollision = (error: unknown): boolean => collisionCodes.has(codeOf(error))

/** Another statement of the transaction failed before, on PostgreSQL. */
export const isAborted = (error: unknown): boolean => codeOf(error) === '25P02'

const awayCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['57P01', '57P02', '57P03', '57P04', '57P05', '57014', '53300', '53100', '53200', '25006'],
])
/** A database that takes no connections or is not there, a user who may not connect, a wrong password. */
const refusingCodes = new Set(['55000', '3D000', '28000', '28P01'])

/** The server of the database is there, but lets nobody in: only its operator can change that. */
export const isRefused = (error: unknown): boolean => refusingCodes.has(codeOf(error))

const awayMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after)/

/** The database is unreachable, full, too busy, read-only or lets nobody in: trying again later may help. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  if (awayCodes.has(code) || code.startsWith('08') || isRefused(error)) return true
  if (/^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM)/.test(code)) return true
  return error instanceof Error && awayMessages.test(error.message)
}

/** Why the database cannot be written to, as health checks name it. */
export type UnavailableReason = 'database_away' | 'database_read_only' | 'disk_full'

/** The last one: SQLite cannot make room for the index of its log, which it does first of all. */
const fullCodes = new Set(['53100', 'ENOSPC', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'])

export function unavailableReason(error: unknown): UnavailableReason {
  const code = codeOf(error)
  if (fullCodes.has(code)) return 'disk_full'
  if (code === '25006' || code.startsWith('SQLITE_READONLY')) return 'database_read_only'
  return 'database_away'
}

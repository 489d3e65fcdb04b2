import { PostgresDialect } from 'kysely'
import pg from 'pg'

const poolSize = 10
const connectTimeoutMs = 3_000
const statementTimeoutMs = 30_000

/** 64-bit integers and exact numerics are numbers here: identifiers and counts stay far below 2^53. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.NUMERIC, Number)

/** PostgreSQL 14 or newer. Connections that break are replaced; a server that is away fails the query, not the process. */
export function postgresDialect(url: string, onIdleError: (error: Error) => void): PostgresDialect {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    application_name: 'gatehouse',
    keepAlive: true, // a server that vanished is noticed by the system, not by a request that waits for ever
    types,
  })
  pool.on('error', onIdleError)
  // One that breaks while it is in use tells so twice: by its query, which fails, and by this event, which nobody else
  // hears then and which would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return new PostgresDialect({ pool })
}

import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
} from 'kysely'
import pg from 'pg'
import type { Direct, DirectRead } from '../direct.ts'
import { assertOutsideTransaction } from '../running.ts'
import { createPipeline, type Pipeline } from './pipeline.ts'

const poolSize = 10
const connectTimeoutMs = 3_000
const statementTimeoutMs = 30_000
/**
 * How long a transaction waits for a lock before its work is done again: PostgreSQL itself looks for a deadlock after a second
 * only. Drawn anew each time, so that of two that wait for each other one gives way and the other goes on.
 */
const lockTimeoutMs = () => Math.round(100 + 100 * Math.random())

/** 64-bit integers and exact numerics are numbers here: identifiers and counts stay far below 2^53. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.NUMERIC, Number)

/** PostgreSQL 14 or newer. Connections that break are replaced; a server that is away fails the query, not the process. */
export function postgresDialect(
  url: string,
  onIdleError: (error: Error) => void,
): { dialect: Dialect; direct: Direct } {
  const config = {
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    application_name: 'gatehouse',
    keepAlive: true, // a server that vanished is noticed by the system, not by a request that waits for ever
    types,
  }
  const pool = new pg.Pool({ ...config, max: poolSize })
  const pipeline = createPipeline(config)
  const end = async () => {
    await pipeline.end()
    await pool.end()
  }
  pool.on('error', onIdleError)
  // A connection that breaks while in use reports it twice: its query fails, and this event is emitted, which would end the
  // process if nobody listened.
  pool.on('connect', (client) => client.on('error', () => {}))
  const connect = () => {
    assertOutsideTransaction()
    return pool.connect()
  }
  const dialect = new ImpatientDialect({ pool: { connect, end, options: pool.options } })
  return { dialect, direct: { read: readNamed(pool, pipeline) } }
}

/** Begins every transaction with a lock timeout, in the same message. */
class ImpatientDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`begin; set local lock_timeout = ${lockTimeoutMs()}`))
  }
}

class ImpatientDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }
  override createDriver(): PostgresDriver {
    return new ImpatientDriver(this.#config)
  }
}

/** Errors of a server or pooler that no longer knows a statement, or must plan it again after a migration. */
const staleStatementCodes = new Set(['0A000', '26000', '42P05'])

/** The server keeps every named statement in memory. */
const maxNamed = 200

/**
 * Reads: what is quick with statements that each connection prepares once, for parsing and planning cost as much as running
 * a small query; everything else is planned for the values that it has. (A plan for any value finds `an` by an index of
 * groups of three characters, in 0.9 s instead of 0.1.)
 */
function readNamed(pool: pg.Pool, pipeline: Pipeline): DirectRead {
  const names = new Map<string, string>()
  return async ({ sql: text, parameters, cost }) => {
    assertOutsideTransaction()
    const values = parameters as unknown[]
    if (cost !== 'quick') return (await pool.query(text, values)).rows
    const name = names.get(text) ?? (names.size < maxNamed ? `gatehouse_${names.size}` : undefined)
    if (name === undefined) return (await pipeline.query({ text, values })).rows
    names.set(text, name)
    try {
      return (await pipeline.query({ name, text, values })).rows
    } catch (error) {
      if (!staleStatementCodes.has((error as { code?: string }).code ?? '')) throw error
      return (await pool.query(text, values)).rows
    }
  }
}

import { type Dialect, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import pg from 'pg'
import type { Direct, DirectRead } from '../direct.ts'
import { assertOutsideTransaction } from '../running.ts'
import { PipeliningDriver } from './driver.ts'
import { createPipeline, type Pipeline } from './pipeline.ts'
import { createStatements, isStaleStatement, type Statements } from './statements.ts'
import { streamText } from './text-stream.ts'

const poolSize = 10
const connectTimeoutMs = 3_000
const statementTimeoutMs = 30_000
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
  const pool = new pg.Pool({ ...config, pipeline: true, max: poolSize })
  const statements = createStatements()
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
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PipeliningDriver(connect, end, statements),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
  return {
    dialect,
    direct: {
      read: readNamed(pool, pipeline, statements),
      streamText: ({ sql, parameters }, renderer) => streamText(pool, sql, parameters, renderer),
    },
  }
}

/**
 * Reads: what is quick by statements that each connection prepares once, for parsing and planning cost as much as running a
 * small query; everything else is planned for the values that it has. (A plan for any value finds `an` by an index of groups
 * of three characters, in 0.9 s instead of 0.1.)
 */
function readNamed(pool: pg.Pool, pipeline: Pipeline, statements: Statements): DirectRead {
  return async ({ sql: text, parameters, cost }) => {
    assertOutsideTransaction()
    if (cost !== 'quick') return (await pool.query(text, [...parameters])).rows
    try {
      return (await pipeline.query(statements.named(text, parameters))).rows
    } catch (error) {
      statements.refuse(text, error)
      if (!isStaleStatement(error)) throw error
      return (await pool.query(text, [...parameters])).rows
    }
  }
}

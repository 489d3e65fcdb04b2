import { type Dialect, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import pg from 'pg'
import type { Direct, DirectRead } from '../direct.ts'
import { noteDatabaseError } from '../errors-seen.ts'
import { assertOutsideTransaction } from '../running.ts'
import { openApart } from './apart.ts'
import { PipeliningDriver } from './driver.ts'
import { createHosts, type Hosts, isLost, isOutdated } from './hosts.ts'
import { createPipeline, type Pipeline } from './pipeline.ts'
import { createStatements, isStaleStatement, type Statements } from './statements.ts'
import { streamText } from './text-stream.ts'
import { withTimeout } from './timeouts.ts'
import { createWatchdog } from './watchdog.ts'

const defaultPoolSize = 10
/** 64-bit integers and exact numerics are numbers here: identifiers and counts stay far below 2^53. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.NUMERIC, Number)

/** Kysely's lock belongs to a session, which a pooler shares: `withMigrationLock` takes its place. */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** PostgreSQL 14 or newer. Connections that break are replaced; a server that is away fails the query, not the process. */
export function postgresDialect(
  url: string,
  onIdleError: (error: Error) => void,
  poolSize = defaultPoolSize,
): { dialect: Dialect; direct: Direct } {
  const hosts = createHosts(url)
  // No start-up parameters beyond these: a pooler such as PgBouncer refuses others. Timeouts are set in each transaction.
  const config = {
    connectionTimeoutMillis: hosts.timeouts.connectMs,
    application_name: 'gatehouse',
    keepAlive: true, // a server that vanished is noticed by the system, not by a request that waits for ever
    types,
  }
  const pool = new pg.Pool({ ...config, Client: hosts.Client, pipeline: true, max: poolSize } as pg.PoolConfig)
  const statements = createStatements()
  const pipeline = createPipeline(config, hosts)
  const watchdog = createWatchdog(pool, pipeline, hosts.timeouts.answerMs)
  const end = async () => {
    watchdog.stop()
    await pipeline.end()
    await pool.end()
  }
  pool.on('error', onIdleError)
  const connect = () => {
    assertOutsideTransaction()
    return connectTo(pool, hosts)
  }
  const dialect: Dialect = {
    createAdapter: () => new Adapter(),
    createDriver: () => new PipeliningDriver(connect, end, statements, hosts),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
  return {
    dialect,
    direct: {
      read: readNamed(connect, hosts, pipeline, statements),
      pool: () => ({ used: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
      openApart: () => openApart(config, hosts),
      streamText: ({ sql, parameters }, renderer) => streamText(connect, hosts.timeouts, sql, parameters, renderer),
    },
  }
}

/**
 * Reads: what is quick by statements that each connection prepares once, for parsing and planning cost as much as running a
 * small query; everything else is planned for the values that it has. (A plan for any value finds `an` by an index of groups
 * of three characters, in 0.9 s instead of 0.1.)
 */
function readNamed(
  connect: () => Promise<pg.PoolClient>,
  hosts: Hosts,
  pipeline: Pipeline,
  statements: Statements,
): DirectRead {
  async function readOnce(text: string, parameters: readonly unknown[]): Promise<unknown[]> {
    const client = await connect()
    let isBroken = false
    try {
      return (await client.query(withTimeout({ text, values: [...parameters] }, hosts.timeouts.statementMs))).rows
    } catch (error) {
      noteDatabaseError(error)
      isBroken = isLost(hosts, client, error)
      throw error
    } finally {
      client.release(isBroken)
    }
  }
  return async ({ sql: text, parameters, cost }) => {
    assertOutsideTransaction()
    if (cost !== 'quick') return readOnce(text, parameters)
    try {
      return (await pipeline.query(statements.named(text, parameters))).rows
    } catch (error) {
      statements.refuse(text, error)
      noteDatabaseError(error)
      if (!isStaleStatement(error)) throw error
      return readOnce(text, parameters)
    }
  }
}

/** A connection to a host that is right: of several, the next ones are tried where one is away. */
async function connectTo(pool: pg.Pool, hosts: Hosts): Promise<pg.PoolClient> {
  for (let tries = 1; ; ) {
    try {
      const client = await pool.connect()
      if (!isOutdated(hosts, client)) return client
      client.release(true)
    } catch (error) {
      noteDatabaseError(error)
      if (tries++ >= hosts.count) throw error
    }
  }
}

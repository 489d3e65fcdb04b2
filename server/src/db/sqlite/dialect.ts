import Sqlite from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Database } from '../database.ts'
import type { Direct, DirectQuery } from '../direct.ts'
import { noted } from '../errors-seen.ts'
import { assertOutsideTransaction, noteSession, type Session, waitingTransaction } from '../running.ts'
import { runsOf } from '../write-behind.ts'
import { type Checkpoints, createCheckpoints } from './checkpoint.ts'
import { type End, GroupCommit } from './group-commit.ts'
import { WriteLock } from './lock.ts'
import { LogCopier, pagesBeforeOwnCopy } from './log-copier.ts'
import { LogSync } from './log-sync.ts'
import { Reader } from './reader.ts'
import { openReader, openWriter, runEach, StatementCache, setWriterPragmas } from './statements.ts'
import { streamText } from './text-stream.ts'
import { ThreadDriver } from './thread-driver.ts'
import { createWorkers, type Workers } from './workers.ts'

/**
 * SQLite with one connection that writes and one that reads. Reads never wait for a write transaction (WAL);
 * writers stand in line here, not in SQLite, and begin IMMEDIATE, so that none can fail half-way because the lock is taken.
 * `alone` is for a program that writes very much while nobody else has the file open: one connection for both, with room.
 */
export function sqliteDialect(path: string, alone = false): { dialect: Dialect; direct: Direct } {
  const driver = new SqliteDriver(path, alone)
  const dialect: Dialect = {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  const thread = new ThreadDriver(path, {
    onWork: () => driver.setCheckpoints(false),
    onCommit: () => driver.endSharedRead(),
    onEnd: () => driver.setCheckpoints(true),
  })
  return {
    dialect,
    direct: {
      background: new Kysely<Database>({ dialect: { ...dialect, createDriver: () => thread } }),
      read: (query) => driver.read(query),
      streamText: ({ sql, parameters }, renderer) => streamText({ path, sql, parameters, renderer }),
      isWriteAwaited: () => WriteLock.of(path).isAwaited,
      shareReadTransaction: () => driver.shareReadTransaction(),
      eraseDeleted: () => driver.eraseDeleted(),
    },
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
  /** SQLite's DDL is transactional; with it the migrator runs in one IMMEDIATE transaction, which guards two starters. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Fails at once where anybody else has the file open, and nobody can open it later. */
function openAlone(path: string): Sqlite.Database {
  const db = new Sqlite(path, { timeout: 0 })
  db.pragma('locking_mode = EXCLUSIVE')
  // With a rollback journal, what is added at the file's end is written once; a WAL writes everything twice. The next who
  // opens it makes it a WAL again.
  db.pragma('journal_mode = DELETE')
  db.pragma('cache_size = -200000')
  db.pragma('threads = 2') // sorts that make an index
  setWriterPragmas(db)
  return db
}

const clockMs = () => performance.now()
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

class SqliteDriver implements Driver {
  readonly #path: string
  readonly #alone: boolean
  readonly #checkpoints: Checkpoints
  #shared: Shared | undefined

  constructor(path: string, alone: boolean) {
    this.#path = path
    this.#alone = alone
    this.#checkpoints = createCheckpoints(path)
  }
  async init(): Promise<void> {
    this.#open()
  }
  #open(): Shared {
    if (this.#shared !== undefined) return this.#shared
    const writer = new StatementCache(this.#alone ? openAlone(this.#path) : openWriter(this.#path))
    const reader = new Reader(this.#alone ? writer : new StatementCache(openReader(this.#path)))
    const log = this.#alone ? undefined : new LogSync(this.#path)
    if (log !== undefined) writer.db.pragma('synchronous = NORMAL') // a commit leaves the sync to LogSync
    const copier = this.#alone ? undefined : new LogCopier(writer.db, this.#path)
    const group = new GroupCommit(writer.db, this.#path, {
      onCommit: () => {
        reader.endSharedRead()
        copier?.note()
      },
      ...(log && { sync: () => log.run() }),
    })
    this.#shared = { writer, reader, group, log, copier, workers: createWorkers(this.#path) }
    return this.#shared
  }
  /** Reads at once, on the connection that reads; what is costly, on another thread. */
  read({ sql, parameters, cost }: DirectQuery): unknown[] | Promise<unknown[]> {
    assertOutsideTransaction()
    const { reader, workers } = this.#open()
    if (cost === 'quick') return all(reader.prepare(sql), parameters)
    if (cost === 'costly' || workers.isSlow(sql)) return workers.read(sql, parameters)
    // The wall clock is cheaper to read, but misleads on a busy machine: a suspect query is judged by processor time.
    const time = workers.isSuspect(sql) ? cpuMs : clockMs
    const before = time()
    const rows = all(reader.prepare(sql), parameters)
    workers.noteTime(sql, time() - before)
    return rows
  }
  shareReadTransaction(): void {
    this.#open().reader.shareReadTransaction()
  }
  endSharedRead(): void {
    this.#shared?.reader.endSharedRead()
  }
  /** Whether a commit on the event loop copies a very long log (WAL) to the database. */
  setCheckpoints(isOn: boolean): void {
    this.#shared?.writer.db.pragma(`wal_autocheckpoint = ${isOn ? pagesBeforeOwnCopy : 0}`)
  }
  eraseDeleted(): void {
    this.#checkpoints.request()
  }
  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteConnection(this.#shared as Shared)
  }
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as SqliteConnection).begin()
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as SqliteConnection).end('commit')
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as SqliteConnection).end('rollback')
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {
    this.#checkpoints.stop()
    await this.#shared?.workers.close()
    await this.#shared?.group.close()
    await this.#shared?.copier?.close()
    this.#shared?.log?.close()
    this.#shared?.reader.close()
    this.#shared?.writer.db.close()
  }
}

interface Shared {
  writer: StatementCache
  reader: Reader
  group: GroupCommit
  log: LogSync | undefined
  copier: LogCopier | undefined
  workers: Workers
}

class SqliteConnection implements DatabaseConnection, Session {
  readonly #shared: Shared
  #end: End | undefined

  constructor(shared: Shared) {
    this.#shared = shared
  }

  async begin(): Promise<void> {
    this.#end = await this.#shared.group.begin(waitingTransaction())
    noteSession(this)
  }

  /** Kysely calls it a second time, to roll back, after a commit that failed. */
  async end(how: 'commit' | 'rollback'): Promise<void> {
    const end = this.#end
    this.#end = undefined
    await end?.(how)
  }

  run<R>(query: CompiledQuery): QueryResult<R> {
    const statement = this.#shared.writer.prepare(query.sql)
    const runs = runsOf(query)
    if (runs === undefined) return run(statement, query.parameters)
    runEach(statement, runs)
    return { rows: [] }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#end !== undefined) return this.run(query)
    const { reader, writer, group } = this.#shared
    const { sql, parameters } = query
    assertOutsideTransaction()
    const statement = reader.prepare(sql)
    if (statement.readonly) return run(statement, parameters)
    const end = await group.begin(undefined)
    try {
      const result = run<R>(writer.prepare(sql), parameters)
      await end('commit')
      return result
    } catch (error) {
      await end('rollback')
      throw error
    }
  }

  // biome-ignore lint/correctness/useYield: a cursor would hold the one reading connection; lists walk by page instead
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('SQLite queries are not streamed here')
  }
}

function all(statement: Sqlite.Statement, parameters: readonly unknown[]): unknown[] {
  try {
    return statement.all(...parameters)
  } catch (error) {
    throw noted(error)
  }
}

function run<R>(statement: Sqlite.Statement, parameters: readonly unknown[]): QueryResult<R> {
  if (statement.reader) return { rows: all(statement, parameters) as R[] }
  try {
    const { changes, lastInsertRowid } = statement.run(...parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  } catch (error) {
    throw noted(error)
  }
}

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Config, loadConfig } from '../config.ts'
import type { Db } from '../db/database.ts'
import { isPostgres, liftStatementTimeout } from '../db/dialect.ts'
import { openAlone } from '../db/open.ts'
import { waitForLocks } from '../db/transaction.ts'
import { refreshUserStatistics } from '../features/accounts/users.statistics.ts'
import { hashPassword } from '../features/passwords/passwords.service.ts'
import { defaultRoleId } from '../features/roles/roles.table.ts'
import { withContext } from './open.ts'
import { counted, printLine } from './output.ts'
import { createProgress } from './progress.ts'
import { insertBatch } from './seed-batch.ts'
import { type SyntheticUser, type SyntheticUserOptions, syntheticUsers } from './synthetic-users.ts'

/** Users per statement; PostgreSQL accepts at most 65,535 values in one. */
const batchSize = 1_000

/** Writes the next users; returns how many of them were new. */
type WriteBatch = (db: Db) => Promise<number | undefined>

/** Fills the database with synthetic users, the same ones for the same seed. Nobody knows their passwords. */
export async function seed({ users: count, randomSeed }: { users: number; randomSeed: number }): Promise<void> {
  const config = loadConfig()
  const started = performance.now()
  const start = await withContext(({ unguarded }) => countSeeded(unguarded), config)
  const write = await createWriter({ count, randomSeed, start, now: new Date() })
  const made = (start === 0 ? await fillAlone(config, write) : undefined) ?? (await fillTogether(config, write))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  printLine(`${counted(made, 'user was', 'users were')} made in ${seconds} s (--random-seed ${randomSeed}).`)
}

async function countSeeded(db: Db): Promise<number> {
  const { there } = await db
    .selectFrom('user_counts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('count'), eb.lit(0)).as('there'))
    .where('role_id', '=', defaultRoleId)
    .executeTakeFirstOrThrow()
  return there
}

async function createWriter(options: SyntheticUserOptions): Promise<WriteBatch> {
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'))
  const progress = createProgress(process.stderr, options.count)
  const batches = batchesOf(options)
  let read = 0
  return async (db) => {
    const { value: batch } = batches.next()
    if (batch === undefined) return undefined
    const made = await insertBatch(db, batch, passwordHash)
    read += batch.length
    progress(read)
    return made
  }
}

function* batchesOf(options: SyntheticUserOptions): Generator<SyntheticUser[], undefined> {
  let batch: SyntheticUser[] = []
  for (const user of syntheticUsers(options)) {
    batch.push(user)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Beside other writers: a transaction for each batch, so that nobody waits long. After a kill, the finished batches remain. */
const fillTogether = (config: Config, write: WriteBatch): Promise<number> =>
  withContext(async (ctx) => {
    let made = 0
    for (;;) {
      const more = await ctx.unguarded.transaction().execute(async (db) => {
        // On PostgreSQL only the commit after the last batch waits for the disk, for all of them.
        if (isPostgres(db)) await sql`set local synchronous_commit = off`.execute(db)
        await waitForLocks(db)
        return write(db)
      })
      if (more === undefined) break
      made += more
    }
    await refreshUserStatistics(ctx.unguarded)
    return made
  }, config)

/**
 * Into a database without users that no other process has open: one transaction, after which the indexes are built at once
 * instead of row by row. After a kill, nothing remains. Undefined if another process has the database open.
 */
async function fillAlone(config: Config, write: WriteBatch): Promise<number | undefined> {
  const { database } = config
  if (database.kind === 'sqlite') {
    const alone = openAlone(database.path)
    try {
      return await alone.transaction().execute((db) => fillWithoutIndexes(db, write))
    } catch (error) {
      if ((error as { code?: string }).code === 'SQLITE_BUSY') return undefined
      throw error
    } finally {
      await alone.destroy()
    }
  }
  return withContext(
    ({ unguarded }) =>
      unguarded.transaction().execute(async (transaction) => {
        await waitForLocks(transaction)
        const { rows: others } = await sql`
          select 1 from pg_stat_activity
          where datname = current_database() and application_name = 'gatehouse' and pid <> pg_backend_pid()
        `.execute(transaction)
        // A process that opens the database later waits for the end.
        return others.length > 0 ? undefined : fillWithoutIndexes(transaction, write)
      }),
    config,
  )
}

async function fillWithoutIndexes(db: Db, write: WriteBatch): Promise<number> {
  const postgres = isPostgres(db)
  const { rows: indexes } = await (postgres
    ? sql<{ name: string; sql: string }>`
        select indexname as name, indexdef as sql from pg_indexes
        where schemaname = current_schema() and tablename in ('users', 'users_search') and indexdef not like 'CREATE UNIQUE%'`
    : sql<{ name: string; sql: string }>`
        select name, sql from sqlite_master
        where type = 'index' and tbl_name = 'users' and sql not like 'create unique%'`
  ).execute(db)
  for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(db)
  if (postgres) {
    await liftStatementTimeout(db)
    await sql`set local maintenance_work_mem = '256MB'`.execute(db)
  } else await setHashSize(db, 32)
  let made = 0
  for (let more = await write(db); more !== undefined; more = await write(db)) made += more
  if (!postgres) await setHashSize(db, 1)
  for (const index of indexes) await sql.raw(index.sql).execute(db)
  await refreshUserStatistics(db)
  return made
}

/** How much of the search index FTS5 collects before it writes it, in MiB; its default is 1. */
const setHashSize = (db: Db, size: number) =>
  sql`insert into users_search (users_search, rank) values ('hashsize', ${BigInt(size * 2 ** 20)})`.execute(db)

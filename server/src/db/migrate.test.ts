import { sql } from 'kysely'
import pg from 'pg'
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createTestApp } from '../testing/app.ts'
import { adminQuery, createTestDatabase } from '../testing/databases.ts'
import { until } from '../testing/until.ts'
import type { RootDb } from './database.ts'
import { noteCompatibility } from './installation.ts'
import { compareMigrations, listMigrations, migrate, migrateTo, NewerDatabaseError } from './migrate.ts'
import { openDatabase } from './open.ts'

describe.runIf(inject('postgresUrl'))('a migration beside nodes on PostgreSQL', () => {
  const limitMs = 1_000
  let url: string
  let db: RootDb
  let outside: RootDb

  const open = (parameters = ''): RootDb => {
    const opened = openDatabase({ kind: 'postgres', url: url + parameters }, () => {})
    onTestFinished(() => opened.destroy())
    return opened
  }

  beforeEach(async () => {
    const database = await createTestDatabase(inject('postgresUrl'))
    url = database.url
    onTestFinished(database.remove)
    await adminQuery(url, 'drop schema public cascade; create schema public')
    db = open(`?statement_timeout=${limitMs}`) // nothing here may end by it
    outside = open()
  })

  async function migrateBefore(name: string): Promise<void> {
    const names = (await listMigrations(db)).map((migration) => migration.name)
    await migrateTo(db, names.slice(0, names.indexOf(name)))
  }

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client(url)
    client.on('error', () => {})
    await client.connect()
    onTestFinished(() => client.end().catch(() => {}))
    return client
  }

  /** A transaction that holds a lock of `users`. */
  async function hold(mode: 'row exclusive' | 'access share') {
    const client = await connect()
    await client.query(`begin; lock table users in ${mode} mode`)
    return () => client.query('commit')
  }

  const rowsOf = async <Row>(text: string): Promise<Row[]> => (await sql.raw<Row>(text).execute(outside)).rows
  const builds = () =>
    rowsOf<{ pid: number }>(`select pid from pg_stat_activity
    where datname = current_database() and query like 'create index concurrently%' and state = 'active'`)
  const indexes = () =>
    rowsOf<{ oid: number; valid: boolean }>(`select indexrelid::int as oid, indisvalid as valid
    from pg_index where indexrelid::regclass::text in ('users_with_factor', 'users_without_factor') order by oid`)
  const isHalfBuilt = async () => (await indexes()).some(({ valid }) => !valid) && (await builds()).length > 0
  const bothBuilt = [{ valid: true }, { valid: true }]

  it('builds indexes while others write', async () => {
    await migrateBefore('0043-factor-indexes')
    const release = await hold('row exclusive')
    const migrating = migrate(db)
    await until(isHalfBuilt, 'the build to wait for the writer')
    const writer = await connect()
    const long = `select 1 from pg_stat_activity where datname = current_database()
      and query like 'create index concurrently%' and now() - query_start > '${2 * limitMs} ms'`
    await until(async () => (await rowsOf(long)).length > 0, 'the build to take longer than other statements may')
    await writer.query(`set lock_timeout = '5s'; begin; lock table users in row exclusive mode; commit`)
    await release()
    expect(await migrating).toContain('0043-factor-indexes')
    expect(await indexes()).toMatchObject(bothBuilt)
  })

  it('builds an index again that a killed build has left behind', async () => {
    await migrateBefore('0043-factor-indexes')
    const release = await hold('row exclusive')
    const migrating = migrate(db).then(
      () => 'done',
      (error) => error.code,
    )
    await until(isHalfBuilt, 'the build to wait for the writer')
    await rowsOf(`select pg_terminate_backend(${(await builds())[0]?.pid})`)
    expect(await migrating).toBe('57P01')
    await release()
    expect(await indexes()).toMatchObject([{ valid: false }])
    expect((await compareMigrations(db)).pending).toContain('0043-factor-indexes')
    await migrate(db)
    expect(await indexes()).toMatchObject(bothBuilt)
    expect((await compareMigrations(db)).pending).toEqual([])
  })

  it('waits for a build that goes on though its node is gone', async () => {
    await migrateBefore('0043-factor-indexes')
    const release = await hold('row exclusive')
    const gone = await connect()
    const build = gone.query(`create index concurrently users_with_factor on users (id) where
      coalesce(two_factor_options, '') like '{"enabled":true%'`)
    build.catch(() => {})
    await until(isHalfBuilt, 'the build to wait for the writer')
    const [first] = await indexes()
    ;(gone as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy()
    const migrating = migrate(db)
    const asks = `select 1 from pg_stat_activity where datname = current_database() and state = 'idle'
      and query like 'select indisvalid %'`
    await until(async () => (await rowsOf(asks)).length > 0, 'the migration to look at the build')
    expect(await indexes()).toEqual([{ oid: first?.oid, valid: false }])
    await release()
    await migrating
    expect(await indexes()).toEqual([
      { oid: first?.oid, valid: true },
      { oid: expect.any(Number), valid: true },
    ])
  })

  it('is done by one of several nodes; the others wait, and do not hold it up', async () => {
    await migrateBefore('0043-factor-indexes')
    const release = await hold('row exclusive')
    const first = migrate(db)
    await until(isHalfBuilt, 'the build to wait for the writer')
    const second = migrate(open())
    const asked = `select 1 from pg_stat_activity where datname = current_database() and query = 'rollback'`
    await until(async () => (await rowsOf(asked)).length > 0, 'the second node to have asked for the lock')
    await release()
    expect(await first).not.toEqual([])
    expect(await second).toEqual([])
  })

  it('lets those who wait for a table pass, and tries again', async () => {
    await migrateBefore('0025-moving-users')
    const release = await hold('access share')
    const migrating = migrate(db)
    const waiting = async () =>
      (
        await rowsOf(`select 1 from pg_stat_activity where datname = current_database()
          and wait_event_type = 'Lock' and query like 'alter table%'`)
      ).length > 0
    await until(waiting, 'the migration to wait for the reader')
    await until(async () => !(await waiting()), 'the migration to let others pass')
    await release()
    await migrating
    expect((await compareMigrations(db)).pending).toEqual([])
  })
})

describe('the schema of a newer version', () => {
  it('is refused, unless that version has noted that this one runs on it', async () => {
    const { ctx } = await createTestApp(inject('postgresUrl'))
    const db = ctx.unguarded
    const later = '9999-later'
    await sql`insert into kysely_migration values (${later}, '2999-01-01')`.execute(db)
    const refused = 'it has the migration 9999-later'
    await expect(migrate(db)).rejects.toThrow(NewerDatabaseError)
    await noteCompatibility(db, { runsSince: later, upTo: later })
    await expect(migrate(db)).rejects.toThrow(refused)
    await noteCompatibility(db, { runsSince: '0038-nodes', upTo: '9998-earlier' })
    await expect(listMigrations(db)).rejects.toThrow(refused)

    await noteCompatibility(db, { runsSince: '0038-nodes', upTo: later })
    expect(await migrate(db)).toEqual([])
    expect((await listMigrations(db)).at(-1)).toMatchObject({ name: later, isKnown: false })
    expect((await listMigrations(db)).at(-2)).toMatchObject({ isKnown: true })
  })
})

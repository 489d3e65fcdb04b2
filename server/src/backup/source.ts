import { rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import type pg from 'pg'
import { ConfigError } from '../config.ts'
import type { DatabaseAddress } from '../db/open.ts'
import { createHosts, type Hosts } from '../db/postgres/hosts.ts'
import { refuseRunning, type SeenNode } from '../nodes/nodes.ts'
import { postgresSnapshot } from './postgres-snapshot.ts'
import { isMigrationTable, type OpenSnapshot, type Snapshot } from './snapshot.ts'
import { sqliteSnapshot } from './sqlite-snapshot.ts'

const busyTimeoutMs = 5_000
/** Pages that are copied at a time. */
const pagesAtOnce = 2_000

/** Connects to the host that takes writes, of those that the address names. */
export async function connect(url: string): Promise<pg.Client> {
  const hosts = createHosts(url)
  for (let tries = 1; ; tries++) {
    try {
      return await connectTo(hosts)
    } catch (error) {
      if (tries >= hosts.count) throw error
    }
  }
}

async function connectTo(hosts: Hosts): Promise<pg.Client> {
  const client = new hosts.Client({
    application_name: 'gatehouse backup',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  await client.connect()
  await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0')
  return client
}

/**
 * The state of a database that others go on writing to. SQLite copies the file (its online backup) to `copy`, which is removed
 * when the snapshot is closed; PostgreSQL reads in one transaction.
 */
export async function openSnapshot(address: DatabaseAddress, copy: string): Promise<OpenSnapshot> {
  if (address.kind === 'sqlite') {
    await copyDatabase(address.path, copy)
    const db = new Sqlite(copy, { readonly: true })
    const close = async () => {
      db.close()
      removeCopy(copy)
    }
    return { ...sqliteSnapshot(db, `${address.path}-uploads`), close }
  }
  const client = await connect(address.url)
  await client.query('begin isolation level repeatable read read only')
  return { ...postgresSnapshot(client), close: () => client.end() }
}

const removeCopy = (copy: string): void => {
  for (const file of [copy, `${copy}-journal`]) rmSync(file, { force: true })
}

async function copyDatabase(path: string, copy: string): Promise<void> {
  removeCopy(copy)
  const db = new Sqlite(path, { timeout: busyTimeoutMs })
  try {
    // Without an open transaction, SQLite would start over whenever somebody writes.
    db.exec('begin; select 1 from sqlite_master')
    process.umask(0o077)
    await db.backup(copy, { progress: () => pagesAtOnce })
  } catch (error) {
    removeCopy(copy)
    throw error
  } finally {
    db.close()
  }
  const made = new Sqlite(copy)
  made.pragma('journal_mode = DELETE') // the copy is read without files beside it
  made.close()
}

/** The state of a database to which nobody writes until the snapshot is closed. Throws ConfigError while a node runs. */
export async function openResting(address: DatabaseAddress): Promise<OpenSnapshot> {
  if (address.kind === 'sqlite') {
    const db = new Sqlite(address.path, { timeout: busyTimeoutMs, fileMustExist: true })
    try {
      db.exec('begin immediate')
      const snapshot = sqliteSnapshot(db, `${address.path}-uploads`)
      await assertResting(snapshot, Date.now())
      return { ...snapshot, close: async () => void db.close() }
    } catch (error) {
      db.close()
      throw error
    }
  }
  const client = await connect(address.url)
  try {
    const found = await client.query(
      "select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname in ('nodes', 'activity') order by relname",
    )
    await client.query('begin isolation level repeatable read')
    // A node that starts now waits to note itself, and every change waits to note its event.
    for (const { relname } of found.rows) await client.query(`lock table ${relname} in exclusive mode`)
    const snapshot = postgresSnapshot(client)
    const [clock] = await snapshot.query<{ now: string }>('select extract(epoch from clock_timestamp()) * 1000 as now')
    await assertResting(snapshot, Number(clock?.now))
    return { ...snapshot, close: () => client.end() }
  } catch (error) {
    await client.end()
    throw error
  }
}

async function assertResting(snapshot: Snapshot, now: number): Promise<void> {
  const migrations = Object.entries(await snapshot.migrations()).filter(([table]) => isMigrationTable(table))
  if (migrations.length === 0)
    throw new ConfigError('GATEHOUSE_DATABASE_URL: there is nothing to move: this is no database of Gatehouse.')
  if (!migrations.some(([, names]) => names.includes('0038-nodes'))) return
  refuseRunning(await snapshot.query<SeenNode>('select host, process, seen_ms from nodes'), now)
}

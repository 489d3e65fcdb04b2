import { ConfigError } from '../config.ts'
import { reasonOf } from '../db/failures.ts'
import { migrateTo } from '../db/migrate.ts'
import { type DatabaseAddress, openDatabase } from '../db/open.ts'
import { hostsOf, parseHosts } from '../db/postgres/address.ts'
import { refuseUnfinished } from '../db/unfinished.ts'
import type { LoadedPlugin } from '../plugin-host/load.ts'
import { migratePluginTo } from '../plugin-host/migrations.ts'
import { beginPostgres, lookAtPostgres, openPostgresTarget } from './postgres-target.ts'
import type { Snapshot, Table } from './snapshot.ts'
import { beginSqlite, lookAtSqlite, openSqliteTarget } from './sqlite-target.ts'

/** The mark of a database that is not whole yet. The start refuses it. */
export interface Mark {
  readonly command: string
}

/** A database that is being filled. Nothing of it counts before `complete`. */
export interface Target {
  readonly snapshot: Snapshot
  /** Empties the tables and puts their indexes aside. */
  readonly begin: () => Promise<void>
  readonly load: (table: Table, chunks: AsyncIterable<Buffer>) => Promise<void>
  /** Makes the indexes, and the sequences go on so that no id is given again. */
  readonly finish: (sequences: Readonly<Record<string, number>>) => Promise<void>
  /** Runs one statement that changes the filled database; returns how many rows it changed. */
  readonly run: (statement: string) => Promise<number>
  /** Removes the mark: the database can be used from then on. */
  readonly complete: () => Promise<void>
  /** Leaves it marked. */
  readonly close: () => Promise<void>
}

/** Where the database is, without its password. */
export const placeOf = (address: DatabaseAddress): string => {
  if (address.kind === 'sqlite') return address.path
  const [first = ''] = parseHosts(address.url).urls
  return `${hostsOf(address.url)}${new URL(first).pathname}`
}

/** Runs what opens a database; throws ConfigError that names it if it cannot be used. */
export async function openingAt<T>(address: DatabaseAddress, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(`${placeOf(address)} cannot be used (${reasonOf(error)}).`)
  }
}

const look = async (address: DatabaseAddress) =>
  address.kind === 'sqlite' ? lookAtSqlite(address.path) : lookAtPostgres(address.url)

/** Throws ConfigError if the database was left half-done. */
export async function assertWhole(address: DatabaseAddress): Promise<void> {
  const { mark } = await openingAt(address, () => look(address))
  refuseUnfinished(mark?.command)
}

/** Throws ConfigError unless the database is empty, or was left half-done; returns the mark of a half-done one. */
export async function assertEmpty(address: DatabaseAddress): Promise<Mark | undefined> {
  const { isEmpty, mark } = await openingAt(address, () => look(address))
  if (isEmpty || mark !== undefined) return mark
  throw new ConfigError(`${placeOf(address)} is not empty. Name a database without any table; nothing was changed.`)
}

/**
 * Opens an empty database as a target with the tables that `migrations` make, marked as unfinished. What an earlier attempt
 * left behind is removed first.
 */
export async function openTarget(
  address: DatabaseAddress,
  command: string,
  migrations: Readonly<Record<string, readonly string[]>>,
  plugins: readonly LoadedPlugin[],
): Promise<Target> {
  await assertEmpty(address)
  const mark = { command }
  await openingAt(address, async () =>
    address.kind === 'sqlite' ? beginSqlite(address.path, mark) : beginPostgres(address.url, mark),
  )
  const db = openDatabase(address, () => {})
  try {
    await migrateTo(db, migrations.kysely_migration ?? [])
    for (const plugin of plugins) await migratePluginTo(db, plugin, migrations)
  } finally {
    await db.destroy()
  }
  return address.kind === 'sqlite' ? openSqliteTarget(address.path) : openPostgresTarget(address.url)
}

const inWords = ({ name, columns }: Table): string =>
  `${name} (${columns
    .map((column) => column.name)
    .sort()
    .join(', ')})`

/** Throws ConfigError where the target lacks a table or column of the source, or the other way round. */
export async function assertSameTables(source: readonly Table[], target: Target): Promise<void> {
  const wanted = new Set(source.map(inWords))
  const found = new Set((await target.snapshot.tables()).map(inWords))
  const missing = [...wanted.difference(found)][0] ?? [...found.difference(wanted)][0]
  if (missing === undefined) return
  throw new ConfigError(
    `the data and this program do not fit together in the table ${missing}. Name in GATEHOUSE_PLUGINS every plugin that the data has tables of.`,
  )
}

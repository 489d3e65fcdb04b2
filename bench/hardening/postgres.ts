import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../server/src/db/migrate.ts'
import { openDatabase } from '../../server/src/db/open.ts'
import { adminQuery, databaseUrl, templateName } from '../../server/src/testing/databases.ts'
import { password, startPostgres } from '../../server/src/testing/postgres-server.ts'

/** Runs `work` with its own PostgreSQL, which has the migrated database that others are copied from. */
export async function withPostgres<T>(work: (server: { readonly url: string }) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-hardening-'))
  // Processes are killed here, not machines, so nothing waits for the disk.
  const { port, stop } = await startPostgres(folder, ['-c', 'fsync=off', '-c', 'synchronous_commit=off'])
  try {
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
    await adminQuery(url, `create database ${templateName}`)
    const db = openDatabase({ kind: 'postgres', url: databaseUrl(url, templateName) }, () => {})
    await migrate(db)
    await db.destroy()
    return await work({ url })
  } finally {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

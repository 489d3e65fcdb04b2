import { CompiledQuery } from 'kysely'
import type { Db } from '../db/database.ts'

interface Query {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** How SQLite finds the rows of a query, a line for each step. PostgreSQL decides by its statistics: a small table tells nothing there. */
export async function planOnSqlite(db: Db, { sql, parameters }: Query): Promise<string[]> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]))
  return (rows as { detail: string }[]).map(({ detail }) => detail)
}

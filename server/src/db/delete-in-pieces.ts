import { type Expression, type ExpressionBuilder, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Database, RootDb } from './database.ts'
import { readSql } from './dialect.ts'
import { type Columns, rowsOf } from './rows.ts'

/** Keys that one query finds. On SQLite it runs on another thread, because the condition may have no index. */
const found = 10_000
/** Rows deleted in one transaction. It is short, so other writers and the event loop do not wait long. */
const piece = 100

type Key = Readonly<Record<string, number | string>>

const typesOf = (key: Key): Columns =>
  Object.fromEntries(Object.entries(key).map(([name, value]) => [name, typeof value === 'number' ? 'integer' : 'text']))

/** Deletes the rows of a table that meet a condition, a few in a transaction. `key` has the columns of the primary key. */
export async function deleteInPieces<Table extends keyof Database & string>(
  db: RootDb,
  table: Table,
  key: readonly (keyof Database[Table] & string)[],
  condition: (eb: ExpressionBuilder<Database, Table>) => Expression<SqlBool>,
): Promise<void> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const where = condition(expressionBuilder<Database, Table>())
  const find = sql<Key>`select ${columns} from ${sql.table(table)} where ${where} limit ${found}`
  for (;;) {
    const keys = await readSql(db, find, 'costly')
    for (let at = 0; at < keys.length; at += piece) {
      const given = rowsOf(db, typesOf(keys[at] as Key), keys.slice(at, at + piece))
      // A row that somebody changed meanwhile is looked at again.
      await sql`delete from ${sql.table(table)}
        where (${columns}) in (select ${columns} from ${given}) and ${where}`.execute(db)
    }
    if (keys.length < found) return
  }
}

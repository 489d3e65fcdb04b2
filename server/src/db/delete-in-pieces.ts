import { type Expression, type ExpressionBuilder, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Database, RootDb } from './database.ts'

const atOnce = 1_000

/**
 * Deletes the rows of a table that meet a condition, a thousand in a transaction: other writers never wait long, and on SQLite the
 * event loop goes on in between. `key` has the columns of the primary key.
 */
export async function deleteInPieces<Table extends keyof Database & string>(
  db: RootDb,
  table: Table,
  key: readonly (keyof Database[Table] & string)[],
  condition: (eb: ExpressionBuilder<Database, Table>) => Expression<SqlBool>,
): Promise<void> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const where = condition(expressionBuilder<Database, Table>())
  const piece = sql`delete from ${sql.table(table)} where (${columns}) in (
    select ${columns} from ${sql.table(table)} where ${where} limit ${atOnce})
    and ${where}` // on PostgreSQL, a row that somebody changed meanwhile is looked at again
  for (let deleted = atOnce; deleted === atOnce; ) deleted = Number((await piece.execute(db)).numAffectedRows)
}

import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { columns, type PageOf, type Row, serve, settings } from './bare.ts'

/* The reads of `bare-postgres.ts` as Kysely does them alone: built and compiled at each request, and never prepared. */

const given = settings()
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.NUMERIC, Number)
const pool = new pg.Pool({ connectionString: given.database, max: 10, types, options: '-c search_path=bare' })
const db = new Kysely<{ users: Row; totals: { count: number } }>({ dialect: new PostgresDialect({ pool }) })
const shown = columns.split(', ')

const find = (id: number): Promise<Row | undefined> =>
  db.selectFrom('users').select(shown).where('id', '=', id).executeTakeFirst() as Promise<Row | undefined>

async function page({ column, descending, limit, offset }: PageOf) {
  const sorted = db
    .selectFrom('users')
    .select(shown)
    .orderBy(column, descending ? 'desc' : 'asc')
  const [{ total }, rows] = await Promise.all([
    db.selectFrom('totals').select(sql<number>`sum(count)`.as('total')).executeTakeFirstOrThrow(),
    (column === 'id' ? sorted : sorted.orderBy('id')).limit(limit).offset(offset).execute() as Promise<Row[]>,
  ])
  return { total: Number(total), rows }
}

const onlyReads = (): never => {
  throw new Error('this server only reads, and searches nothing')
}
await serve({ find, page, create: onlyReads, rename: onlyReads, move: onlyReads }, given)

import type { Compilable, CompiledQuery, Insertable, QueryResult, RawBuilder, Updateable } from 'kysely'
import { type MaybePromise, thenAtOnce } from '../core/maybe-promise.ts'
import type { Database, Db, ReadDb } from './database.ts'
import { isPostgres } from './dialect.ts'
import { findDirectRead } from './direct.ts'
import { findSession } from './running.ts'
import { toWriteBehind } from './write-behind.ts'

/** A placeholder for a value that is given when the query runs. */
class Parameter {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

type Build = (db: ReadDb, ...placeholders: unknown[]) => Compilable<unknown>

/** Every prepared query, for the test that each is found by an index. */
export const preparedQueries: Build[] = []

/** Compiles a query once for each kind of database; each call then only fills in the values. */
function compileOnce<Arguments extends readonly unknown[], Row>(
  build: (db: Db, ...placeholders: Arguments) => Compilable<Row> | RawBuilder<Row>,
): (db: ReadDb, values: Arguments) => CompiledQuery<Row> {
  const compiled = new Map<boolean, CompiledQuery<Row>>()
  return (db, values) => {
    const key = isPostgres(db)
    let query = compiled.get(key)
    if (query === undefined) {
      const placeholders = values.map((_, index) => new Parameter(index)) as unknown as Arguments
      query = build(db as Db, ...placeholders).compile(db as Db)
      compiled.set(key, query)
    }
    const parameters = query.parameters.map((value) => (value instanceof Parameter ? values[value.index] : value))
    return { ...query, parameters }
  }
}

/**
 * A query that is built and compiled once for each kind of database, not once a request: building costs about ten times
 * as much as running. `build` gets one placeholder for each argument and puts it where the value belongs. It only reads,
 * by an index: outside of a transaction it takes the shortest way to the database.
 */
export function prepare<Arguments extends readonly unknown[], Row>(
  build: (db: ReadDb, ...placeholders: Arguments) => Compilable<Row>,
): (db: ReadDb, ...values: Arguments) => MaybePromise<Row[]> {
  preparedQueries.push(build as unknown as Build)
  const compile = compileOnce(build)
  return (db, ...values) => {
    const query = compile(db, values)
    const read = findDirectRead(db)
    if (read !== undefined)
      return read({ sql: query.sql, parameters: query.parameters, cost: 'quick' }) as MaybePromise<Row[]>
    return thenAtOnce(execute(db, query), ({ rows }) => rows)
  }
}

/** Runs a statement, in a transaction on its connection itself. */
const execute = <Row>(db: ReadDb, query: CompiledQuery<Row>): MaybePromise<QueryResult<Row>> =>
  (findSession(db)?.run(query) as MaybePromise<QueryResult<Row>> | undefined) ?? db.executeQuery(query)

/** The same for a query that finds one row or none: its first row. */
export function prepareOne<Arguments extends readonly unknown[], Row>(
  build: (db: ReadDb, ...placeholders: Arguments) => Compilable<Row>,
): (db: ReadDb, ...values: Arguments) => MaybePromise<Row | undefined> {
  const select = prepare(build)
  return (db, ...values) => thenAtOnce(select(db, ...values), ([row]) => row)
}

/** A write that is built and compiled once, in the same way. It is not waited for: see `executeBehind`. */
export function prepareWrite<Arguments extends readonly unknown[]>(
  build: (db: Db, ...placeholders: Arguments) => Compilable<unknown> | RawBuilder<unknown>,
): (db: Db, ...values: Arguments) => Promise<void> {
  const compile = compileOnce(build)
  return async (db, ...values) => {
    await execute(db, toWriteBehind(compile(db, values)))
  }
}

/**
 * An insert of one row that is built and compiled once, in the same way; each row has all of these columns. It is not waited
 * for: see `executeBehind`.
 */
export function prepareInsert<Table extends keyof Database>(
  table: Table,
  columns: readonly (keyof Insertable<Database[Table]> & string)[],
): (db: Db, row: Insertable<Database[Table]>) => Promise<void> {
  const insert = compileInsert(table, columns)
  return async (db, row) => {
    await execute(db, toWriteBehind(insert(db, row)))
  }
}

/** The same for a table with an `id`, which it returns. */
export function prepareInsertReturning<Table extends keyof Database>(
  table: Table,
  columns: readonly (keyof Insertable<Database[Table]> & string)[],
): (db: Db, row: Insertable<Database[Table]>) => Promise<number> {
  const insert = compileInsert(table, columns, 'id')
  return async (db, row) => {
    const { rows } = await execute(db, insert(db, row))
    return (rows[0] as { id: number }).id
  }
}

const maxColumnSets = 200

/**
 * An update of one row by its id that is compiled once for each set of columns. It is not waited for: see `executeBehind`. Columns
 * that are undefined are left as they are.
 */
export function prepareUpdate<Table extends keyof Database>(
  table: Table,
): (db: Db, id: number, changes: Updateable<Database[Table]>) => Promise<void> {
  const updates = new Map<string, ReturnType<typeof compileUpdate>>()
  return async (db, id, changes) => {
    const given = Object.entries(changes).filter(([, value]) => value !== undefined)
    const columns = given.map(([column]) => column)
    const key = columns.join()
    let update = updates.get(key)
    if (update === undefined) {
      update = compileUpdate(table, columns)
      if (updates.size >= maxColumnSets) updates.clear()
      updates.set(key, update)
    }
    await execute(db, toWriteBehind(update(db, [id, ...given.map(([, value]) => value)])))
  }
}

const compileUpdate = (table: keyof Database, columns: readonly string[]) =>
  compileOnce<unknown[], unknown>((db, id, ...placeholders) => {
    const set = Object.fromEntries(columns.map((column, index) => [column, placeholders[index]]))
    return db
      .updateTable(table as 'users')
      .set(set)
      .where('id', '=', id as number)
  })

function compileInsert<Table extends keyof Database>(
  table: Table,
  columns: readonly (keyof Insertable<Database[Table]> & string)[],
  returned?: 'id',
): (db: Db, row: Insertable<Database[Table]>) => CompiledQuery<{ id: number }> {
  const compile = compileOnce((db, ...placeholders) => {
    const row = Object.fromEntries(columns.map((column, index) => [column, placeholders[index]]))
    const insert = db.insertInto(table).values(row as never)
    return (returned === undefined ? insert : insert.returning(returned as never)) as Compilable<{ id: number }>
  })
  return (db, row) =>
    compile(
      db,
      columns.map((column) => row[column]),
    )
}

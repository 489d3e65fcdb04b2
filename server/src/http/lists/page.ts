import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { decodeCursor, encodeCursor, type Position } from './cursor.ts'
import type { ListRequest, SortTerm } from './request.ts'
import type { ListSpec } from './spec.ts'

export interface Page<Row> {
  readonly rows: readonly Row[]
  /** How many rows the filter in force matches, exactly. */
  readonly total: number
  readonly nextCursor: string | null
  readonly previousCursor: string | null
}

type Spec<Row> = ListSpec<Row>

/**
 * Reads one page. `scope` narrows the list to what the path or the caller allows; it is part of the total.
 * A numbered page is found by offset, a cursor by the index, wherever it stands.
 */
export async function fetchPage<Row>(
  db: Db,
  spec: Spec<Row>,
  request: ListRequest,
  scope?: RawBuilder<SqlBool>,
): Promise<Page<Row>> {
  const conditions = [...(scope === undefined ? [] : [scope]), ...filterConditions(db, spec, request)]
  const total = await fetchTotal(db, spec, request, conditions, scope !== undefined)
  return request.cursor === null
    ? fetchNumbered(db, spec, request, conditions, total)
    : fetchFrom(db, spec, request, conditions, total, decodeCursor(request, request.cursor))
}

const filterConditions = <Row>(db: Db, spec: Spec<Row>, request: ListRequest): RawBuilder<SqlBool>[] =>
  [...request.filters].flatMap(([name, values]) => spec.filters[name]?.where(values, db) ?? [])

const where = (conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`

async function fetchTotal<Row>(
  db: Db,
  spec: Spec<Row>,
  request: ListRequest,
  conditions: readonly RawBuilder<SqlBool>[],
  scoped: boolean,
): Promise<number> {
  const { kept } = spec
  const isKept =
    !scoped && kept !== undefined && [...request.filters.keys()].every((name) => kept.filters.includes(name))
  const from = isKept
    ? sql`coalesce(sum(count), 0) as total from ${sql.table(kept.table)}`
    : sql`count(*) as total from ${sql.table(spec.table)}`
  const { rows } = await sql<{ total: number }>`select ${from} ${where(conditions)}`.execute(db)
  return rows[0]?.total ?? 0
}

const orderBy = (sort: readonly SortTerm[], reversed: boolean): RawBuilder<unknown> =>
  sql`order by ${sql.join(
    sort.map(({ column, descending }) =>
      descending !== reversed ? sql`${sql.ref(column)} desc` : sql`${sql.ref(column)}`,
    ),
  )}`

async function fetchNumbered<Row>(
  db: Db,
  spec: Spec<Row>,
  request: ListRequest,
  conditions: readonly RawBuilder<SqlBool>[],
  total: number,
): Promise<Page<Row>> {
  const offset = (request.page - 1) * request.perPage
  if (offset >= total) return { rows: [], total, nextCursor: null, previousCursor: null }
  const { rows } = await sql<Row>`
    select ${sql.join(spec.columns.map((column) => sql.ref(column)))} from ${sql.table(spec.table)} ${where(conditions)}
    ${orderBy(request.sort, false)} limit ${request.perPage} offset ${offset}`.execute(db)
  return { rows, total, ...cursors(request, rows, { before: offset > 0, after: offset + rows.length < total }) }
}

/** Reads on from a position. One row more than asked for tells whether the walk ends here. */
async function fetchFrom<Row>(
  db: Db,
  spec: Spec<Row>,
  request: ListRequest,
  conditions: readonly RawBuilder<SqlBool>[],
  total: number,
  position: Position,
): Promise<Page<Row>> {
  const backward = position.direction === 'backward'
  const { rows: found } = await sql<Row>`
    select ${sql.join(spec.columns.map((column) => sql.ref(column)))} from ${sql.table(spec.table)}
    ${where([...conditions, beyond(request.sort, position.values, backward)])}
    ${orderBy(request.sort, backward)} limit ${request.perPage + 1}`.execute(db)
  const more = found.length > request.perPage
  const rows = found.slice(0, request.perPage)
  if (backward) rows.reverse()
  return { rows, total, ...cursors(request, rows, { before: !backward || more, after: backward || more }) }
}

/**
 * The rows beyond a position in a sort whose terms may run in different directions:
 * `a >= x and (a > x or (b >= y and (b > y …)))`. The outer bound of each term lets the index be entered at its place.
 */
function beyond(
  [term, ...rest]: readonly SortTerm[],
  [value, ...others]: Position['values'],
  backward: boolean,
): RawBuilder<SqlBool> {
  if (term === undefined) return sql<SqlBool>`1 = 0`
  const column = sql.ref(term.column)
  const operator = sql.raw(term.descending !== backward ? '<' : '>')
  if (rest.length === 0) return sql<SqlBool>`${column} ${operator} ${value}`
  return sql<SqlBool>`${column} ${operator}= ${value} and (${column} ${operator} ${value} or (${beyond(rest, others, backward)}))`
}

function cursors<Row>(
  request: ListRequest,
  rows: readonly Row[],
  there: { before: boolean; after: boolean },
): Pick<Page<Row>, 'nextCursor' | 'previousCursor'> {
  const at = (row: Row | undefined, direction: Position['direction']): string | null => {
    if (row === undefined) return null
    const values = request.sort.map(({ column }) => (row as Record<string, string | number>)[column] as string | number)
    return encodeCursor(request, { direction, values })
  }
  return {
    nextCursor: there.after ? at(rows.at(-1), 'forward') : null,
    previousCursor: there.before ? at(rows[0], 'backward') : null,
  }
}

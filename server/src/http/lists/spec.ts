import type { RawBuilder, SqlBool } from 'kysely'
import type { Context } from '../../core/context.ts'
import { caseFold, isStorable, searchForm } from '../../core/text.ts'
import { isDate, isTimestamp } from '../../core/time.ts'
import type { Database, ReadDb } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { containing, type Fragment, fragment, notNull, quoted, toFragment } from './fragment.ts'
import type { LargeTable } from './large-table.ts'

/** What clients can ask of a list. A feature writes one value of this type to get a list. */
export interface ListSpec<Row, Includes extends string = string> {
  readonly table: keyof Database & string
  /** The columns to read, besides those of the sorts. */
  readonly columns: readonly string[]
  /** Public sort name → column. The column is indexed together with `id`; a nullable one as `coalesce(column, '')`. */
  readonly sorts: Readonly<Record<string, Sort>>
  /** Written as in `?sort=`. */
  readonly defaultSort: string
  readonly filters: Readonly<Record<string, Filter>>
  readonly includes: Readonly<Record<Includes, Include<Row>>>
  /** A table of stored counts with the columns of these filters: their totals are read, not counted. */
  readonly countsTable?: { readonly table: keyof Database & string; readonly filters: readonly string[] }
  /** Set if the table may be so large that SQLite has to be told how to read it. */
  readonly large?: LargeTable
  /**
   * The SQL of SQLite that writes an item of the answer as JSON. It names the columns with their table. This costs less than
   * reading the columns and serialising them (docs/decisions/0009-speed.md).
   */
  readonly json?: string
  /** Set if rows come or change without a row of the audit log, by which it is known what a replica has. */
  readonly fromPrimary?: true
}

export interface Sort {
  readonly column: string
  readonly type: 'number' | 'text'
  /** True if the column may be null, which counts as the empty text: it comes first in ascending order. */
  readonly isNullable?: true
}

/** An exact or partial filter. Several values of one name mean any of them. */
export interface Filter {
  /** The expected value, for error messages and the documentation. */
  readonly expects: string
  /** For the documentation, if `expects` is not enough. */
  readonly description?: string
  /** The value in the form that is compared; undefined for an invalid one. */
  readonly parse: (text: string) => string | number | undefined
  /** `names` are those of all filters that the request has. */
  readonly where: (
    values: readonly (string | number)[],
    db: ReadDb,
    names: ReadonlySet<string>,
  ) => Fragment | RawBuilder<SqlBool>
  /** Selects the `total` of the matches, if that is cheaper than counting the rows that meet `where`. */
  readonly total?: (values: readonly (string | number)[], db: ReadDb) => Fragment
  /** The condition of `where` in a form that makes PostgreSQL find the matches before it sorts. Needs `total`. */
  readonly gather?: (values: readonly (string | number)[], db: ReadDb) => Fragment
  /** True if a comma is part of the value, not a separator. */
  readonly literalCommas?: boolean
  /** How many values one request may have, if each costs the database a separate search. */
  readonly maxValues?: number
  /** True if a value matches one row at most, which an index finds. */
  readonly isUnique?: true
}

/** The conditions of those filters of a list that a request has. */
export const filterConditions = (
  filters: Readonly<Record<string, Filter>>,
  given: Iterable<readonly [name: string, values: readonly (string | number)[]]>,
  db: ReadDb,
  isGathered = false,
): Fragment[] => {
  const all = [...given]
  const names = new Set(all.map(([name]) => name))
  return all.flatMap(([name, values]) => {
    const filter = filters[name]
    if (filter === undefined) return []
    return [toFragment((isGathered ? filter.gather : undefined)?.(values, db) ?? filter.where(values, db, names), db)]
  })
}

/** A related object that is read for a whole page at once. */
export interface Include<Row> {
  readonly key: (row: Row) => number | null
  readonly load: (ctx: Context, ids: readonly number[]) => Promise<ReadonlyMap<number, object>>
  /** True for a field that is always present. Clients of similar services may ask for it. */
  readonly isField?: true
}

/** An include of a field that is always present. */
export const fieldInclude: Include<unknown> = { key: () => null, load: async () => new Map(), isField: true }

export const byNumber = (column: string): Sort => ({ column, type: 'number' })
export const byText = (column: string): Sort => ({ column, type: 'text' })
export const byNullableText = (column: string): Sort => ({ column, type: 'text', isNullable: true })

const anyOf = (column: string, values: readonly (string | number)[]): Fragment =>
  fragment(`${quoted(column)} in (${values.map(() => '?')})`, ...values)

/** A positive number in its canonical form, such as an id; undefined for anything else. */
export function parseId(text: string): number | undefined {
  if (!/^[1-9]\d{0,15}$/.test(text)) return undefined
  const id = Number(text)
  return Number.isSafeInteger(id) ? id : undefined
}

/** Exactly this id. */
export const idFilter = (column: string): Filter => ({
  expects: 'an id',
  description: 'An id, or several separated by commas.',
  parse: parseId,
  where: (values) => anyOf(column, values),
})

/** Exactly this text after `fold`. */
export const textFilter = (column: string, fold: (text: string) => string, literalCommas = true): Filter => ({
  expects: 'text',
  description: 'Exactly this text.',
  parse: (text) => (isStorable(text) ? fold(text) : undefined),
  where: (values) => anyOf(column, values),
  literalCommas,
})

/** Exactly one of these names; a comma separates them. */
export const exactFilter = (column: string): Filter => textFilter(column, (text) => text, false)

/** A substring, in any case; the column holds the `searchForm` of the text. On PostgreSQL a trigram index can find it. */
export const containsFilter = (column: string): Filter => ({
  expects: 'text',
  description: 'A substring of the text, in any case.',
  parse: (text) => (isStorable(text) ? searchForm(text) : undefined),
  where: (terms, db) => {
    const [condition, value] = isPostgres(db)
      ? [`${quoted(column)} like ?`, containing]
      : [`instr(${quoted(column)}, ?) > 0`, (term: string) => term]
    return fragment(`(${terms.map(() => condition).join(' or ')})`, ...terms.map((term) => value(String(term))))
  },
  literalCommas: true,
  maxValues: 20, // each term may have to scan every text
})

/** One of the column's possible values, in any case; another value matches nothing. */
export const choiceFilter = (column: string, choices: readonly string[]): Filter => ({
  expects: choices.join(', '),
  description: `One of ${choices.join(', ')}, in any case, or several separated by commas.`,
  parse: (text) => choices.find((choice) => caseFold(choice) === caseFold(text)) ?? '',
  where: (values) => anyOf(column, values),
})

const parseMoment = (timeOfDay: string) => (text: string) =>
  isTimestamp(text) ? text : isDate(text) ? `${text} ${timeOfDay}` : undefined

const moment = 'a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC'

/** Several values mean any of them: the widest. */
const earliest = (values: readonly (string | number)[]) => values.toSorted()[0]
const latest = (values: readonly (string | number)[]) => values.toSorted().at(-1)

const upTo = (column: string, isNullable: boolean, operator: '<' | '<=', value: unknown): Fragment =>
  isNullable
    ? fragment(`${notNull(quoted(column))} > '' and ${notNull(quoted(column))} ${operator} ?`, value)
    : fragment(`${quoted(column)} ${operator} ?`, value)

/** At or after this moment. Null never matches. */
export const fromFilter = (column: string, isNullable = false): Filter => ({
  expects: moment,
  description: `At or after ${moment}.`,
  parse: parseMoment('00:00:00'),
  where: (values) => fragment(`${isNullable ? notNull(quoted(column)) : quoted(column)} >= ?`, earliest(values)),
})

/** At or before this moment; a date includes the whole day. Null never matches. */
export const toFilter = (column: string, isNullable = false): Filter => ({
  expects: moment,
  description: `At or before ${moment}; a date means the whole day.`,
  parse: parseMoment('23:59:59'),
  where: (values) => upTo(column, isNullable, '<=', latest(values)),
})

/** Before this moment; a date means before the day begins. Null never matches. */
export const beforeFilter = (column: string, isNullable = false): Filter => ({
  expects: moment,
  description: `Before ${moment}; a date means before the day begins.`,
  parse: parseMoment('00:00:00'),
  where: (values) => upTo(column, isNullable, '<', latest(values)),
})

/** `never`, or a date (the whole day), or a timestamp (that second). */
export const momentOrNeverFilter = (column: string): Filter => ({
  expects: `never, or ${moment}`,
  description: `When: \`never\`, or ${moment}; a date means the whole day.`,
  parse: (text) => (text === 'never' ? '' : isTimestamp(text) || isDate(text) ? text : undefined),
  maxValues: 100, // each is a condition of its own, and SQLite accepts a thousand
  where: (values) => {
    const name = notNull(quoted(column))
    const conditions = values.map((value) =>
      isDate(String(value))
        ? fragment(`(${name} >= ? and ${name} <= ?)`, `${value} 00:00:00`, `${value} 23:59:59`)
        : fragment(`${name} = ?`, value),
    )
    return fragment(
      `(${conditions.map(({ sql }) => sql).join(' or ')})`,
      ...conditions.flatMap(({ parameters }) => parameters),
    )
  },
})

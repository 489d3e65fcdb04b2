import type { RawBuilder, SqlBool } from 'kysely'
import type { Context } from '../../core/context.ts'
import { caseFold, isStorable, searchForm } from '../../core/text.ts'
import { isDate, isTimestamp } from '../../core/time.ts'
import type { Database, ReadDb } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { containing, type Fragment, fragment, notNull, quoted } from './fragment.ts'
import type { LargeTable } from './large-table.ts'

/** What a list can be asked for. One value of this type is all that a feature writes to have a list. */
export interface ListSpec<Row, Includes extends string = string> {
  readonly table: keyof Database & string
  /** The columns that are read, beside those that are sorted by. */
  readonly columns: readonly string[]
  /** Public sort name → column. The column is indexed together with `id`, one that may be null as `coalesce(column, '')`. */
  readonly sorts: Readonly<Record<string, Sort>>
  /** Written as in `?sort=`. */
  readonly defaultSort: string
  readonly filters: Readonly<Record<string, Filter>>
  readonly includes: Readonly<Record<Includes, Include<Row>>>
  /** A table of kept counts that has the columns of these filters: their totals are read, not counted. */
  readonly countsTable?: { readonly table: keyof Database & string; readonly filters: readonly string[] }
  /** Where the table may be so large that SQLite has to be told how to read it. */
  readonly large?: LargeTable
}

export interface Sort {
  readonly column: string
  readonly type: 'number' | 'text'
  /** True where the column may be null, which counts as the empty text: first where the sort ascends. */
  readonly isNullable?: true
}

/** An exact or partial filter. Several values of one name mean any of them. */
export interface Filter {
  /** What to write, for error messages and the documentation. */
  readonly expects: string
  /** For the documentation, where `expects` does not say it all. */
  readonly description?: string
  /** The value in the form in which it is compared; undefined for one that makes no sense. */
  readonly parse: (text: string) => string | number | undefined
  readonly where: (values: readonly (string | number)[], db: ReadDb) => Fragment | RawBuilder<SqlBool>
  /** Selects the `total` of what it matches, where that is had for less than by counting rows of the list that meet `where`. */
  readonly total?: (values: readonly (string | number)[], db: ReadDb) => Fragment
  /** True where a comma is part of the value, not a separator of values. */
  readonly literalCommas?: boolean
  /** How many values one request may name, where each of them costs the database a search of its own. */
  readonly maxValues?: number
}

/** Something that belongs to each row and is read for a whole page at once. */
export interface Include<Row> {
  readonly key: (row: Row) => number | null
  readonly load: (ctx: Context, ids: readonly number[]) => Promise<ReadonlyMap<number, object>>
  /** True for a field that is there anyway, and may be asked for by clients of services that leave it out. */
  readonly isField?: true
}

/** An include of a field that is always there. */
export const fieldInclude: Include<unknown> = { key: () => null, load: async () => new Map(), isField: true }

export const byNumber = (column: string): Sort => ({ column, type: 'number' })
export const byText = (column: string): Sort => ({ column, type: 'text' })
export const byNullableText = (column: string): Sort => ({ column, type: 'text', isNullable: true })

const anyOf = (column: string, values: readonly (string | number)[]): Fragment =>
  fragment(`${quoted(column)} in (${values.map(() => '?')})`, ...values)

/** A positive number in its canonical form, e.g. an id; undefined for anything else. */
export function parseId(text: string): number | undefined {
  if (!/^[1-9]\d{0,15}$/.test(text)) return undefined
  const id = Number(text)
  return Number.isSafeInteger(id) ? id : undefined
}

/** Exactly this id. */
export const idFilter = (column: string): Filter => ({
  expects: 'an id',
  description: 'An id, or several with commas between them.',
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

/** A part of the text, in any case; the column holds the `searchForm` of it. On PostgreSQL a trigram index can find it. */
export const containsFilter = (column: string): Filter => ({
  expects: 'text',
  description: 'A part of the text, in any case.',
  parse: (text) => (isStorable(text) ? searchForm(text) : undefined),
  where: (terms, db) => {
    const [condition, value] = isPostgres(db)
      ? [`${quoted(column)} like ?`, containing]
      : [`instr(${quoted(column)}, ?) > 0`, (term: string) => term]
    return fragment(`(${terms.map(() => condition).join(' or ')})`, ...terms.map((term) => value(String(term))))
  },
  literalCommas: true,
  maxValues: 20, // each term may read every text
})

/** One of the values that the column can have, in any case; another value matches nothing. */
export const choiceFilter = (column: string, choices: readonly string[]): Filter => ({
  expects: choices.join(', '),
  description: `One of ${choices.join(', ')}, in any case, or several with commas between them.`,
  parse: (text) => choices.find((choice) => caseFold(choice) === caseFold(text)) ?? '',
  where: (values) => anyOf(column, values),
})

const parseMoment = (timeOfDay: string) => (text: string) =>
  isTimestamp(text) ? text : isDate(text) ? `${text} ${timeOfDay}` : undefined

const moment = 'a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC'

/** At or after this moment. What is null matches none. */
export const fromFilter = (column: string, isNullable = false): Filter => ({
  expects: moment,
  description: `At or after ${moment}.`,
  parse: parseMoment('00:00:00'),
  where: ([value]) => fragment(`${isNullable ? notNull(quoted(column)) : quoted(column)} >= ?`, value),
})

/** At or before this moment; a date means the whole day. What is null matches none. */
export const toFilter = (column: string, isNullable = false): Filter => ({
  expects: moment,
  description: `At or before ${moment}; a date means all of that day.`,
  parse: parseMoment('23:59:59'),
  where: ([value]) =>
    isNullable
      ? fragment(`${notNull(quoted(column))} > '' and ${notNull(quoted(column))} <= ?`, value)
      : fragment(`${quoted(column)} <= ?`, value),
})

/** `never`, or a date: all of that day, or a timestamp: that second. */
export const momentOrNeverFilter = (column: string): Filter => ({
  expects: `never, or ${moment}`,
  description: `When: \`never\`, or ${moment}; a date means all of that day.`,
  parse: (text) => (text === 'never' ? '' : isTimestamp(text) || isDate(text) ? text : undefined),
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

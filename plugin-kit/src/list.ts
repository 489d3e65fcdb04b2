import type { Expression, SqlBool } from 'kysely'
import type { TSchema } from 'typebox'
import type { Actor, Call } from './route.ts'

/** What a list can be sorted by: a NOT NULL column that is indexed together with `id`. */
export interface Column {
  readonly column: string
  readonly type: 'number' | 'text'
}

/**
 * A filter `?filter[name]=…`.
 * - `id`: exactly this id, or one of several.
 * - `exact`: exactly this text, after `fold`.
 * - `contains`: a part of the text, in any case; the column holds `host.fold(text)`.
 * - `choice`: one of these values, in any case.
 * - `from`, `to`: at or after, at or before a moment.
 */
export type Filter =
  | { readonly kind: 'id' | 'contains' | 'from' | 'to'; readonly column: string }
  | { readonly kind: 'exact'; readonly column: string; readonly fold?: (text: string) => string }
  | { readonly kind: 'choice'; readonly column: string; readonly choices: readonly string[] }

/** A related object that is read for a whole page at once: `?include=name`. */
export interface Include<Row> {
  readonly key: (row: Row) => number | null
  /** The objects with these ids, as far as `actor` may see them; missing ones become `null` in the answer. */
  readonly load: (ids: readonly number[], actor: Actor) => Promise<ReadonlyMap<number, object>>
}

/** A list with the features of the core's lists: include, sort, filter, pages, cursors, exact totals. */
export interface ListDefinition<Row = never> {
  readonly table: string
  /** The columns that are read; they must include `id` and every sort's column. */
  readonly columns: readonly (keyof Row & string)[]
  /** Public sort name → column. */
  readonly sorts: Readonly<Record<string, Column>>
  /** As in `?sort=`, e.g. `-created_at`. `id` is the tie-breaker. */
  readonly defaultSort: string
  readonly filters?: Readonly<Record<string, Filter>>
  /**
   * The rows that this call may see: a condition, or `'all'`. It holds for the totals, too.
   *
   * @example only: ({ actor }) => (actor.may('notes.manage') ? 'all' : sql<boolean>`user_id = ${actor.userId}`)
   */
  readonly only?: (call: Call) => Expression<SqlBool> | 'all' | Promise<Expression<SqlBool> | 'all'>
  readonly includes?: Readonly<Record<string, Include<Row>>>
  /** The schema of one item; properties that it does not name are never sent. */
  readonly item: TSchema
  readonly toItem: (row: Row) => object
}

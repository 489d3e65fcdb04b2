import type { Actor, Filter, Include, ListDefinition } from '@gatehouse/plugin-kit'
import type { Context } from '../core/context.ts'
import {
  type Filter as CoreFilter,
  type Include as CoreInclude,
  choiceFilter,
  containsFilter,
  fromFilter,
  idFilter,
  type ListSpec,
  textFilter,
  toFilter,
} from '../http/lists/spec.ts'

// biome-ignore lint/suspicious/noExplicitAny: each list has its own row
type Row = any

type FilterOf<Kind> = Extract<Filter, { readonly kind: Kind }>

const coreFilters: { readonly [Kind in Filter['kind']]: (filter: FilterOf<Kind>) => CoreFilter } = {
  id: ({ column }) => idFilter(column),
  contains: ({ column }) => containsFilter(column),
  from: ({ column }) => fromFilter(column),
  to: ({ column }) => toFilter(column),
  exact: ({ column, fold = (text) => text }) => textFilter(column, fold),
  choice: ({ column, choices }) => choiceFilter(column, choices),
}

export const filterKinds = Object.keys(coreFilters)

const toCoreFilter = (filter: Filter): CoreFilter =>
  (coreFilters[filter.kind] as (filter: Filter) => CoreFilter)(filter)

type Includes = Readonly<Record<string, Include<Row>>>

/** The includes for this caller. */
export const includesFor = (includes: Includes, actor: Actor): Record<string, CoreInclude<Row>> =>
  Object.fromEntries(
    Object.entries(includes).map(([name, { key, load }]) => [
      name,
      { key, load: (_ctx: Context, ids: readonly number[]) => load(ids, actor) },
    ]),
  )

/** The list in the core's form; its includes need a caller. */
export function toListSpec(list: ListDefinition<Row>): ListSpec<Row> {
  const filters = Object.entries(list.filters ?? {}).map(([name, filter]) => [name, toCoreFilter(filter)])
  return {
    table: list.table as ListSpec<Row>['table'],
    columns: list.columns,
    sorts: list.sorts,
    defaultSort: list.defaultSort,
    filters: Object.fromEntries(filters) as Record<string, CoreFilter>,
    fromPrimary: true, // nobody knows what a plugin records
    includes: (list.includes ?? {}) as unknown as Record<string, CoreInclude<Row>>,
  }
}

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

function toCoreFilter(filter: Filter): CoreFilter {
  switch (filter.kind) {
    case 'id':
      return idFilter(filter.column)
    case 'contains':
      return containsFilter(filter.column)
    case 'from':
      return fromFilter(filter.column)
    case 'to':
      return toFilter(filter.column)
    case 'exact':
      return textFilter(filter.column, filter.fold ?? ((text) => text))
    case 'choice':
      return choiceFilter(filter.column, filter.choices)
  }
}

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
    includes: (list.includes ?? {}) as unknown as Record<string, CoreInclude<Row>>,
  }
}

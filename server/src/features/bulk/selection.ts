import type { Context } from '../../core/context.ts'
import { ServiceError, validationFailed } from '../../core/errors.ts'
import { excerpt } from '../../core/excerpt.ts'
import type { ReadDb } from '../../db/database.ts'
import { concat, type Fragment, fragment, limitTo, read, whereAll } from '../../http/lists/fragment.ts'
import { fetchPage } from '../../http/lists/page.ts'
import { parseListRequest } from '../../http/lists/request.ts'
import { filterConditions } from '../../http/lists/spec.ts'
import { idsOf } from '../accounts/users.bulk.ts'
import { userList } from '../users/users.list.ts'

/** The users of a bulk action, as the job stores them. */
export type Selection = { readonly ids: readonly number[] } | { readonly filter: Filters; readonly maxId: number }

type Filters = readonly (readonly [name: string, values: readonly (string | number)[]])[]

const isScalar = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

/** The query of GET /users that has this filter; throws 422. */
function toQuery(filter: Readonly<Record<string, unknown>>): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) {
    const values: unknown[] = Array.isArray(value) ? value : [value]
    for (const one of values) {
      if (!isScalar(one))
        throw validationFailed({ filter: [`The filter ${excerpt(name)} must be a text or a number.`] })
      query.append(`filter[${name}]`, String(one))
    }
  }
  return query
}

/** Reads a filter as the list does; but a value that the list ignores is refused, because it would match everybody. */
function parse(filter: Readonly<Record<string, unknown>>) {
  try {
    const request = parseListRequest(userList, new URLSearchParams([...toQuery(filter), ['per_page', '1']]))
    const empty = Object.keys(filter).filter((name) => !request.filters.has(name))
    if (empty.length > 0)
      throw validationFailed({ filter: empty.map((name) => `The filter ${excerpt(name)} has no value.`) })
    return request
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw validationFailed({ filter: Object.values(error.fields ?? { filter: [error.message] }).flat() })
  }
}

/** Reads a filter of a request, and counts the users that match. */
export async function selectByFilter(
  ctx: Context,
  filter: Readonly<Record<string, unknown>>,
): Promise<{ selection: Selection; count: number }> {
  const request = parse(filter)
  const newest = await ctx.db
    .selectFrom('users')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  const { total } = await fetchPage(ctx.db, userList, request)
  return { selection: { filter: [...request.filters], maxId: newest?.id ?? 0 }, count: total }
}

const idsAtOnce = 1_000

/** Selects the users with these ids, and counts them. An id that nobody has is left out: the job would count it as done. */
export async function selectByIds(
  ctx: Context,
  ids: readonly number[],
): Promise<{ selection: Selection; count: number }> {
  const wanted = [...new Set(ids)].sort((one, other) => one - other)
  const found: number[] = []
  for (let at = 0; at < wanted.length; at += idsAtOnce) {
    const rows = await ctx.db
      .selectFrom('users')
      .select('id')
      .where('id', 'in', wanted.slice(at, at + idsAtOnce))
      .orderBy('id')
      .execute()
    found.push(...idsOf(rows))
  }
  return { selection: { ids: found }, count: found.length }
}

/** The conditions that a row still has to meet when it is changed. A search is not run again: it takes long. */
export function conditionsOf(selection: Selection, db: ReadDb, withSearch: boolean): Fragment[] {
  if ('ids' in selection) return []
  const wanted = selection.filter.filter(([name]) => withSearch || name !== 'search')
  return filterConditions(userList.filters, wanted, db)
}

/** The next users in the order of their ids. */
export async function nextIds(ctx: Context, selection: Selection, after: number, limit: number): Promise<number[]> {
  if ('ids' in selection) return selection.ids.filter((id) => id > after).slice(0, limit)
  const bounds = fragment('id > ? and id <= ?', after, selection.maxId)
  const rows = await read<{ id: number }>(
    ctx.db,
    concat(
      fragment('select id from users'),
      whereAll([bounds, ...conditionsOf(selection, ctx.db, true)]),
      fragment('order by id'),
      limitTo(limit),
    ),
    'costly',
  )
  return rows.map(({ id }) => id)
}

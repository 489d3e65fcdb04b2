import { type Static, type TSchema, Type } from 'typebox'
import type { Context } from '../../core/context.ts'
import { component, nullable, ref } from '../schemas.ts'
import type { Page } from './page.ts'
import type { ListRequest } from './request.ts'
import type { Include } from './spec.ts'

const url = (page: number) => ({ examples: [`https://users.example.com/api/users?page=${page}`] })
const cursor = (description: string) =>
  nullable(Type.String({ description, examples: ['WyJmb3J3YXJkIiw0MF0.nT1nFhY4mB0c3vQe'] }))
const number = (example: number) => nullable(Type.Integer({ examples: [example] }))

export const ListLinks = component(
  'ListLinks',
  Type.Object({
    first: Type.String(url(1)),
    last: nullable(Type.String({ description: 'Null with a cursor.', ...url(3) })),
    prev: nullable(Type.String(url(1))),
    next: nullable(Type.String(url(3))),
  }),
)

export const ListMeta = component(
  'ListMeta',
  Type.Object({
    current_page: nullable(
      Type.Integer({ description: 'Null with a cursor, like from, last_page and to.', examples: [2] }),
    ),
    from: number(21),
    last_page: number(3),
    path: Type.String({ examples: ['https://users.example.com/api/users'] }),
    per_page: Type.Integer({ examples: [20] }),
    to: number(40),
    total: Type.Integer({ description: 'The exact number of objects that match the filter.', examples: [57] }),
    next_cursor: cursor('Null on the last page.'),
    prev_cursor: cursor('Null on the first page.'),
  }),
)

/** The schema of a list's answer. */
export const listOf = <S extends TSchema>(item: S) =>
  Type.Object({ data: Type.Array(ref(item)), links: ref(ListLinks), meta: ref(ListMeta) })

/** The parameters that say where a page is. */
const positions: ReadonlySet<string> = new Set(['page', 'page[number]', 'cursor'])

interface Around {
  readonly links: Static<typeof ListLinks>
  readonly meta: Static<typeof ListMeta>
}

export interface ListAnswer<Item> extends Around {
  readonly data: Item[]
}

/** The links and numbers around a page. `path` is where the list is, below the public URL. */
export function toAround(page: Page<unknown>, request: ListRequest, path: string, query: URLSearchParams): Around {
  const others = [...query].filter(([name]) => !positions.has(name))
  const before = others.length === 0 ? '' : `${new URLSearchParams(others)}&`
  const link = (name: 'page' | 'cursor', value: string): string => `${path}?${before}${name}=${value}`
  const { rows, total, nextCursor, previousCursor } = page
  const list = { path, per_page: request.perPage }
  const rest = { total, next_cursor: nextCursor, prev_cursor: previousCursor }
  if (request.cursor !== null) {
    return {
      links: {
        first: link('page', '1'),
        last: null,
        prev: previousCursor && link('cursor', previousCursor),
        next: nextCursor && link('cursor', nextCursor),
      },
      meta: { current_page: null, from: null, last_page: null, ...list, to: null, ...rest },
    }
  }
  const last = Math.max(1, Math.ceil(total / request.perPage))
  const skipped = (request.page - 1) * request.perPage
  return {
    links: {
      first: link('page', '1'),
      last: link('page', String(last)),
      prev: request.page > 1 ? link('page', String(request.page - 1)) : null,
      next: request.page < last ? link('page', String(request.page + 1)) : null,
    },
    meta: {
      current_page: request.page,
      from: rows.length > 0 ? skipped + 1 : null,
      last_page: last,
      ...list,
      to: rows.length > 0 ? skipped + rows.length : null,
      ...rest,
    },
  }
}

const comma = Buffer.from(',')
const start = Buffer.from('{"data":[')

/** The text of a list's answer from items that are JSON already. */
export function joinItems(items: readonly Uint8Array[], around: Around): Buffer {
  const data = items.flatMap((item, index) => (index === 0 ? [item] : [comma, item]))
  return Buffer.concat([start, ...data, Buffer.from(`],${JSON.stringify(around).slice(1)}`)])
}

/** Adds the requested includes to each item; `items` are in the order of `rows`. */
export async function attachIncludes<Row, Item extends object>(
  ctx: Context,
  includes: Readonly<Record<string, Include<Row>>>,
  names: readonly string[],
  rows: readonly Row[],
  items: Item[],
): Promise<Item[]> {
  for (const name of names) {
    const include = includes[name] as Include<Row>
    if (include.isField === true) continue
    const ids = new Set(rows.map(include.key).filter((id) => id !== null))
    const found = ids.size > 0 ? await include.load(ctx, [...ids]) : new Map<number, object>()
    items.forEach((item, index) => {
      const id = include.key(rows[index] as Row)
      Object.assign(item, { [name]: id === null ? null : (found.get(id) ?? null) })
    })
  }
  return items
}

import type { FastifyRequest } from 'fastify'
import type { RawBuilder, SqlBool } from 'kysely'
import type { Context } from '../../core/context.ts'
import type { ReadDb } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { readAside } from '../../db/direct.ts'
import { JsonAnswer } from '../json-answer.ts'
import type { Call } from '../route.ts'
import { attachIncludes, joinItems, type ListAnswer, toAround } from './answer.ts'
import { fetchPage } from './page.ts'
import { parseIncludes, parseListRequest } from './request.ts'
import type { JsonRow } from './rows.ts'
import type { ListSpec } from './spec.ts'

/** The canonical path from the route: a request may spell it in many ways, and may even put a host before it (RFC 9112 §3.2.2). */
const pathOf = ({ routeOptions: { url = '' }, params }: FastifyRequest): string =>
  url.includes(':')
    ? url.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent((params as Record<string, string>)[name] ?? ''))
    : url

type ListCall = Pick<Call<unknown>, 'query' | 'request'>

/** The page that a request asks for, and what is around its items in the answer. */
async function readList<Row>(
  ctx: Context,
  spec: ListSpec<Row>,
  { query, request: asked }: ListCall,
  scope?: RawBuilder<SqlBool>,
) {
  const path = pathOf(asked)
  const request = parseListRequest(spec, query, path)
  const read = (db: ReadDb) => fetchPage(db, spec, request, scope)
  const page = await (spec.fromPrimary === true ? read(ctx.db) : readAside(ctx.db, asked.actor?.userId ?? null, read))
  return { rows: page.rows, request, around: toAround(page, request, ctx.config.publicUrl + path, query) }
}

/** Answers a list request: parses it, reads the page, shapes its rows and adds the includes and links. */
export async function answerList<Row, Item extends object>(
  ctx: Context,
  spec: ListSpec<Row>,
  call: ListCall,
  toItems: (rows: readonly Row[]) => Item[] | Promise<Item[]>,
  scope?: RawBuilder<SqlBool>,
): Promise<ListAnswer<Item>> {
  const { rows, request, around } = await readList(ctx, spec, call, scope)
  return { data: await attachIncludes(ctx, spec.includes, request.includes, rows, await toItems(rows)), ...around }
}

/** The same with the JSON that SQLite writes, where it can: `asJson` is the list with `json`. Includes are added to objects. */
export async function answerListAsJson<Row, Item extends object>(
  ctx: Context,
  spec: ListSpec<Row>,
  asJson: ListSpec<Row>,
  call: ListCall,
  toItems: (rows: readonly Row[]) => Item[],
): Promise<ListAnswer<Item> | JsonAnswer> {
  const needsObjects = isPostgres(ctx.db) || parseIncludes(spec.includes, call.query).length > 0
  if (needsObjects) return answerList(ctx, spec, call, toItems)
  const { rows, around } = await readList(ctx, asJson as ListSpec<JsonRow>, call)
  return new JsonAnswer(
    joinItems(
      rows.map(({ json }) => json),
      around,
    ),
  )
}

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
import { type ListRequest, parseListRequest } from './request.ts'
import type { JsonRow } from './rows.ts'
import type { ListSpec } from './spec.ts'

/** The canonical path from the route: a request may spell it in many ways, and may even put a host before it (RFC 9112 §3.2.2). */
const pathOf = ({ routeOptions: { url = '' }, params }: FastifyRequest): string =>
  url.includes(':')
    ? url.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent((params as Record<string, string>)[name] ?? ''))
    : url

type ListCall = Pick<Call<unknown>, 'query' | 'request'>

const requestOf = <Row>(spec: ListSpec<Row>, { query, request }: ListCall) =>
  parseListRequest(spec, query, pathOf(request))

/** The rows of the page that is asked for, and what is around them in the answer. */
async function readList<Row>(
  ctx: Context,
  spec: ListSpec<Row>,
  asked: ListRequest,
  { query, request: { actor } }: ListCall,
  scope?: RawBuilder<SqlBool>,
) {
  const read = (db: ReadDb) => fetchPage(db, spec, asked, scope)
  const page = await (spec.fromPrimary === true ? read(ctx.db) : readAside(ctx.db, actor?.userId ?? null, read))
  return { rows: page.rows, around: toAround(page, asked, ctx.config.publicUrl + asked.path, query) }
}

/** Answers a list request: parses it, reads the page, shapes its rows and adds the includes and links. */
export async function answerList<Row, Item extends object>(
  ctx: Context,
  spec: ListSpec<Row>,
  call: ListCall,
  toItems: (rows: readonly Row[]) => Item[] | Promise<Item[]>,
  scope?: RawBuilder<SqlBool>,
  asked = requestOf(spec, call),
): Promise<ListAnswer<Item>> {
  const { rows, around } = await readList(ctx, spec, asked, call, scope)
  return { data: await attachIncludes(ctx, spec.includes, asked.includes, rows, await toItems(rows)), ...around }
}

/** The same with the JSON that SQLite writes, where it can: `asJson` is the list with `json`. Includes need objects. */
export async function answerListAsJson<Row, Item extends object>(
  ctx: Context,
  spec: ListSpec<Row>,
  asJson: ListSpec<Row>,
  call: ListCall,
  toItems: (rows: readonly Row[]) => Item[],
): Promise<ListAnswer<Item> | JsonAnswer> {
  const asked = requestOf(spec, call)
  const needsObjects = isPostgres(ctx.db) || asked.includes.length > 0
  if (needsObjects) return answerList(ctx, spec, call, toItems, undefined, asked)
  const { rows, around } = await readList(ctx, asJson as ListSpec<JsonRow>, asked, call)
  const items = rows.map(({ json }) => json)
  return new JsonAnswer(joinItems(items, around))
}

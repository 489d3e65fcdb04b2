import type { FastifyRequest } from 'fastify'
import type { RawBuilder, SqlBool } from 'kysely'
import type { Context } from '../../core/context.ts'
import type { ReadDb } from '../../db/database.ts'
import { readAside } from '../../db/direct.ts'
import type { Call } from '../route.ts'
import { attachIncludes, toListAnswer } from './answer.ts'
import { fetchPage } from './page.ts'
import { parseListRequest } from './request.ts'
import type { ListSpec } from './spec.ts'

/** The canonical path from the route: a request may spell it in many ways, and may even put a host before it (RFC 9112 §3.2.2). */
const pathOf = ({ routeOptions: { url = '' }, params }: FastifyRequest): string =>
  url.includes(':')
    ? url.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent((params as Record<string, string>)[name] ?? ''))
    : url

/** Answers a list request: parses it, reads the page, shapes its rows and adds the includes and links. */
export async function answerList<Row, Item extends object>(
  ctx: Context,
  spec: ListSpec<Row>,
  call: Pick<Call<unknown>, 'query' | 'request'>,
  toItems: (rows: readonly Row[]) => Item[] | Promise<Item[]>,
  scope?: RawBuilder<SqlBool>,
): Promise<ReturnType<typeof toListAnswer<Item>>> {
  const path = pathOf(call.request)
  const request = parseListRequest(spec, call.query, path)
  const userId = call.request.actor?.userId ?? null
  const read = (db: ReadDb) => fetchPage(db, spec, request, scope)
  const page = await (spec.fromPrimary === true ? read(ctx.db) : readAside(ctx.db, userId, read))
  const items = await attachIncludes(ctx, spec.includes, request.includes, page.rows, await toItems(page.rows))
  return toListAnswer(items, page, request, ctx.config.publicUrl + path, call.query)
}

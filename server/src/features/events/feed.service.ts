import { hash } from 'node:crypto'
import type { Context } from '../../core/context.ts'
import { defineErrors, errors } from '../../core/errors.ts'
import { excerpt } from '../../core/excerpt.ts'
import type { FeedHub } from './feed.hub.ts'
import { eventNames, isKnownPattern, matcherOf } from './patterns.ts'
import type { EventRow } from './payload.ts'
import { eventsBetween, findHead, latestEvents } from './read-events.ts'

const feedErrors = defineErrors({
  unknown_event_type: [400, 'There is no such event.'],
})

const pageSize = 100
const longestWaitSeconds = 30

/** What a reader asks for. */
export interface FeedRequest {
  readonly after: number
  /** Begin with this many of the latest instead. */
  readonly last: number | undefined
  /** Patterns; empty for every event. */
  readonly types: readonly string[]
  readonly waitMs: number
}

const sealOf = (position: string): string => hash('sha256', `gatehouse feed ${position}`, 'base64url').slice(0, 12)

/** A place in the feed, for the reader to hand back. */
export function toCursor(position: number): string {
  const text = position.toString(36)
  return `${text}.${sealOf(text)}`
}

function positionOf(cursor: string): number {
  const [text = '', seal, ...rest] = cursor.split('.')
  const position = /^[0-9a-z]{1,11}$/.test(text) ? Number.parseInt(text, 36) : Number.NaN
  if (rest.length > 0 || seal !== sealOf(text) || !Number.isSafeInteger(position))
    throw errors.invalid_cursor('This cursor does not belong to this feed.')
  return position
}

function waitMsOf(text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw errors.malformed_request('The wait parameter must be a number of seconds, at most 30.')
  return Math.min(Number(text), longestWaitSeconds) * 1_000
}

function lastOf(text: string): number {
  const last = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (last < 1 || last > pageSize)
    throw errors.malformed_request(`The last parameter must be a number from 1 to ${pageSize}.`)
  return last
}

const parameters = ['after', 'last', 'types', 'wait']
/** What lists are asked with. */
const listParameters = ['filter', 'sort', 'page', 'per_page', 'cursor']

/** What looks like a parameter and cannot be read is not ignored: the reader would get something else. */
function assertReadable(name: string): void {
  const [family = ''] = name.split('[')
  const isRead = parameters.includes(name) || /^types\[\d*\]$/.test(name)
  if (isRead || ![...parameters, ...listParameters].includes(family)) return
  throw errors.malformed_request(`The parameter ${excerpt(name)} cannot be read. Allowed: ${parameters.join(', ')}.`)
}

/** Reads `after`, `last`, `types` and `wait`. */
export function parseFeedRequest({ plugins }: Pick<Context, 'plugins'>, query: URLSearchParams): FeedRequest {
  for (const name of query.keys()) assertReadable(name)
  const after = query.get('after') || undefined
  const last = query.get('last') || undefined
  if (after !== undefined && last !== undefined)
    throw errors.malformed_request('The after and last parameters exclude each other.')
  const lists = [...query].filter(([name]) => /^types(?:\[\d*\])?$/.test(name)).map(([, value]) => value)
  const types = lists.flatMap((list) => list.split(',').map((type) => type.trim())).filter((type) => type !== '')
  const names = eventNames(plugins)
  const unknown = types.find((type) => !isKnownPattern(type, names))
  if (unknown !== undefined)
    throw feedErrors.unknown_event_type(
      `There is no event ${excerpt(unknown)}. Allowed: * and ${names.join(', ')}, also as user.*.`,
    )
  return {
    after: after === undefined ? 0 : positionOf(after),
    last: last === undefined ? undefined : lastOf(last),
    types: [...new Set(types)],
    waitMs: waitMsOf(query.get('wait') || '0'),
  }
}

/** A page of the feed. */
export interface FeedPage {
  readonly rows: readonly EventRow[]
  /** Everything up to here that matches is in this page or an earlier one. */
  readonly upTo: number
}

async function readPage(ctx: Context, after: number, types: readonly string[]): Promise<FeedPage> {
  const head = await findHead(ctx.db)
  if (head < after)
    throw errors.invalid_cursor(
      'This cursor lies ahead of the log, which was set back: by a restore, for example. Begin without it.',
    )
  if (head === after) return { rows: [], upTo: after }
  const rows = await eventsBetween(ctx.db, after, head, types, pageSize)
  return { rows, upTo: rows.length === pageSize ? (rows.at(-1)?.position ?? head) : head }
}

async function readLatest(ctx: Context, types: readonly string[], last: number): Promise<FeedPage> {
  const upTo = await findHead(ctx.db)
  return { rows: await latestEvents(ctx.db, upTo, types, last), upTo }
}

/** A page, and whether the reader has waited for it. */
interface FeedAnswer extends FeedPage {
  readonly hasWaited: boolean
}

/** The events after a position, or the latest; if there are none, the first that come within `waitMs`. */
export async function readFeed(
  ctx: Context,
  hub: FeedHub,
  { after, last, types, waitMs }: FeedRequest,
  gone: AbortSignal,
): Promise<FeedAnswer> {
  const endMs = performance.now() + waitMs
  const matches = types.length === 0 ? () => true : matcherOf(types)
  const first = last === undefined ? undefined : await readLatest(ctx, types, last)
  if (first !== undefined && first.rows.length > 0) return { ...first, hasWaited: false }
  let hasWaited = false
  for (let from = first?.upTo ?? after; ; ) {
    const page = await readPage(ctx, from, types)
    const leftMs = endMs - performance.now()
    if (page.rows.length > 0 || leftMs <= 0) return { ...page, hasWaited }
    from = page.upTo
    hasWaited = true
    const news = await hub.wait(from, matches, leftMs, gone)
    if (news === undefined) continue
    const rows = news.rows.slice(0, pageSize)
    const upTo = rows.length < news.rows.length ? (rows.at(-1)?.position ?? from) : news.upTo
    return { rows, upTo, hasWaited }
  }
}

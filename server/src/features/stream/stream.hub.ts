import type { ServerResponse } from 'node:http'
import type { Actor, Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import type { MaybePromise } from '../../core/maybe-promise.ts'
import { isPostgres } from '../../db/dialect.ts'
import { type ActivityNote, latestId, messageFor, notesAfter, pollAfter } from './stream.messages.ts'

/*
 * All streams of a process. Once a second, while anybody listens, one query asks for all of them what happened; whoever
 * listens on another process is told by that one.
 */

const pollEveryMs = 1_000
const heartbeatEveryMs = 15_000
/** How long a session may be over before its stream ends; what somebody ends is noticed within a second. */
const lookAgainAfterMs = 30_000
const maxPerUser = 10
const maxClients = 2_000
/** Who is further behind is told to ask for everything again. */
export const maxBehind = 1_000
/** Who does not read is cut off. */
const maxUnreadBytes = 256 * 1024
/** PostgreSQL numbers notes before it commits them: so many numbers back are looked at again. */
const overlapOf = (ctx: Context): number => (isPostgres(ctx.db) ? 200 : 0)

export interface Client {
  actor: Actor
  readonly response: ServerResponse
  /** Who stands behind its credential now; null where nobody does. */
  readonly lookAgain: () => MaybePromise<Actor | null>
  lookedAtMs: number
}

export const line = (id: number, event: string, data: object): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`

export function createStreamHub(ctx: Context) {
  const clients = new Set<Client>()
  const overlap = overlapOf(ctx)
  /** The numbers above `from` that were told already. */
  let told = new Set<number>()
  let from = 0
  let version: number | undefined
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined
  let heartbeatMs = 0

  const leave = (client: Client): void => {
    clients.delete(client)
    if (clients.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  const write = (client: Client, text: string): void => {
    if (client.response.writableLength > maxUnreadBytes) client.response.destroy()
    else client.response.write(text)
  }

  const tell = (client: Client, note: ActivityNote): void => {
    const message = messageFor(ctx, client.actor, note)
    if (message !== undefined) write(client, line(message.id, message.event, message))
  }

  /** Ends the stream of who is signed out, and keeps up with what the others may. */
  async function lookAgain(client: Client): Promise<void> {
    client.lookedAtMs = ctx.clock().getTime()
    const actor = await client.lookAgain()
    if (actor !== null) {
      client.actor = actor
      return
    }
    leave(client)
    client.response.end('event: signed_out\ndata: {}\n\n')
  }

  async function poll(): Promise<void> {
    const { version: now, notes } = await pollAfter(ctx.db, from, maxBehind)
    const fresh = notes.filter(({ id }) => !told.has(id))
    const nowMs = ctx.clock().getTime()
    for (const client of clients) {
      // What happened while they could see it comes first: the note of their own sign-out, too.
      for (const note of fresh) tell(client, note)
      if (now !== version || nowMs - client.lookedAtMs >= lookAgainAfterMs) await lookAgain(client)
    }
    version = now
    const last = notes.at(-1)?.id ?? from
    for (const { id } of fresh) told.add(id)
    from = Math.max(from, notes.length === maxBehind ? last : last - overlap)
    told = new Set([...told].filter((id) => id > from))
    if (nowMs - heartbeatMs < heartbeatEveryMs) return
    heartbeatMs = nowMs
    for (const client of clients) write(client, ': still here\n\n')
  }

  const pollOnce = (): void => {
    polling ??= poll()
      .catch((err) => ctx.log.warn({ err }, 'the streams could not be told what happened'))
      .finally(() => {
        polling = undefined
      })
  }

  async function begin(): Promise<void> {
    const latest = await latestId(ctx.db)
    if (timer !== undefined) return
    from = Math.max(0, latest - overlap)
    told = new Set((await notesAfter(ctx.db, from, overlap)).map(({ id }) => id))
    if (timer !== undefined) return
    version = undefined
    timer = setInterval(pollOnce, pollEveryMs).unref()
  }

  return {
    /** Throws 429 where the user listens in too many places already, 503 where too many do. */
    assertRoom: ({ userId }: Actor): void => {
      const own = [...clients].filter(({ actor }) => actor.userId === userId).length
      if (own >= maxPerUser)
        throw new ServiceError('too_many_attempts', 429, 'Too Many Attempts.', { retryAfterSeconds: 30 })
      if (clients.size >= maxClients)
        throw new ServiceError('unavailable', 503, 'Too many streams are open.', { retryAfterSeconds: 30 })
    },
    /** Tells a client what happened after `since`, now where that is not given, and goes on. What happens just then may be told twice. */
    add: async (client: Client, since: number | undefined): Promise<void> => {
      client.response.on('close', () => leave(client)).on('error', () => leave(client))
      const latest = await latestId(ctx.db)
      const after = since ?? latest
      if (clients.size === 0) heartbeatMs = ctx.clock().getTime()
      write(client, `retry: 3000\n${line(after, 'ready', {})}`)
      clients.add(client)
      if (timer === undefined) await begin()
      const missed = await notesAfter(ctx.db, after, maxBehind + 1)
      if (missed.length > maxBehind) write(client, line(latest, 'reset', {}))
      else for (const note of missed) tell(client, note)
    },
    /** Ends all streams; their clients come back by themselves, to another node or a new process. */
    stop: async (): Promise<void> => {
      clearInterval(timer)
      await polling
      for (const { response } of clients) response.end()
      clients.clear()
    },
  }
}

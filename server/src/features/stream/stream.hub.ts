import type { ServerResponse } from 'node:http'
import type { Actor, Context } from '../../core/context.ts'
import { busyFor, tooManyAttempts } from '../../core/errors.ts'
import type { MaybePromise } from '../../core/maybe-promise.ts'
import { holds } from '../../core/permissions.ts'
import { isPostgres } from '../../db/dialect.ts'
import { changedJobs, toJob } from '../jobs/jobs.service.ts'
import { type ActivityNote, latestId, messageFor, notesAfter, pollAfter } from './stream.messages.ts'

/*
 * All streams of a process. While there are clients, one query a second finds new events for all of them. Each process
 * queries for its own clients.
 */

const pollEveryMs = 1_000
const heartbeatEveryMs = 15_000
/** A stream ends at the latest this long after its session has expired. If somebody ends the session, it ends within a second. */
const lookAgainAfterMs = 30_000
const maxPerUser = 10
const maxClients = 2_000
const maxJobs = 20
/** A client that is further behind is told to reload everything. */
export const maxBehind = 1_000
/** A client that does not read is disconnected. */
const maxUnreadBytes = 256 * 1024
/** PostgreSQL assigns numbers before commit, so this many earlier numbers are checked again. */
const overlapOf = (ctx: Context): number => (isPostgres(ctx.db) ? 200 : 0)

export interface Client {
  actor: Actor
  readonly response: ServerResponse
  /** The current holder of the credential; null if it is no longer valid. */
  readonly lookAgain: () => MaybePromise<Actor | null>
  lookedAtMs: number
}

export const line = (id: number, event: string, data: object): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`

export function createStreamHub(ctx: Context) {
  const clients = new Set<Client>()
  const overlap = overlapOf(ctx)
  /** The numbers above `from` that were already delivered. */
  let told = new Set<number>()
  let from = 0
  let version: number | undefined
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined
  let heartbeatMs = 0
  let jobsToldMs = 0

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

  /** Ends the streams of signed-out clients, and updates the permissions of the others. */
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
      // Deliver first what happened while the client could see it, including the event of its own sign-out.
      for (const note of fresh) tell(client, note)
      if (now !== version || nowMs - client.lookedAtMs >= lookAgainAfterMs) await lookAgain(client)
    }
    await tellOfJobs()
    version = now
    const last = notes.at(-1)?.id ?? from
    for (const { id } of fresh) told.add(id)
    from = Math.max(from, notes.length === maxBehind ? last : last - overlap)
    told = new Set([...told].filter((id) => id > from))
    if (nowMs - heartbeatMs < heartbeatEveryMs) return
    heartbeatMs = nowMs
    for (const client of clients) write(client, ': still here\n\n')
  }

  /** Sends jobs with their counts to clients who may see them. Jobs are not part of the activity, so they have no id. */
  async function tellOfJobs(): Promise<void> {
    const watching = [...clients].filter(({ actor }) => holds(actor.permissions, 'users.manage'))
    if (watching.length === 0) return
    const jobs = await changedJobs(ctx, jobsToldMs, maxJobs)
    for (const job of jobs) {
      jobsToldMs = Math.max(jobsToldMs, job.changed_ms)
      for (const client of watching) write(client, `event: job\ndata: ${JSON.stringify(toJob(job))}\n\n`)
    }
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
    jobsToldMs = ctx.clock().getTime() - 1_000
    if (timer !== undefined) return
    from = Math.max(0, latest - overlap)
    told = new Set((await notesAfter(ctx.db, from, overlap)).map(({ id }) => id))
    if (timer !== undefined) return
    version = undefined
    timer = setInterval(pollOnce, pollEveryMs).unref()
  }

  return {
    /** Throws 429 if the user has too many streams open, 503 if the process has. */
    assertRoom: ({ userId }: Actor): void => {
      const own = [...clients].filter(({ actor }) => actor.userId === userId).length
      if (own >= maxPerUser) throw tooManyAttempts(30, maxPerUser)
      if (clients.size >= maxClients) throw busyFor(30, 'Too many streams are open.')
    },
    /** Delivers what happened after `since` (default: now) and continues. Events of this moment may be delivered twice. */
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
    /** Ends all streams. The clients reconnect by themselves, to another node or a new process. */
    stop: async (): Promise<void> => {
      clearInterval(timer)
      await polling
      for (const { response } of clients) response.end()
      clients.clear()
    },
  }
}

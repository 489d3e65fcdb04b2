import type { ServerResponse } from 'node:http'
import type { Actor, Context } from '../../core/context.ts'
import { busyFor, tooManyAttempts } from '../../core/errors.ts'
import type { MaybePromise } from '../../core/maybe-promise.ts'
import { holds, noPermissions } from '../../core/permissions.ts'
import { createSharedPlaces } from '../../core/shared-slots.ts'
import { sequenceAll } from '../activity/sequencer.ts'
import { findCredentialVersion } from '../credentials/credentials.service.ts'
import { findHead } from '../events/read-events.ts'
import { changedJobs, toJob } from '../jobs/jobs.service.ts'
import { type ActivityNote, messageFor, notesAfter } from './stream.messages.ts'

/*
 * All streams of a process. While there are clients, one query a second finds new events for all of them. Each process
 * queries for its own clients.
 */

const pollEveryMs = 1_000
const heartbeatEveryMs = 15_000
/** Every client is checked again at least this often, even if nothing indicates a change: the clock may have been set back. */
const lookAgainAfterMs = 30_000
const maxPerUser = 10
const maxClients = 2_000
const maxJobs = 100
/** Jobs that changed within this time are looked at again: another node's clock may differ, and its change be committed late. */
const jobWindowMs = 60_000
/** A client that is further behind is told to reload everything. */
const maxBehind = 1_000
/** A client that does not read is disconnected. */
const maxUnreadBytes = 256 * 1024
export interface Client {
  actor: Actor
  readonly response: ServerResponse
  /** The current holder of the credential; null if it is no longer valid. */
  readonly lookAgain: () => MaybePromise<Actor | null>
  lookedAtMs: number
  /** False while it is still told what it has missed. */
  isCaughtUp: boolean
}

/** Too much has happened since `after` to tell it; or it is of another time, before a backup was restored. */
export const isTooFar = (after: number, head: number): boolean => after > head || head - after > maxBehind

const line = (id: number, event: string, data: object): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** True if something of `thenMs` has to be done again. Either direction: the clock may be set back. */
const isDue = (nowMs: number, thenMs: number, everyMs: number): boolean => Math.abs(nowMs - thenMs) >= everyMs

export function createStreamHub(ctx: Context) {
  const takeOfUser = createSharedPlaces({ all: Number.POSITIVE_INFINITY, each: { user: maxPerUser } }, () =>
    tooManyAttempts(30, maxPerUser),
  )
  const takeOfProcess = createSharedPlaces({ all: maxClients, each: {} }, () =>
    busyFor(30, 'Too many streams are open.'),
  )
  const clients = new Set<Client>()
  /** Every client has been told of what has a place up to here. */
  let told = 0
  let version: number | undefined
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined
  let heartbeatMs = 0
  let begunMs = 0
  /** The jobs that changed last, and when. */
  let toldJobs = new Map<number, number>()

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
    if (!hasExpired(client)) await tellOfEnd(client)
    client.response.end('event: signed_out\ndata: {}\n\n')
  }

  const hasExpired = ({ actor }: Client): boolean => (actor.credential?.endsMs ?? 0) <= ctx.clock().getTime()

  /** Tells what ended the credential, and whatever else concerns the user until then. Whoever ends it has written its event by now. */
  async function tellOfEnd(client: Client): Promise<void> {
    client.actor = { ...client.actor, permissions: noPermissions }
    if (!client.isCaughtUp) return
    await sequenceAll(ctx)
    for (const note of await notesAfter(ctx.db, told, maxBehind)) tell(client, note)
  }

  async function poll(): Promise<void> {
    await sequenceAll(ctx)
    const notes = await notesAfter(ctx.db, told, maxBehind)
    // Read after the notes, and before they are sent: an event that follows a change of permissions is sent by the new ones.
    const now = await findCredentialVersion(ctx.db)
    const nowMs = ctx.clock().getTime()
    for (const client of clients)
      if (now !== version || hasExpired(client) || isDue(nowMs, client.lookedAtMs, lookAgainAfterMs))
        await lookAgain(client)
    version = now
    for (const client of clients) if (client.isCaughtUp) for (const note of notes) tell(client, note)
    told = notes.at(-1)?.id ?? told
    begunMs = Math.min(begunMs, nowMs)
    await tellOfJobs(nowMs)
    if (!isDue(nowMs, heartbeatMs, heartbeatEveryMs)) return
    heartbeatMs = nowMs
    for (const client of clients) write(client, ': still here\n\n')
  }

  /** Sends jobs with their counts to clients who may see them. Jobs are not part of the activity, so they have no id. */
  async function tellOfJobs(nowMs: number): Promise<void> {
    const watching = [...clients].filter(({ actor }) => holds(actor.permissions, 'users.manage'))
    if (watching.length === 0) return
    const jobs = await changedJobs(ctx, nowMs - jobWindowMs, maxJobs)
    for (const job of jobs) {
      if (job.changed_ms < begunMs - pollEveryMs || toldJobs.get(job.id) === job.changed_ms) continue
      for (const client of watching) write(client, `event: job\ndata: ${JSON.stringify(toJob(job))}\n\n`)
    }
    toldJobs = new Map(jobs.map(({ id, changed_ms }) => [id, changed_ms]))
  }

  const pollOnce = (): void => {
    polling ??= poll()
      .catch((err) => ctx.log.warn({ err }, 'the streams could not be told what happened'))
      .finally(() => {
        polling = undefined
      })
  }

  function begin(head: number): void {
    told = head
    version = undefined
    begunMs = ctx.clock().getTime()
    heartbeatMs = begunMs
    timer = setInterval(pollOnce, pollEveryMs).unref()
  }

  /** Tells a client what has happened since, until it knows as much as the others. */
  async function catchUp(client: Client, since: number): Promise<void> {
    let after = since
    do {
      const upTo = told
      for (const note of await notesAfter(ctx.db, after, maxBehind)) {
        tell(client, note)
        after = note.id
      }
      after = Math.max(after, upTo) // what retention has removed is not waited for
    } while (after < told)
    client.isCaughtUp = true
  }

  return {
    /**
     * Takes a place until the response is closed, at once: requests that arrive together would else all find room. Throws 429
     * if the user has too many streams open, 503 if the process has.
     */
    takePlace: ({ userId }: Actor, response: ServerResponse): void => {
      if (response.destroyed) return // the client has left already, and `add` does nothing
      const leaveOwn = takeOfUser({ user: String(userId) })
      response.once('close', leaveOwn)
      try {
        response.once('close', takeOfProcess({}))
      } catch (error) {
        leaveOwn()
        throw error
      }
    },
    /** Delivers what happened after `since` (default: now) and continues. Events of this moment may be delivered twice. */
    add: async (client: Client, since: number | undefined): Promise<void> => {
      client.response.on('close', () => leave(client)).on('error', () => leave(client))
      await sequenceAll(ctx)
      const head = await findHead(ctx.db)
      if (client.response.destroyed) return
      clients.add(client)
      if (timer === undefined) begin(head)
      const after = since ?? head
      write(client, `retry: 3000\n${line(after, 'ready', {})}`)
      if (!isTooFar(after, head)) return catchUp(client, after)
      write(client, line(head, 'reset', {}))
      return catchUp(client, head)
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

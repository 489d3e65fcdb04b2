import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Actor, Context } from '../../core/context.ts'
import { errors } from '../../core/errors.ts'
import { takesLikeJson } from '../../http/accept.ts'
import { anyCredential } from '../../http/credentials.ts'
import { addRoute } from '../../http/route.ts'
import { component, nullable, ref, Timestamp } from '../../http/schemas.ts'
import { sequenceAll } from '../activity/sequencer.ts'
import { findHead } from '../events/read-events.ts'
import { createStreamHub, isTooFar } from './stream.hub.ts'
import { messageFor, notesAfter } from './stream.messages.ts'

const StreamMessage = component(
  'StreamMessage',
  Type.Object({
    id: Type.Integer({ description: 'Its place in the log.', examples: [17] }),
    event: Type.String({ description: 'The name of the event, as in the activity.', examples: ['user.banned'] }),
    subject: Type.Object(
      { type: Type.String(), id: nullable(Type.Integer()) },
      { description: 'The subject of the event.', examples: [{ type: 'user', id: 2 }] },
    ),
    actor_id: nullable(Type.Integer({ description: 'The acting user, if you may read the activity.', examples: [1] })),
    created_at: Timestamp,
  }),
)

const Answer = Type.Object({
  data: Type.Array(ref(StreamMessage)),
  meta: Type.Object({
    last_event_id: Type.Integer({ description: 'Send this as `Last-Event-ID` next time.', examples: [17] }),
    reset: Type.Boolean({ description: 'True if too much has happened since: reload everything.' }),
  }),
})

/** Browsers ask for `text/event-stream`. A client that accepts anything and does not ask for JSON gets it, too. */
const wantsStream = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && takesLikeJson(headers.accept, 'text/event-stream')

const lastEventId = Type.Optional(
  Type.Integer({
    minimum: 0,
    description: 'The id of the last event that you have: what came after it is sent first.',
  }),
)

/** The event after which the client continues; undefined for the first request. */
function lastEventIdOf({ headers }: FastifyRequest): number | undefined {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return undefined
  if (typeof id !== 'string' || !/^(?:0|[1-9]\d{0,14})$/.test(id))
    throw errors.malformed_request('The Last-Event-ID header must be the id of an event of this stream.')
  return Number(id)
}

/** Sends events at once to clients who may see them. */
export function streamRoutes(app: FastifyInstance, ctx: Context): void {
  const hub = createStreamHub(ctx)
  app.addHook('preClose', hub.stop)

  /** Returns events after an id, for clients behind a proxy that cuts streams. */
  const poll = async (actor: Actor, after: number | undefined) => {
    await sequenceAll(ctx)
    const head = await findHead(ctx.db)
    if (after === undefined) return { data: [], meta: { last_event_id: head, reset: false } }
    if (isTooFar(after, head)) return { data: [], meta: { last_event_id: head, reset: true } }
    const notes = await notesAfter(ctx.db, after, head - after)
    const data = notes.flatMap((note) => messageFor(ctx, actor, note) ?? [])
    return { data, meta: { last_event_id: notes.at(-1)?.id ?? after, reset: false } }
  }

  addRoute(app, {
    method: 'GET',
    path: '/me/stream',
    tag: 'Me',
    operationId: 'streamMyEvents',
    summary: 'Receive changes as they happen',
    description:
      'With `Accept: text/event-stream` a stream of Server-Sent Events, which ends with `signed_out` when the credential does; with `Accept: application/json` what happened since `Last-Event-ID`. Each event is a hint to ask again for what one shows.',
    access: { permission: anyCredential },
    headers: { 'Last-Event-ID': lastEventId },
    answer: Answer,
    alsoAnswers: ['text/event-stream'],
    handle: async ({ actor, request, reply }) => {
      const after = lastEventIdOf(request)
      if (!wantsStream(request)) return poll(actor, after)
      const { raw: response } = reply
      hub.takePlace(actor, response)
      reply.hijack()
      // `X-Accel-Buffering: no` tells nginx to pass each event on at once.
      const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }
      for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...headers })) {
        if (value !== undefined) response.setHeader(name, value)
      }
      response.writeHead(200)
      const lookAgain = () => app.lookAgain(request)
      const client = { actor, response, lookAgain, lookedAtMs: ctx.clock().getTime(), isCaughtUp: false }
      await hub.add(client, after).catch((err) => {
        ctx.log.warn({ err, reqId: request.id }, 'a stream could not begin')
        response.end()
      })
      return undefined as never // the hub answers
    },
  })
}

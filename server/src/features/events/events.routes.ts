import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../core/context.ts'
import { addRoute } from '../../http/route.ts'
import { ref } from '../../http/schemas.ts'
import { EventPayload } from './events.schemas.ts'
import { createFeedHub } from './feed.hub.ts'
import { parseFeedRequest, readFeed, toCursor } from './feed.service.ts'
import { toPayload } from './payload.ts'

const Feed = Type.Object({
  data: Type.Array(ref(EventPayload)),
  meta: Type.Object({
    next_cursor: Type.String({ description: 'Send this as `after` next time.', examples: [toCursor(0)] }),
    cursors: Type.Array(Type.String(), {
      description: 'Of each event, to go on after it where a reader stops in between.',
      examples: [[toCursor(1)]],
    }),
  }),
})

const optionalText = (description: string, example?: string) =>
  Type.Optional(Type.String({ description, ...(example === undefined ? {} : { examples: [example] }) }))

export function eventsRoutes(app: FastifyInstance, ctx: Context): void {
  const hub = createFeedHub(ctx)
  app.addHook('preClose', async () => hub.stop())

  addRoute(app, {
    method: 'GET',
    path: '/events',
    tag: 'Events',
    operationId: 'readEvents',
    summary: 'Read the feed of events',
    description:
      'Every event once, in one order that is the same for every reader, up to 100 at a time, from the oldest that is kept. An event appears within a second after its change; failed sign-ins when their minute is over.',
    access: { permission: 'events.read' },
    query: {
      after: optionalText('A cursor of an earlier answer.', toCursor(0)),
      last: optionalText(
        'Begin with this many of the latest events, at most 100, instead of the oldest; without `after`.',
      ),
      types: optionalText('Names of events, comma-separated; also `user.*`.', 'user.created,user.deleted'),
      wait: optionalText('How many seconds to wait for the next event if there is none, at most 30.', '30'),
    },
    answer: Feed,
    handle: async ({ query, request, reply }) => {
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      const asked = parseFeedRequest(ctx, query)
      const { rows, upTo, hasWaited } = await readFeed(ctx, hub, asked, gone.signal)
      if (hasWaited) await app.admitAgain(request) // they hear of nothing that happened after their rights ended
      const cursors = rows.map(({ position }) => toCursor(position))
      return { data: rows.map((row) => toPayload(row, ctx.config)), meta: { next_cursor: toCursor(upTo), cursors } }
    },
  })
}

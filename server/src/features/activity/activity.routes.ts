import type { FastifyInstance } from 'fastify'
import type { RawBuilder, SqlBool } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../../core/context.ts'
import { listOf } from '../../http/lists/answer.ts'
import { answerList } from '../../http/lists/list.ts'
import { filterParameters } from '../../http/openapi-route.ts'
import { addRoute, type Call } from '../../http/route.ts'
import { choice } from '../../http/schemas.ts'
import { streamText } from '../../http/stream-text.ts'
import { activityList } from './activity.list.ts'
import { Activity, eventNameSchema } from './activity.schemas.ts'
import { assertUserExists, userActivityScope } from './activity.service.ts'
import type { ActivityRow } from './activity.table.ts'
import { exportActivity } from './export.ts'

const toActivity = (row: ActivityRow): Activity => ({
  ...row,
  details: row.details === null ? null : JSON.parse(row.details),
})

export function activityRoutes(app: FastifyInstance, ctx: Context): void {
  app.addSchema(eventNameSchema(ctx.plugins.events))
  const answer = (call: Call<unknown>, scope?: RawBuilder<SqlBool>) =>
    answerList(ctx, activityList, call, (rows: readonly ActivityRow[]) => rows.map(toActivity), scope)

  addRoute(app, {
    method: 'GET',
    path: '/activity',
    tag: 'Activity',
    operationId: 'listActivity',
    summary: 'List the audit log',
    access: { permission: 'users.activity' },
    list: activityList,
    answer: listOf(Activity),
    handle: (call) => answer(call),
  })

  addRoute(app, {
    method: 'GET',
    path: '/activity/export',
    tag: 'Activity',
    operationId: 'exportActivity',
    summary: 'Export the audit log',
    description:
      'Streams the log, oldest first, as NDJSON or with `format=csv` as CSV, with the filters of the list. `hash` is the hex SHA-256 of the previous row’s hash (64 zeros before the first), a line feed, and the row’s NDJSON without `hash`, `ip_address` and `user_agent`. Rows that still count follow when their minute is over.',
    access: { permission: 'users.activity' },
    freshProof: true,
    query: {
      ...filterParameters(activityList.filters),
      format: Type.Optional(choice(['ndjson', 'csv'], { default: 'ndjson', description: 'The form of the lines.' })),
    },
    answer: Type.String({ contentMediaType: 'application/x-ndjson' }),
    alsoAnswers: ['text/csv'],
    handle: async (call) => {
      const file = await exportActivity(ctx, call.query)
      return streamText(call, file, file.stream)
    },
  })

  addRoute(app, {
    method: 'GET',
    path: '/users/{id}/activity',
    tag: 'Activity',
    operationId: 'listUserActivity',
    summary: "List a user's activity",
    description: 'What the user did and what was done to their account.',
    access: { permission: 'users.activity' },
    list: activityList,
    answer: listOf(Activity),
    handle: async (call) => {
      await assertUserExists(ctx, call.id)
      return answer(call, userActivityScope(call.id))
    },
  })
}

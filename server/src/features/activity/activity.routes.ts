import type { FastifyInstance } from 'fastify'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../core/context.ts'
import { listOf } from '../../http/lists/answer.ts'
import { answerList } from '../../http/lists/list.ts'
import { addRoute, type Call } from '../../http/route.ts'
import { addNamed } from '../../http/schemas.ts'
import { activityList } from './activity.list.ts'
import { Activity, eventNameSchema } from './activity.schemas.ts'
import { assertUserExists } from './activity.service.ts'
import type { ActivityRow } from './activity.table.ts'

const toActivity = (row: ActivityRow): Activity => ({
  ...row,
  details: row.details === null ? null : JSON.parse(row.details),
})

export function activityRoutes(app: FastifyInstance, ctx: Context): void {
  addNamed(app, eventNameSchema(ctx.plugins.events))
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
      return answer(call, sql`(actor_id = ${call.id} or (subject_type = 'user' and subject_id = ${call.id}))`)
    },
  })
}

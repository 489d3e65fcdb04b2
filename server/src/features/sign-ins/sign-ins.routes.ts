import type { FastifyInstance } from 'fastify'
import { type SqlBool, sql } from 'kysely'
import type { Context } from '../../core/context.ts'
import { ownId } from '../../core/own-id.ts'
import { toTimestamp } from '../../core/time.ts'
import { anyCredential } from '../../http/credentials.ts'
import { listOf } from '../../http/lists/answer.ts'
import { answerList } from '../../http/lists/list.ts'
import { addRoute, type Call } from '../../http/route.ts'
import { assertUserExists } from '../activity/activity.service.ts'
import type { ActivityRow } from '../activity/activity.table.ts'
import { readSettings } from '../settings/settings.service.ts'
import { failedEvent, goodEvent, signInList, toSignIn } from './sign-ins.list.ts'
import { SignIn } from './sign-ins.schemas.ts'

const dayMs = 86_400_000
const kept = 'Kept for `sign_ins.retention_days`, 90 unless set otherwise.'

export function signInsRoutes(app: FastifyInstance, ctx: Context): void {
  const answer = async (call: Call<unknown>, userId: number) => {
    const { 'sign_ins.retention_days': days } = await readSettings(ctx)
    const since = toTimestamp(new Date(ctx.clock().getTime() - days * dayMs))
    const scope = sql<SqlBool>`(subject_type = 'user' and subject_id = ${userId} and event in (${goodEvent}, ${failedEvent})
      and created_at >= ${since})`
    return answerList(ctx, signInList, call, (rows: readonly ActivityRow[]) => rows.map(toSignIn), scope)
  }

  addRoute(app, {
    method: 'GET',
    path: '/me/sign-ins',
    tag: 'Me',
    operationId: 'listMySignIns',
    summary: 'List your sign-ins, good and failed',
    description: kept,
    access: { permission: anyCredential },
    list: signInList,
    answer: listOf(SignIn),
    handle: (call) => answer(call, ownId(call.actor)),
  })

  addRoute(app, {
    method: 'GET',
    path: '/users/{id}/sign-ins',
    tag: 'Activity',
    operationId: 'listUserSignIns',
    summary: "List a user's sign-ins, good and failed",
    description: kept,
    access: { permission: 'users.activity' },
    list: signInList,
    answer: listOf(SignIn),
    handle: async (call) => {
      await assertUserExists(ctx, call.id)
      return answer(call, call.id)
    },
  })
}

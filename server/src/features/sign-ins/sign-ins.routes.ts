import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { ownId } from '../../core/own-id.ts'
import { anyCredential } from '../../http/credentials.ts'
import { listOf } from '../../http/lists/answer.ts'
import { answerList } from '../../http/lists/list.ts'
import { addRoute, type Call } from '../../http/route.ts'
import { assertUserExists } from '../activity/activity.service.ts'
import type { ActivityRow } from '../activity/activity.table.ts'
import { signInList, toSignIn } from './sign-ins.list.ts'
import { SignIn } from './sign-ins.schemas.ts'
import { signInScope } from './sign-ins.service.ts'

const kept = 'Kept for `sign_ins.retention_days`, 90 unless set otherwise.'

export function signInsRoutes(app: FastifyInstance, ctx: Context): void {
  const answer = async (call: Call<unknown>, userId: number) => {
    const scope = await signInScope(ctx, userId)
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

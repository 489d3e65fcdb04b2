import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { errors } from '../../core/errors.ts'
import { assertMayGetCookie, cookieOf, setCookie } from '../../http/cookies.ts'
import { anyCredential, originOf } from '../../http/credentials.ts'
import { addRoute, type Call } from '../../http/route.ts'
import { allOf, dataOf, ref, Success } from '../../http/schemas.ts'
import { writeRefusals } from '../../security/sign-in/refusals.ts'
import { type LoginResult, login, loginWithCode } from './login.service.ts'
import {
  endAllSessions,
  endReplacedSession,
  endSession,
  getSession,
  listUserSessions,
} from './session-access.service.ts'
import { Login, LoginAnswer, LoginCode, Session } from './sessions.schemas.ts'

const anybody = { permission: anyCredential } as const
const mayManage = { permission: 'users.manage' } as const
const succeeded = { success: true } as const

export function sessionsRoutes(app: FastifyInstance, ctx: Context): void {
  app.addHook('onClose', () => writeRefusals(ctx))

  const answer = async (result: LoginResult, { request, reply }: Call<unknown>): Promise<LoginAnswer> => {
    if ('challenge' in result) return { two_factor_required: true, challenge: result.challenge }
    if (!result.cookie) return { token: result.token }
    assertMayGetCookie(request, ctx.config)
    const replaced = cookieOf(request, ctx.config)
    if (replaced !== undefined) await endReplacedSession(ctx, originOf(request), replaced)
    setCookie(reply, ctx.config, result.token)
    return succeeded
  }

  addRoute(app, {
    method: 'POST',
    path: '/login',
    tag: 'Sign-in',
    operationId: 'signIn',
    summary: 'Sign in',
    access: { public: true },
    body: Login,
    answer: ref(LoginAnswer),
    handle: async (call) => {
      if (call.body.given.cookie === true) assertMayGetCookie(call.request, ctx.config)
      return answer(await login(ctx, originOf(call.request), call.body), call)
    },
  })

  addRoute(app, {
    method: 'POST',
    path: '/login/2fa',
    tag: 'Sign-in',
    operationId: 'signInWithCode',
    mayBeRefused: true,
    summary: 'Finish signing in with the code from the SMS',
    access: { public: true },
    body: LoginCode,
    answer: ref(LoginAnswer),
    handle: async (call) => answer(await loginWithCode(ctx, originOf(call.request), call.body), call),
  })

  addRoute(app, {
    method: 'POST',
    path: '/logout',
    tag: 'Sign-in',
    operationId: 'signOut',
    summary: 'Sign out',
    access: anybody,
    answer: ref(Success),
    handle: async ({ actor, reply }) => {
      if (actor.sessionId === null) throw errors.forbidden('An API key is not a session: revoke it instead.')
      await endSession(ctx, actor, actor.sessionId)
      setCookie(reply, ctx.config, null)
      return succeeded
    },
  })

  addRoute(app, {
    method: 'GET',
    path: '/users/{id}/sessions',
    tag: 'Sessions',
    operationId: 'listUserSessions',
    summary: "List a user's sessions",
    description: 'Those alive, newest activity first.',
    access: mayManage,
    answer: allOf(Session),
    handle: async ({ id }) => ({ data: await listUserSessions(ctx, id) }),
  })

  addRoute(app, {
    method: 'DELETE',
    path: '/users/{id}/sessions',
    tag: 'Sessions',
    operationId: 'endUserSessions',
    summary: "End all of a user's sessions",
    access: mayManage,
    answer: ref(Success),
    handle: async ({ actor, id }) => {
      await endAllSessions(ctx, actor, id)
      return succeeded
    },
  })

  addRoute(app, {
    method: 'GET',
    path: '/sessions/{session}',
    tag: 'Sessions',
    operationId: 'getSession',
    summary: 'Get a session',
    description: "One's own, or anybody's with `users.manage`.",
    access: anybody,
    answer: dataOf(Session),
    handle: async ({ actor, request }) => ({ data: await getSession(ctx, actor, sessionOf(request.params)) }),
  })

  addRoute(app, {
    method: 'DELETE',
    path: '/sessions/{session}',
    tag: 'Sessions',
    operationId: 'endSession',
    summary: 'End a session',
    description: "One's own, or anybody's with `users.manage`.",
    access: anybody,
    answer: ref(Success),
    handle: async ({ actor, request }) => {
      await endSession(ctx, actor, sessionOf(request.params))
      return succeeded
    },
  })
}

const sessionOf = (params: unknown): string => (params as { session: string }).session

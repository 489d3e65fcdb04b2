import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { errors } from '../../core/errors.ts'
import { assertMayGetCookie, cookieOf, setCookie } from '../../http/cookies.ts'
import { anyCredential, originOf } from '../../http/credentials.ts'
import { addRoute, type Call } from '../../http/route.ts'
import { ref, succeeded } from '../../http/schemas.ts'
import { writeRefusals } from '../../security/sign-in-guard/refusals.ts'
import { endSession } from '../sessions/sessions.service.ts'
import { loginWithPasskey, startPasskeyLogin } from './passkey-sign-in.service.ts'
import { Login, LoginAnswer, LoginChallenge, LoginCode, LoginPasskey, PasskeyChallenge } from './sign-in.schemas.ts'
import { endReplacedSession, type LoginResult, login, loginWithCode, sendLoginCode } from './sign-in.service.ts'

const refusals = {
  403: 'the account is banned or not confirmed, or a page of another site asks for the cookie',
} as const

export function signInRoutes(app: FastifyInstance, ctx: Context): void {
  app.addHook('onClose', () => writeRefusals(ctx))

  const answer = async (result: LoginResult, { request, reply }: Call<unknown>): Promise<LoginAnswer> => {
    if ('challenge' in result) return { two_factor_required: true, ...result, methods: [...result.methods] }
    const enrolment = result.mustEnrol ? { two_factor_enrolment_required: true } : {}
    if (!result.cookie) return { token: result.token, ...enrolment }
    assertMayGetCookie(request, ctx.config)
    const replaced = cookieOf(request, ctx.config)
    if (replaced !== undefined) await endReplacedSession(ctx, originOf(request), replaced)
    setCookie(reply, ctx.config, result.token)
    return { ...succeeded, ...enrolment }
  }

  addRoute(app, {
    method: 'POST',
    path: '/login',
    tag: 'Sign-in',
    operationId: 'signIn',
    refusals,
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
    refusals,
    mayBeRefused: true,
    summary: 'Finish signing in with a second factor',
    description:
      'With a code of the app, of the SMS, or a recovery code; or with a passkey. Five wrong answers end the challenge.',
    access: { public: true },
    body: LoginCode,
    answer: ref(LoginAnswer),
    handle: async (call) => answer(await loginWithCode(ctx, originOf(call.request), call.body), call),
  })

  addRoute(app, {
    method: 'POST',
    path: '/login/2fa/sms',
    tag: 'Sign-in',
    operationId: 'sendSignInCode',
    mayBeRefused: true,
    summary: 'Send a code by SMS for the second step',
    description: 'It replaces the code before.',
    access: { public: true },
    body: LoginChallenge,
    answer: 'success',
    handle: ({ request, body }) => sendLoginCode(ctx, originOf(request), body),
  })

  addRoute(app, {
    method: 'POST',
    path: '/login/passkey/options',
    tag: 'Sign-in',
    operationId: 'startPasskeySignIn',
    summary: 'Start to sign in with a passkey',
    description: 'The same for everybody: no account is named before it answers.',
    access: { public: true },
    answer: ref(PasskeyChallenge),
    handle: () => startPasskeyLogin(ctx),
  })

  addRoute(app, {
    method: 'POST',
    path: '/login/passkey',
    tag: 'Sign-in',
    operationId: 'signInWithPasskey',
    refusals,
    summary: 'Sign in with a passkey',
    description: 'A passkey is both factors.',
    access: { public: true },
    body: LoginPasskey,
    answer: ref(LoginAnswer),
    handle: async (call) => {
      if (call.body.given.cookie === true) assertMayGetCookie(call.request, ctx.config)
      return answer(await loginWithPasskey(ctx, originOf(call.request), call.body), call)
    },
  })

  addRoute(app, {
    method: 'POST',
    path: '/logout',
    tag: 'Sign-in',
    operationId: 'signOut',
    summary: 'Sign out',
    access: { permission: anyCredential },
    answer: 'success',
    handle: async ({ actor, reply }) => {
      if (actor.sessionId === null) throw errors.forbidden('An API key is not a session: revoke it instead.')
      await endSession(ctx, actor, actor.sessionId)
      setCookie(reply, ctx.config, null)
    },
  })
}

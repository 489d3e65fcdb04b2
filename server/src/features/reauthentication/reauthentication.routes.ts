import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { anyCredential } from '../../http/credentials.ts'
import { addRoute } from '../../http/route.ts'
import { ref } from '../../http/schemas.ts'
import { Reauthenticate, ReauthenticationCode, ReauthenticationOptions } from './reauthentication.schemas.ts'
import { reauthenticate, sendReauthenticationCode, startReauthentication } from './reauthentication.service.ts'

const tag = 'Me'
const access = { permission: anyCredential } as const

export function reauthenticationRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'POST',
    path: '/me/reauthenticate',
    tag,
    operationId: 'reauthenticateMe',
    mayBeRefused: true,
    summary: 'Prove again that it is you',
    description:
      'For what answers 403 `reauthentication_required`: within the next 15 minutes this session may do it. Send `current_password`, with `token` where a second factor is on; or `challenge` and `credential` for a passkey.',
    access,
    body: Reauthenticate,
    answer: 'success',
    handle: ({ actor, body }) => reauthenticate(ctx, actor, body),
  })

  addRoute(app, {
    method: 'POST',
    path: '/me/reauthenticate/options',
    tag,
    operationId: 'startReauthentication',
    mayBeRefused: true,
    summary: 'Start to prove it with a passkey',
    access,
    answer: ref(ReauthenticationOptions),
    handle: ({ actor }) => startReauthentication(ctx, actor),
  })

  addRoute(app, {
    method: 'POST',
    path: '/me/reauthenticate/sms',
    tag,
    operationId: 'sendReauthenticationCode',
    mayBeRefused: true,
    summary: 'Send a code by SMS, to prove it with',
    description: 'Send the challenge together with the code.',
    access,
    answer: ref(ReauthenticationCode),
    handle: ({ actor }) => sendReauthenticationCode(ctx, actor),
  })
}

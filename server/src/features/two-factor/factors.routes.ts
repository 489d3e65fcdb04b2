import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../core/context.ts'
import { errors } from '../../core/errors.ts'
import { ownId } from '../../core/own-id.ts'
import { anyCredential } from '../../http/credentials.ts'
import { parseId } from '../../http/lists/spec.ts'
import { addRoute } from '../../http/route.ts'
import { dataOf, ref } from '../../http/schemas.ts'
import {
  CreatePasskey,
  CreateTotp,
  FactorList,
  FactorTurnedOn,
  NewTotp,
  PasskeyCreationOptions,
  ProveAccount,
  RecoveryCodes,
  VerifyFactor,
} from './factors.schemas.ts'
import { listFactors, removeFactor, removeOwnFactor, renewOwnCodes } from './factors.service.ts'
import { createPasskey, createPasskeyOptions } from './passkeys.service.ts'
import { createTotp, verifyTotp } from './totp.service.ts'
import { whenSwitchedOff } from './two-factor.errors.ts'

const tag = 'Two-factor authentication'
const anybody = { permission: anyCredential } as const
const mayManage = { permission: 'users.manage' } as const
const password = 'Needs your current password, if you have one.'

/** The `{factor}` of the path; throws `not_found` if it cannot be an id. */
function factorOf({ params }: FastifyRequest): number {
  const id = parseId((params as { factor?: string }).factor ?? '')
  if (id === undefined) throw errors.not_found()
  return id
}

export function factorsRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'GET',
    path: '/me/factors',
    tag,
    operationId: 'listMyFactors',
    summary: 'List your second factors',
    access: anybody,
    answer: ref(FactorList),
    handle: ({ actor }) => listFactors(ctx, ownId(actor)),
  })

  addRoute(app, {
    method: 'DELETE',
    path: '/me/factors/{factor}',
    ids: ['factor'],
    tag,
    operationId: 'removeMyFactor',
    mayBeRefused: true,
    summary: 'Remove one of your second factors',
    description: `${password} With the last one, your recovery codes are void.`,
    access: anybody,
    body: ProveAccount,
    answer: 'success',
    handle: ({ actor, body, request }) => removeOwnFactor(ctx, actor, factorOf(request), body),
  })

  addRoute(app, {
    method: 'POST',
    path: '/me/factors/totp',
    tag,
    operationId: 'createMyTotp',
    refusals: whenSwitchedOff,
    mayBeRefused: true,
    summary: 'Start to add an authenticator app',
    description: `${password} The app counts once a code of it was verified.`,
    access: anybody,
    body: CreateTotp,
    status: 201,
    answer: dataOf(NewTotp),
    handle: async ({ actor, body }) => ({ data: await createTotp(ctx, actor, body) }),
  })

  addRoute(app, {
    method: 'POST',
    path: '/me/factors/totp/{factor}/verify',
    ids: ['factor'],
    tag,
    operationId: 'verifyMyTotp',
    refusals: whenSwitchedOff,
    mayBeRefused: true,
    summary: 'Turn an authenticator app on with a code of it',
    description: 'The first factor answers with `recovery_codes`, once.',
    access: anybody,
    body: VerifyFactor,
    answer: ref(FactorTurnedOn),
    handle: ({ actor, body, request }) => verifyTotp(ctx, actor, factorOf(request), body),
  })

  addRoute(app, {
    method: 'POST',
    path: '/me/factors/passkeys/options',
    tag,
    operationId: 'startMyPasskey',
    refusals: whenSwitchedOff,
    mayBeRefused: true,
    summary: 'Start to add a passkey',
    description: password,
    access: anybody,
    body: ProveAccount,
    answer: ref(PasskeyCreationOptions),
    handle: ({ actor, body }) => createPasskeyOptions(ctx, actor, body),
  })

  addRoute(app, {
    method: 'POST',
    path: '/me/factors/passkeys',
    tag,
    operationId: 'createMyPasskey',
    refusals: whenSwitchedOff,
    mayBeRefused: true,
    summary: 'Add the passkey that the browser made',
    description: 'The first factor answers with `recovery_codes`, once.',
    access: anybody,
    body: CreatePasskey,
    status: 201,
    answer: ref(FactorTurnedOn),
    handle: ({ actor, body }) => createPasskey(ctx, actor, body),
  })

  addRoute(app, {
    method: 'POST',
    path: '/me/recovery-codes',
    tag,
    operationId: 'renewMyRecoveryCodes',
    mayBeRefused: true,
    summary: 'Make ten new recovery codes',
    description: `${password} The old codes are void.`,
    access: anybody,
    body: ProveAccount,
    answer: ref(RecoveryCodes),
    handle: async ({ actor, body }) => ({ recovery_codes: [...(await renewOwnCodes(ctx, actor, body))] }),
  })

  addRoute(app, {
    method: 'GET',
    path: '/users/{id}/factors',
    tag,
    operationId: 'listFactors',
    summary: "List a user's second factors",
    access: mayManage,
    answer: ref(FactorList),
    handle: ({ id }) => listFactors(ctx, id),
  })

  addRoute(app, {
    method: 'DELETE',
    path: '/users/{id}/factors/{factor}',
    ids: ['factor'],
    tag,
    operationId: 'removeFactor',
    mayBeRefused: true,
    summary: "Remove one of a user's second factors",
    description: 'The user is notified by mail. On your own account it needs `current_password`.',
    access: mayManage,
    body: ProveAccount,
    answer: 'success',
    handle: async ({ actor, id, body, request }) => {
      const factor = factorOf(request)
      if (id === actor.userId) await removeOwnFactor(ctx, actor, factor, body)
      else {
        body.accept()
        await removeFactor(ctx, actor, id, factor)
      }
    },
  })
}

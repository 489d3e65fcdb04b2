import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { anyCredential } from '../../http/credentials.ts'
import { addRoute } from '../../http/route.ts'
import { allOf, dataOf, ref } from '../../http/schemas.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { User } from '../users/users.schemas.ts'
import { toUser } from '../users/users.service.ts'
import { SmsTurnedOn } from './factors.schemas.ts'
import { listSmsCountries } from './methods/sms-destinations.ts'
import { whenSwitchedOff } from './two-factor.errors.ts'
import { DisableTwoFactor, EnableTwoFactor, SmsCountry, TokenSent, VerifyTwoFactor } from './two-factor.schemas.ts'
import {
  disableOwnTwoFactor,
  disableTwoFactor,
  enableOwnTwoFactor,
  enableTwoFactor,
  verifyOwnTwoFactor,
  verifyTwoFactor,
} from './two-factor.service.ts'

const tag = 'Two-factor authentication'
const mayManage = { permission: 'users.manage' } as const
const anybody = { permission: anyCredential } as const
const pending = 'The number is pending until the code from the SMS is verified, within five minutes.'
const onYourOwn = 'On your own account it needs `current_password`.'
const refusals = 'Errors that concern no field are 422 with only a message and a code.'

export function twoFactorRoutes(app: FastifyInstance, ctx: Context): void {
  const show = (row: UserRow) => ({ data: toUser(row, ctx.config) })
  const sent = (row: UserRow) => ({ ...show(row), message: 'Verification token sent.' })

  addRoute(app, {
    method: 'PUT',
    path: '/users/{id}/2fa',
    tag,
    operationId: 'enableTwoFactor',
    refusals: whenSwitchedOff,
    mayBeRefused: true,
    summary: "Send a code to a user's phone, to turn two-factor authentication on",
    description: `${pending} ${onYourOwn} ${refusals}`,
    access: mayManage,
    body: EnableTwoFactor,
    answer: ref(TokenSent),
    handle: async ({ actor, id, body }) =>
      sent(
        id === actor.userId ? await enableOwnTwoFactor(ctx, actor, body) : await enableTwoFactor(ctx, actor, id, body),
      ),
  })

  addRoute(app, {
    method: 'POST',
    path: '/users/{id}/2fa/verify',
    tag,
    operationId: 'verifyTwoFactor',
    refusals: whenSwitchedOff,
    mayBeRefused: true,
    summary: 'Turn two-factor authentication on with the code from the SMS',
    description: refusals,
    access: mayManage,
    body: VerifyTwoFactor,
    answer: dataOf(User),
    handle: async ({ actor, id, body }) =>
      show(
        id === actor.userId
          ? (await verifyOwnTwoFactor(ctx, actor, body)).user
          : await verifyTwoFactor(ctx, actor, id, body),
      ),
  })

  addRoute(app, {
    method: 'DELETE',
    path: '/users/{id}/2fa',
    tag,
    operationId: 'disableTwoFactor',
    mayBeRefused: true,
    summary: "Turn a user's two-factor authentication off",
    description: `Also discards a pending number. The user is notified by mail. 422 if it is off. ${onYourOwn}`,
    access: mayManage,
    body: DisableTwoFactor,
    answer: dataOf(User),
    handle: async ({ actor, id, body }) =>
      show(id === actor.userId ? await disableOwnTwoFactor(ctx, actor, body) : await disableTwoFactor(ctx, actor, id)),
  })

  addRoute(app, {
    method: 'GET',
    path: '/me/2fa/countries',
    tag,
    operationId: 'listSmsCountries',
    summary: 'List the countries that codes by SMS can go to',
    description: 'Ordered by name. Empty if no SMS service is configured.',
    access: anybody,
    answer: allOf(SmsCountry),
    handle: async () => ({ data: listSmsCountries(ctx.config) }),
  })

  addRoute(app, {
    method: 'PUT',
    path: '/me/2fa',
    tag,
    operationId: 'enableMyTwoFactor',
    refusals: whenSwitchedOff,
    mayBeRefused: true,
    summary: 'Send a code to your phone, to turn two-factor authentication on',
    description: `Needs your current password. ${pending} ${refusals}`,
    access: anybody,
    body: EnableTwoFactor,
    answer: ref(TokenSent),
    handle: async ({ actor, body }) => sent(await enableOwnTwoFactor(ctx, actor, body)),
  })

  addRoute(app, {
    method: 'POST',
    path: '/me/2fa/verify',
    tag,
    operationId: 'verifyMyTwoFactor',
    refusals: whenSwitchedOff,
    mayBeRefused: true,
    summary: 'Turn your two-factor authentication on with the code from the SMS',
    description: `The first factor answers with \`recovery_codes\`, once. ${refusals}`,
    access: anybody,
    body: VerifyTwoFactor,
    answer: ref(SmsTurnedOn),
    handle: async ({ actor, body }) => {
      const { user, codes } = await verifyOwnTwoFactor(ctx, actor, body, true)
      return codes === undefined ? show(user) : { ...show(user), recovery_codes: [...codes] }
    },
  })

  addRoute(app, {
    method: 'DELETE',
    path: '/me/2fa',
    tag,
    operationId: 'disableMyTwoFactor',
    mayBeRefused: true,
    summary: 'Turn your two-factor authentication off',
    description: 'Needs your current password. Also discards a pending number. 422 if it is off.',
    access: anybody,
    body: DisableTwoFactor,
    answer: dataOf(User),
    handle: async ({ actor, body }) => show(await disableOwnTwoFactor(ctx, actor, body)),
  })
}

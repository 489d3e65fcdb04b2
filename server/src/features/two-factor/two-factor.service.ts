import { type Actor, type Context, type Origin, type Tx, userActor } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { defineErrors, errors } from '../../core/errors.ts'
import { ownId } from '../../core/own-id.ts'
import { toTimestamp } from '../../core/time.ts'
import type { ReadDb } from '../../db/database.ts'
import { sendMail } from '../../delivery/mail.ts'
import { nameOf } from '../../delivery/name-of.ts'
import { requireCurrentPassword } from '../../security/sign-in-guard/current-password.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { createTokenWithCode, findUserToken, voidTokens } from '../tokens/tokens.service.ts'
import { applyChanges, assertMayManage, getLockedUser, getUser } from '../users/users.service.ts'
import { tryAccountCode } from './code-limit.ts'
import { codeLivesMs, sendCode } from './code-sms.ts'
import { describeReadings, isDigits, readPhoneNumber } from './phone-numbers.ts'
import { countSms } from './sms-budget.ts'
import { findDestinationRefusal } from './sms-destinations.ts'
import type {
  DisableOwnTwoFactor,
  DisableTwoFactor,
  EnableOwnTwoFactor,
  EnableTwoFactor,
  VerifyTwoFactor,
} from './two-factor.schemas.ts'

export const twoFactorErrors = defineErrors({
  two_factor_enabled: [422, '2FA is already enabled for this user.'],
  two_factor_not_enabled: [422, '2FA is not enabled for this user.'],
  two_factor_token_invalid: [422, 'Invalid 2FA token.'],
  phone_number_invalid: [422, 'The country code makes no phone number with this one.'],
  phone_number_refused: [422, 'No codes are sent to this phone number.'],
})

/** What `two_factor_options` holds; answers show the first two. */
interface Options {
  readonly enabled: boolean
  readonly channel: 'sms'
  /**
   * The number that was verified, in E.164 form, once there is one: a later version of the number plan might read what the
   * user typed another way, and must not send their codes to somebody else.
   */
  readonly e164?: string
}

/** What a pending code is bound to. */
interface Enrolment {
  readonly country_code: number
  readonly phone: string
  readonly e164: string
}

const optionsOf = ({ two_factor_options }: Pick<UserRow, 'two_factor_options'>): Options | null =>
  two_factor_options === null ? null : (JSON.parse(two_factor_options) as Options)

/** Whether sign-in asks for a code. */
export const isTwoFactorOn = (user: Pick<UserRow, 'two_factor_options'>): boolean => optionsOf(user)?.enabled === true

/** Switched off, nobody turns it on any more; who has it on is asked for a code all the same, and may turn it off. */
async function assertFeatureOn(ctx: Context): Promise<void> {
  const settings = await readSettings(ctx)
  if (!settings['two_factor.enabled']) throw errors.not_found()
}

/** Makes a number the user's pending one and sends a code there, for who manages users. */
export async function enableTwoFactor(
  ctx: Context,
  actor: Actor,
  id: number,
  draft: Draft<EnableTwoFactor>,
): Promise<UserRow> {
  await assertFeatureOn(ctx)
  const user = await getUser(ctx.db, id)
  await assertMayManage(ctx.db, actor, user)
  if (isTwoFactorOn(user)) throw twoFactorErrors.two_factor_enabled()
  return startEnrolment(ctx, actor, id, readEnrolment(ctx, draft), assertMayManage)
}

/** The same for oneself, with the current password: a session left open somewhere must not do. */
export async function enableOwnTwoFactor(
  ctx: Context,
  actor: Actor,
  draft: Draft<EnableOwnTwoFactor> | Draft<EnableTwoFactor>,
): Promise<UserRow> {
  await assertFeatureOn(ctx)
  const user = await getUser(ctx.db, ownId(actor))
  if (isTwoFactorOn(user)) throw twoFactorErrors.two_factor_enabled()
  await requireCurrentPassword(ctx, actor, user, draft as Draft<{ current_password?: string }>)
  return startEnrolment(ctx, actor, user.id, readEnrolment(ctx, draft as Draft<EnableTwoFactor>), ownAccount)
}

function readEnrolment({ config }: Context, draft: Draft<EnableTwoFactor>): Enrolment {
  const { country_code, phone_number } = draft.given
  const phone = phone_number === undefined ? undefined : String(phone_number)
  const e164 = country_code === undefined || phone === undefined ? undefined : readPhoneNumber(country_code, phone)
  if (phone !== undefined && !isDigits(phone)) {
    draft.reject('phone_number', 'The phone number field must be digits only, without the country code.')
  } else if (country_code !== undefined && phone !== undefined && e164 === undefined) {
    draft.reject('phone_number', twoFactorErrors.phone_number_invalid(describeReadings(country_code)))
    draft.reject('country_code', twoFactorErrors.phone_number_invalid())
  }
  const refusal = e164 === undefined ? undefined : findDestinationRefusal(e164, config)
  if (refusal !== undefined) draft.reject('phone_number', twoFactorErrors.phone_number_refused(refusal))
  return { country_code: draft.accept().country_code, phone: phone as string, e164: e164 as string }
}

/** Who may do it, as it is in the transaction. */
type AssertAllowed = (db: ReadDb, actor: Actor, user: UserRow) => Promise<void>

/** One's own account needs no more than the credential. */
const ownAccount: AssertAllowed = async () => {}

async function startEnrolment(
  ctx: Context,
  actor: Actor,
  id: number,
  enrolment: Enrolment,
  assertAllowed: AssertAllowed,
): Promise<UserRow> {
  const { country_code, phone, e164 } = enrolment
  await countSms(ctx, { purpose: 'enrolment', number: e164, userId: id, ip: actor.origin.ip })
  return ctx.transaction(actor, async (tx) => {
    const user = await getLockedUser(tx.db, id)
    await assertAllowed(tx.db, tx.actor, user)
    if (isTwoFactorOn(user)) throw twoFactorErrors.two_factor_enabled()
    const wanted = {
      purpose: 'two_factor_enrolment',
      userId: id,
      livesMs: codeLivesMs,
      data: { ...enrolment },
    } as const
    const { code } = await createTokenWithCode(tx, wanted)
    await sendCode(tx, { template: 'two-factor-enrolment', userId: id, number: e164, code })
    await recordActivity(tx, tx.actor, 'user.two_factor_requested', { type: 'user', id })
    return writeTwoFactor(tx, tx.actor, user, { country_code, phone }, { enabled: false, channel: 'sms' })
  })
}

const writeTwoFactor = (
  tx: Tx,
  actor: Actor,
  user: UserRow,
  number: Pick<Enrolment, 'country_code' | 'phone'> | null,
  options: Options | null,
): Promise<UserRow> =>
  applyChanges(tx, actor, user, {
    two_factor_country_code: number?.country_code ?? null,
    two_factor_phone: number?.phone ?? null,
    two_factor_options: options === null ? null : JSON.stringify(options),
  })

/** Turns two-factor authentication on with the code from the SMS, for who manages users. */
export async function verifyTwoFactor(
  ctx: Context,
  actor: Actor,
  id: number,
  draft: Draft<VerifyTwoFactor>,
): Promise<UserRow> {
  await assertFeatureOn(ctx)
  await assertMayManage(ctx.db, actor, await getUser(ctx.db, id))
  return finishEnrolment(ctx, actor, id, draft.accept().token, assertMayManage)
}

/** The same for oneself. */
export async function verifyOwnTwoFactor(ctx: Context, actor: Actor, draft: Draft<VerifyTwoFactor>): Promise<UserRow> {
  await assertFeatureOn(ctx)
  return finishEnrolment(ctx, actor, ownId(actor), draft.accept().token, ownAccount)
}

async function finishEnrolment(
  ctx: Context,
  actor: Actor,
  id: number,
  code: string,
  assertAllowed: AssertAllowed,
): Promise<UserRow> {
  const pending = await findUserToken(ctx, id, 'two_factor_enrolment')
  const taken = pending && (await tryAccountCode(ctx, 'two_factor_enrolment', pending.token_hash, code))
  if (taken === undefined) throw twoFactorErrors.two_factor_token_invalid()
  const { country_code, phone, e164 } = JSON.parse(taken.data ?? '{}') as Enrolment
  return ctx.transaction(actor, async (tx) => {
    const user = await getLockedUser(tx.db, id)
    await assertAllowed(tx.db, tx.actor, user)
    // Another number may have been asked for, or all taken back, since the code was found right.
    const same = user.two_factor_country_code === country_code && user.two_factor_phone === phone
    if (!same || isTwoFactorOn(user)) throw twoFactorErrors.two_factor_token_invalid()
    const data = {
      name: nameOf(user),
      phone: `the number that ends in ${e164.slice(-4)}`,
      at: toTimestamp(tx.clock()),
    }
    await sendMail(tx, { template: 'two-factor-on', to: user.email, userId: id, data })
    await recordActivity(tx, tx.actor, 'user.two_factor_enabled', { type: 'user', id })
    return writeTwoFactor(tx, tx.actor, user, { country_code, phone }, { enabled: true, channel: 'sms', e164 })
  })
}

/** Turns two-factor authentication off, or takes a pending number back, for who manages users. */
export function disableTwoFactor(ctx: Context, actor: Actor, id: number): Promise<UserRow> {
  return endTwoFactor(ctx, actor, id, assertMayManage)
}

/** The same for oneself, with the current password. */
export async function disableOwnTwoFactor(
  ctx: Context,
  actor: Actor,
  draft: Draft<DisableOwnTwoFactor> | Draft<DisableTwoFactor>,
): Promise<UserRow> {
  const user = await getUser(ctx.db, ownId(actor))
  await requireCurrentPassword(ctx, actor, user, draft as Draft<{ current_password?: string }>)
  draft.accept()
  return endTwoFactor(ctx, actor, user.id, ownAccount)
}

async function endTwoFactor(ctx: Context, actor: Actor, id: number, assertAllowed: AssertAllowed): Promise<UserRow> {
  return ctx.transaction(actor, async (tx) => {
    const user = await getLockedUser(tx.db, id)
    await assertAllowed(tx.db, tx.actor, user)
    if (optionsOf(user) === null) throw twoFactorErrors.two_factor_not_enabled()
    await voidTokens(tx.db, id, ['two_factor_enrolment', 'login_challenge'])
    const wasOn = isTwoFactorOn(user)
    if (wasOn) {
      const data = { name: nameOf(user), at: toTimestamp(tx.clock()), byAdministrator: tx.actor.userId !== id }
      await sendMail(tx, { template: 'two-factor-off', to: user.email, userId: id, data })
    }
    const subject = { type: 'user', id } as const
    await recordActivity(tx, tx.actor, 'user.two_factor_disabled', subject, wasOn ? undefined : { pending: true })
    return writeTwoFactor(tx, tx.actor, user, null, null)
  })
}

/** The number that codes go to. Who was not enrolled here (an import) has no verified one, only what was typed. */
function numberOf(user: UserRow): string {
  const { two_factor_country_code: code, two_factor_phone: phone } = user
  const number = optionsOf(user)?.e164 ?? readPhoneNumber(code ?? 0, phone ?? '')
  if (number === undefined) throw new Error(`user ${user.id} has two-factor authentication on, and no phone number`)
  return number
}

/** Sends a code to the user's phone; the challenge that it returns is worth nothing without it. */
export async function sendLoginCode(
  ctx: Context,
  user: UserRow,
  origin: Origin,
  session: { cookie: boolean; device_name: string | null },
): Promise<string> {
  const { id } = user
  const number = numberOf(user)
  const refusal = findDestinationRefusal(number, ctx.config)
  if (refusal !== undefined) throw twoFactorErrors.phone_number_refused(refusal)
  await countSms(ctx, { purpose: 'sign-in', number, userId: id, ip: origin.ip })
  return ctx.transaction(userActor(id, origin), async (tx) => {
    // One sign-in at a time makes a challenge, so that it voids the one before.
    await getLockedUser(tx.db, id)
    const wanted = { purpose: 'login_challenge', userId: id, livesMs: codeLivesMs, data: { ...session } } as const
    const { token, code } = await createTokenWithCode(tx, wanted)
    await sendCode(tx, { template: 'two-factor-login', userId: id, number, code })
    return token
  })
}

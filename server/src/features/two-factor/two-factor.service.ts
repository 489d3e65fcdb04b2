import type { Actor, Context, Origin } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { defineErrors, errors } from '../../core/errors.ts'
import { toTimestamp } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { sendMail } from '../../delivery/mail.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { checkCurrentPassword, ownId } from '../me/me.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { createTokenWithCode, findUserToken, tryCode, voidTokens } from '../tokens/tokens.service.ts'
import { applyChanges, assertMayManage, getLockedUser, getUser, nameOf } from '../users/users.service.ts'
import type { UserRow } from '../users/users.table.ts'
import { codeLivesMs, sendCode } from './code-sms.ts'
import { describeReadings, isDigits, readPhoneNumber } from './phone-numbers.ts'
import { countSms } from './sms-budget.ts'
import type { DisableOwnTwoFactor, EnableOwnTwoFactor, EnableTwoFactor, VerifyTwoFactor } from './two-factor.schemas.ts'

export const twoFactorErrors = defineErrors({
  two_factor_enabled: [422, '2FA is already enabled for this user.'],
  two_factor_not_enabled: [422, '2FA is not enabled for this user.'],
  two_factor_token_invalid: [422, 'Invalid 2FA token.'],
  phone_number_invalid: [422, 'The country code makes no phone number with this one.'],
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
  return startEnrolment(ctx, actor, id, readEnrolment(draft))
}

/** The same for oneself, with the current password: a session left open somewhere must not do. */
export async function enableOwnTwoFactor(
  ctx: Context,
  actor: Actor,
  draft: Draft<EnableOwnTwoFactor>,
): Promise<UserRow> {
  await assertFeatureOn(ctx)
  const user = await getUser(ctx.db, ownId(actor))
  if (isTwoFactorOn(user)) throw twoFactorErrors.two_factor_enabled()
  await checkCurrentPassword(ctx, user, draft as Draft<{ current_password?: string }>)
  return startEnrolment(ctx, actor, user.id, readEnrolment(draft as Draft<EnableTwoFactor>))
}

function readEnrolment(draft: Draft<EnableTwoFactor>): Enrolment {
  const { country_code, phone_number } = draft.given
  const phone = phone_number === undefined ? undefined : String(phone_number)
  const e164 = country_code === undefined || phone === undefined ? undefined : readPhoneNumber(country_code, phone)
  if (phone !== undefined && !isDigits(phone)) {
    draft.reject('phone_number', 'The phone number field must be digits only, without the country code.')
  } else if (country_code !== undefined && phone !== undefined && e164 === undefined) {
    draft.reject('phone_number', twoFactorErrors.phone_number_invalid(describeReadings(country_code)))
    draft.reject('country_code', twoFactorErrors.phone_number_invalid())
  }
  return { country_code: draft.accept().country_code, phone: phone as string, e164: e164 as string }
}

async function startEnrolment(ctx: Context, actor: Actor, id: number, enrolment: Enrolment): Promise<UserRow> {
  const { country_code, phone, e164 } = enrolment
  await countSms(ctx, { number: e164, userId: id, ip: actor.origin.ip })
  return ctx.transaction(async (db) => {
    const user = await getLockedUser(db, id)
    if (isTwoFactorOn(user)) throw twoFactorErrors.two_factor_enabled()
    const wanted = {
      purpose: 'two_factor_enrolment',
      userId: id,
      livesMs: codeLivesMs,
      data: { ...enrolment },
    } as const
    const { code } = await createTokenWithCode(ctx, db, wanted)
    await sendCode(ctx, db, { template: 'two-factor-enrolment', userId: id, number: e164, code })
    await recordActivity(ctx, db, actor, 'user.two_factor_requested', { type: 'user', id })
    return writeTwoFactor(ctx, db, actor, user, { country_code, phone }, { enabled: false, channel: 'sms' })
  })
}

const writeTwoFactor = (
  ctx: Context,
  db: Db,
  actor: Actor,
  user: UserRow,
  number: Pick<Enrolment, 'country_code' | 'phone'> | null,
  options: Options | null,
): Promise<UserRow> =>
  applyChanges(ctx, db, actor, user, {
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
  return finishEnrolment(ctx, actor, id, draft.accept().token)
}

/** The same for oneself. */
export async function verifyOwnTwoFactor(ctx: Context, actor: Actor, draft: Draft<VerifyTwoFactor>): Promise<UserRow> {
  await assertFeatureOn(ctx)
  return finishEnrolment(ctx, actor, ownId(actor), draft.accept().token)
}

async function finishEnrolment(ctx: Context, actor: Actor, id: number, code: string): Promise<UserRow> {
  const pending = await findUserToken(ctx, ctx.db, id, 'two_factor_enrolment')
  const taken = pending && (await tryCode(ctx, 'two_factor_enrolment', pending.token_hash, code))
  if (taken === undefined) throw twoFactorErrors.two_factor_token_invalid()
  const { country_code, phone, e164 } = JSON.parse(taken.data ?? '{}') as Enrolment
  return ctx.transaction(async (db) => {
    const user = await getLockedUser(db, id)
    // Another number may have been asked for, or all taken back, since the code was found right.
    const same = user.two_factor_country_code === country_code && user.two_factor_phone === phone
    if (!same || isTwoFactorOn(user)) throw twoFactorErrors.two_factor_token_invalid()
    const data = {
      name: nameOf(user),
      phone: `the number that ends in ${e164.slice(-4)}`,
      at: toTimestamp(ctx.clock()),
    }
    await sendMail(ctx, db, { template: 'two-factor-on', to: user.email, userId: id, data })
    await recordActivity(ctx, db, actor, 'user.two_factor_enabled', { type: 'user', id })
    return writeTwoFactor(ctx, db, actor, user, { country_code, phone }, { enabled: true, channel: 'sms', e164 })
  })
}

/** Turns two-factor authentication off, or takes a pending number back, for who manages users. */
export function disableTwoFactor(ctx: Context, actor: Actor, id: number): Promise<UserRow> {
  return endTwoFactor(ctx, actor, id, (db, user) => assertMayManage(db, actor, user))
}

/** The same for oneself, with the current password. */
export async function disableOwnTwoFactor(
  ctx: Context,
  actor: Actor,
  draft: Draft<DisableOwnTwoFactor>,
): Promise<UserRow> {
  const user = await getUser(ctx.db, ownId(actor))
  await checkCurrentPassword(ctx, user, draft as Draft<{ current_password?: string }>)
  draft.accept()
  return endTwoFactor(ctx, actor, user.id)
}

async function endTwoFactor(
  ctx: Context,
  actor: Actor,
  id: number,
  assertAllowed: (db: Db, user: UserRow) => Promise<void> = async () => {},
): Promise<UserRow> {
  return ctx.transaction(async (db) => {
    const user = await getLockedUser(db, id)
    await assertAllowed(db, user)
    if (optionsOf(user) === null) throw twoFactorErrors.two_factor_not_enabled()
    await voidTokens(db, id, ['two_factor_enrolment', 'login_challenge'])
    const wasOn = isTwoFactorOn(user)
    if (wasOn) {
      const data = { name: nameOf(user), at: toTimestamp(ctx.clock()), byAdministrator: actor.userId !== id }
      await sendMail(ctx, db, { template: 'two-factor-off', to: user.email, userId: id, data })
    }
    const subject = { type: 'user', id } as const
    await recordActivity(ctx, db, actor, 'user.two_factor_disabled', subject, wasOn ? undefined : { pending: true })
    return writeTwoFactor(ctx, db, actor, user, null, null)
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
  await countSms(ctx, { number, userId: id, ip: origin.ip })
  return ctx.transaction(async (db) => {
    // One sign-in at a time makes a challenge, so that it voids the one before.
    await getLockedUser(db, id)
    const wanted = { purpose: 'login_challenge', userId: id, livesMs: codeLivesMs, data: { ...session } } as const
    const { token, code } = await createTokenWithCode(ctx, db, wanted)
    await sendCode(ctx, db, { template: 'two-factor-login', userId: id, number, code })
    return token
  })
}

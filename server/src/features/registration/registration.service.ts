import { anonymous, type Context, type Origin, userActor } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { defineErrors, errors, failedAt } from '../../core/errors.ts'
import { toTimestamp } from '../../core/time.ts'
import { strangerPlace } from '../../security/sign-in-guard/budgets.ts'
import { insertUser } from '../accounts/users.queries.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { noPassword } from '../passwords/no-password.ts'
import { hashPassword } from '../passwords/passwords.service.ts'
import { lockRegistrationRole } from '../roles/registration-role.ts'
import { readSettings } from '../settings/settings.service.ts'
import { checkUser, waivePassword } from '../users/users.service.ts'
import { captchaErrors, isCaptchaSolved } from './captcha.ts'
import { sendConfirmation } from './email-confirmation.service.ts'
import { longestCaptcha, type Register } from './registration.schemas.ts'
import { type RegistrationRules, registrationRules } from './registration-rules.ts'

const registrationErrors = defineErrors({
  captcha_failed: [422, 'The captcha was not solved.'],
})

const captchaField = 'g-captcha-response'
const captchaFields = [captchaField, 'g-recaptcha-response', 'h-captcha-response', 'cf-turnstile-response'] as const

/** Registers an account. Returns whether it waits for its email address to be confirmed. */
export async function register(ctx: Context, origin: Origin, draft: Draft<Register>): Promise<boolean> {
  const settings = await readSettings(ctx)
  const rules = registrationRules(settings, ctx.config)
  const { terms } = rules
  if (!rules.isOpen) throw errors.not_found()
  if (rules.mayLackPassword) waivePassword(draft)
  const captcha = checkExtras(draft, rules)
  if (rules.asksCaptcha) {
    // A captcha response works only once, so a malformed body must not use it up.
    draft.accept()
    // The captcha comes first: otherwise bots could find out who has an account.
    if (captcha === null || !(await isSolved(rules, captcha, origin))) {
      throw failedAt(captchaField, registrationErrors.captcha_failed())
    }
  }
  const place = strangerPlace(origin.ip)
  await checkUser({ ...ctx, place }, draft)
  const { username, email } = draft.accept()
  const { password } = draft.given
  const password_hash = password === undefined ? noPassword : await hashPassword(password, place)
  return ctx.transaction(anonymous(origin), async (tx) => {
    // The captcha and hashing take a while: the settings may have become stricter.
    const current = registrationRules(await readSettings(tx), tx.config)
    if (!current.isOpen) throw errors.not_found()
    const mustConfirm = rules.mustConfirm || current.mustConfirm
    await checkUser(tx, draft)
    draft.accept()
    const now = toTimestamp(tx.clock())
    const user = await insertUser(tx.db, {
      username,
      email,
      password_hash,
      role_id: await lockRegistrationRole(tx.db),
      created_at: now,
      updated_at: now,
      status: mustConfirm ? 'Unconfirmed' : 'Active',
      unconfirmed_since: now,
      ...(terms === null ? {} : { terms_version: terms.version, terms_accepted_at: now }),
    })
    const owner = userActor(user.id, origin)
    await recordActivity(tx, owner, 'user.registered', { type: 'user', id: user.id })
    if (mustConfirm) await sendConfirmation(tx, user)
    return mustConfirm
  })
}

/** Checks the fields that the rules require in addition to the account's own, and returns the captcha response if one is needed. */
function checkExtras(draft: Draft<Register>, { terms, asksCaptcha }: RegistrationRules): string | null {
  if (terms !== null && draft.given.tos !== true) {
    draft.reject('tos', 'The terms of service must be accepted.')
  }
  if (!asksCaptcha) return null
  const response = captchaFields.map((field) => draft.given[field]).find((value) => value != null)
  if (typeof response === 'string' && response.length <= longestCaptcha) return response
  if (!draft.isRejected(captchaField))
    draft.reject(captchaField, `The ${captchaField} field is ${response === undefined ? 'required' : 'not valid'}.`)
  return null
}

/** A captcha is required but the provider was removed from the configuration: nobody can register. */
function isSolved({ captcha }: RegistrationRules, response: string, { ip }: Origin): Promise<boolean> {
  if (captcha === null) throw captchaErrors.captcha_unavailable()
  return isCaptchaSolved(captcha, response, ip)
}

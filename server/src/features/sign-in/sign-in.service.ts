import { type Context, type Origin, systemActor, userActor } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { canonicalEmail } from '../../core/email-address.ts'
import { defineErrors, failedAt, type ServiceError } from '../../core/errors.ts'
import { hashSecret } from '../../core/secrets.ts'
import { canonicalName } from '../../core/text.ts'
import type { ReadDb } from '../../db/database.ts'
import { forUpdate } from '../../db/dialect.ts'
import { prepare, prepareOne } from '../../db/prepare.ts'
import { type Attempt, toAttempt } from '../../security/sign-in-guard/budgets.ts'
import {
  fail,
  failSecondFactor,
  forgive,
  release,
  type Tried,
  tryPassword,
} from '../../security/sign-in-guard/guard.ts'
import { noteOutcome } from '../../security/sign-in-guard/outcomes.ts'
import { isTwoFactorOn } from '../accounts/two-factor-state.ts'
import { renewHash } from '../accounts/users.queries.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { findSession, lacksFactor } from '../credentials/credentials.service.ts'
import { createSession, type SignInMethod } from '../credentials/live-sessions.service.ts'
import { renewedHash, verifyPassword } from '../passwords/passwords.service.ts'
import { adminRoleId } from '../roles/roles.table.ts'
import { endSession } from '../sessions/sessions.service.ts'
import type { UseUp } from '../tokens/tokens.service.ts'
import type { TokenRow } from '../tokens/tokens.table.ts'
import {
  answerChallenge,
  type Challenged,
  challengeSignIn,
  sendChallengeCode,
} from '../two-factor/challenge.service.ts'
import { twoFactorErrors } from '../two-factor/two-factor.errors.ts'
import { removeFirstStartFile } from '../users/first-start-file.ts'
import type { Login, LoginChallenge, LoginCode } from './sign-in.schemas.ts'
import { findStandIn } from './stand-in.ts'

const loginErrors = defineErrors({
  invalid_credentials: [422, 'These credentials do not match our records.'],
  account_banned: [403, 'This account is banned.'],
  account_unconfirmed: [403, 'The email address of this account is not confirmed yet.'],
})

/** A session has begun. */
export interface SignedIn {
  readonly token: string
  readonly cookie: boolean
  /** True if it can only add a second factor. */
  readonly mustEnrol: boolean
}

export type LoginResult = SignedIn | Challenged

/** The data that a challenge carries to the second step. */
interface Challenge {
  readonly cookie: boolean
  readonly device_name: string | null
  /** The hash of the password that it was earned with. */
  readonly password: string
  /** What was typed as the username, in the form in which attempts are counted. */
  readonly name?: string
  /** The method that was offered first. */
  readonly preferred?: string
}

const passwordMark = (user: Pick<UserRow, 'password_hash'>): string => hashSecret(user.password_hash)

const wrongCredentials = () => failedAt('username', loginErrors.invalid_credentials())

/** What was typed, in the form in which email addresses and usernames are compared. */
function namesIn(typed: string): { name: string; email: string } {
  const name = canonicalName(typed)
  return { name, email: name.includes('@') ? canonicalEmail(typed) : name }
}

const selectByName = prepare((db, email: string, name: string) =>
  db
    .selectFrom('users')
    .selectAll()
    .where((eb) => eb.or([eb('email_canonical', '=', email), eb('username_canonical', '=', name)])),
)

/** One query whatever was typed, so that the timing is the same. An email address has priority over a username that looks like one. */
async function findByName(db: ReadDb, { name, email }: ReturnType<typeof namesIn>): Promise<UserRow | undefined> {
  const found = await selectByName(db, email, name)
  return found.find((user) => user.email_canonical === email) ?? found[0]
}

/** Only callers who know the password learn why the account cannot be used. */
function assertActive(user: UserRow): void {
  if (user.status === 'Banned') throw loginErrors.account_banned()
  if (user.status === 'Unconfirmed') throw loginErrors.account_unconfirmed()
}

/** The user with this password. A hash that is not of the NFC form is replaced. */
async function withRenewedHash(ctx: Context, user: UserRow, password: string): Promise<UserRow> {
  const password_hash = await renewedHash(user.password_hash, password)
  if (password_hash === undefined) return user
  const now = await ctx.transaction(systemActor, async (tx) => {
    await renewHash(tx.db, user, password_hash)
    return tx.db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirst()
  })
  // A parallel sign-in may have replaced the hash first. If the password does not match the new hash, it has changed, and
  // this sign-in fails.
  const isSame =
    now !== undefined && (now.password_hash === password_hash || (await verifyPassword(now.password_hash, password)))
  return isSame ? now : user
}

/** For an error after a right password: gives back what the attempt reserved, and throws the error. */
const giveBack =
  (ctx: Context, trial: Tried) =>
  async (error: unknown): Promise<never> => {
    await release(ctx.unguarded, trial).catch(() => {})
    throw error
  }

/** Signs in with a password. Returns a session, or with two-factor authentication a challenge, after sending a code by SMS. */
export async function login(ctx: Context, origin: Origin, draft: Draft<Login>): Promise<LoginResult> {
  const { username, password, device_name = null, cookie = false } = draft.accept()
  const names = namesIn(username)
  const [found, standIn] = await Promise.all([findByName(ctx.db, names), findStandIn(ctx, names.email)])
  const attempt = await toAttempt(ctx.db, origin, found?.id, names.email)
  const trial = await tryPassword(ctx, attempt, found?.password_hash ?? standIn, password)
  if (!trial.isRight || found === undefined) {
    await fail(ctx, trial, trial.isChecked ? 'password' : 'limited')
    throw wrongCredentials()
  }
  const user = await withRenewedHash(ctx, found, password).catch(giveBack(ctx, trial))
  if (user.status !== 'Active') {
    await forgive(ctx.unguarded, trial, namesOf(user))
    const reason = user.status === 'Banned' ? 'banned' : 'unconfirmed'
    await fail(ctx, { attempt, places: [] }, reason)
  }
  assertActive(user)
  const mark = passwordMark(user)
  if (isTwoFactorOn(user)) {
    await release(ctx.unguarded, trial)
    const challenge: Challenge = { cookie, device_name, password: mark, name: attempt.name }
    const sent = await challengeSignIn(ctx, user, origin, challenge)
    noteOutcome('challenged')
    return sent
  }
  const how = { method: 'password', deviceName: device_name, refusal: wrongCredentials } as const
  return { cookie, ...(await beginSession(ctx, origin, user.id, mark, trial, how)) }
}

/** The names by which the account can be found. */
const namesOf = (user: Pick<UserRow, 'email_canonical' | 'username_canonical'>) => [
  user.email_canonical,
  user.username_canonical,
]

/** The second step: a code, or a passkey. */
export async function loginWithCode(ctx: Context, origin: Origin, draft: Draft<LoginCode>): Promise<LoginResult> {
  if (draft.given.token === undefined && draft.given.credential === undefined && !draft.isRejected('token')) {
    draft.reject('token', 'The token field is required.')
  }
  const { challenge, token, method, credential } = draft.accept()
  const answer = { token, method: method ?? undefined, credential }
  const signedIn = await answerChallenge<SignedIn>(ctx, challenge, answer, {
    purpose: 'login_challenge',
    whenRight: async ({ row, method: used }, useUp) => {
      const { cookie, device_name, password, preferred = used } = JSON.parse(row.data ?? '{}') as Challenge
      const trial: Tried = { attempt: await attemptOf(ctx, origin, row), places: [] }
      const refusal = twoFactorErrors.two_factor_token_invalid
      const how = { method: used, preferred, deviceName: device_name, refusal, useUp }
      return { cookie, ...(await beginSession(ctx, origin, row.user_id, password, trial, how)) }
    },
    whenWrong: async (pending) => failSecondFactor(ctx, await attemptOf(ctx, origin, pending)),
  })
  if (signedIn === undefined) throw twoFactorErrors.two_factor_token_invalid()
  return signedIn
}

/** Sends a code by SMS for the second step. */
export async function sendLoginCode(ctx: Context, origin: Origin, draft: Draft<LoginChallenge>): Promise<void> {
  await sendChallengeCode(ctx, origin, draft.accept().challenge)
}

async function attemptOf(ctx: Context, origin: Origin, { user_id, data }: TokenRow): Promise<Attempt> {
  const attempt = await toAttempt(ctx.db, origin, user_id, '')
  const { name = attempt.name } = JSON.parse(data ?? '{}') as Challenge
  return { ...attempt, name }
}

interface Beginning {
  readonly method: SignInMethod
  /** The method that was offered first. */
  readonly preferred?: string
  readonly deviceName: string | null
  /** If the account has changed since. */
  readonly refusal: () => ServiceError
  /** Uses up the challenge, which whatever ends sessions or removes a factor voids. */
  readonly useUp?: UseUp
}

/** The user, locked, with the rule of their role on second factors. */
const lockUserWithRule = prepareOne((db, id: number) =>
  forUpdate(db)(
    db
      .selectFrom('users')
      .selectAll()
      .select((eb) =>
        eb.selectFrom('roles').select('two_factor').whereRef('roles.id', '=', 'users.role_id').as('two_factor'),
      )
      .where('id', '=', id),
  ),
)

/**
 * Starts the session after the password was verified. Hashing takes a while, so the user's row is locked: a ban, a deletion
 * or a new password either came before and is seen here, or comes later and ends this session too.
 */
export async function beginSession(
  ctx: Context,
  origin: Origin,
  userId: number,
  /** The hash of the password that was verified; null if none was. */
  password: string | null,
  trial: Tried,
  { deviceName, refusal, useUp, ...how }: Beginning,
): Promise<Omit<SignedIn, 'cookie'>> {
  const beginning = ctx.transaction(userActor(userId, origin), async (tx) => {
    const user = await lockUserWithRule(tx.db, userId)
    if (user === undefined || (password !== null && passwordMark(user) !== password)) throw refusal()
    assertActive(user)
    // A second factor was turned on since the password was read: another attempt is asked for it.
    if (how.method === 'password' && isTwoFactorOn(user)) throw refusal()
    await useUp?.(tx)
    await forgive(tx.db, trial, namesOf(user))
    const token = await createSession(tx, userId, origin, deviceName, how)
    return { isAdmin: user.role_id === adminRoleId, signedIn: { token, mustEnrol: lacksFactor(user) } }
  })
  const { isAdmin, signedIn } = await beginning.catch(giveBack(ctx, trial))
  if (isAdmin) removeFirstStartFile(ctx)
  noteOutcome('success')
  return signedIn
}

/** Ends the session that the cookie held before: nobody could end it later (OWASP ASVS 7.2.4). */
export async function endReplacedSession(ctx: Context, origin: Origin, token: string): Promise<void> {
  const holder = await findSession(ctx, token)
  if (holder?.sessionId == null) return
  await endSession(ctx, userActor(holder.userId, origin, holder.sessionId), holder.sessionId)
}

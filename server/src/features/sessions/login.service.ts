import { callerOf } from '../../core/addresses.ts'
import type { Context, Origin } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { defineErrors, failedAt, type ServiceError } from '../../core/errors.ts'
import { canonicalEmail, canonicalName } from '../../core/text.ts'
import type { Db } from '../../db/database.ts'
import { forUpdate } from '../../db/dialect.ts'
import { prepare } from '../../db/prepare.ts'
import { verifyOrPretend } from '../passwords/passwords.service.ts'
import { hashToken, tryCode } from '../tokens/tokens.service.ts'
import { countTry, forgetTries } from '../tries/tries.service.ts'
import { isTwoFactorOn, sendLoginCode, twoFactorErrors } from '../two-factor/two-factor.service.ts'
import type { UserRow } from '../users/users.table.ts'
import type { Login, LoginCode } from './sessions.schemas.ts'
import { createSession } from './sessions.service.ts'

const loginErrors = defineErrors({
  invalid_credentials: [422, 'These credentials do not match our records.'],
  account_banned: [403, 'This account is banned.'],
  account_unconfirmed: [403, 'The e-mail address of this account is not confirmed yet.'],
})

/** For one account from one address: its owner is never locked out by somebody elsewhere. */
const limit = { tries: 5, windowMs: 60_000 }

export type LoginResult = { readonly token: string; readonly cookie: boolean } | { readonly challenge: string }

/** What a challenge carries to the second step. */
interface Challenge {
  readonly cookie: boolean
  readonly device_name: string | null
  /** Stands for the password that it was earned with. */
  readonly password: string
}

const passwordMark = (user: Pick<UserRow, 'password_hash'>): string => hashToken(user.password_hash)

const wrongCredentials = () => failedAt('username', loginErrors.invalid_credentials())

/** What was typed, in the form in which e-mail addresses and usernames are compared. */
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

/** One query whatever was typed, so that it takes as long for everybody. The address decides: a username may look like one. */
async function findByName(db: Db, { name, email }: ReturnType<typeof namesIn>): Promise<UserRow | undefined> {
  const found = await selectByName(db, email, name)
  return found.find((user) => user.email_canonical === email) ?? found[0]
}

/** Only who knows the password hears why the account cannot be used. */
function assertActive(user: UserRow): void {
  if (user.status === 'Banned') throw loginErrors.account_banned()
  if (user.status === 'Unconfirmed') throw loginErrors.account_unconfirmed()
}

/** Signs in with a password: a session, or with two-factor authentication a challenge and a code by SMS. */
export async function login(ctx: Context, origin: Origin, draft: Draft<Login>): Promise<LoginResult> {
  const { username, password, device_name = null, cookie = false } = draft.accept()
  const names = namesIn(username)
  const user = await findByName(ctx.db, names)
  // One counter for an account, whichever of its names is used; unknown names are counted alike. Only their hash is kept:
  // now and then somebody types the password there, and folded text can be too long for an index.
  const account = user === undefined ? `name ${hashToken(names.email)}` : `user ${user.id}`
  const counter = `login ${account} ${callerOf(origin.ip ?? '')}`
  await countTry(ctx, counter, limit)
  if (!(await verifyOrPretend(user?.password_hash, password)) || user === undefined) throw wrongCredentials()
  if (user.status !== 'Active' || isTwoFactorOn(user)) await forgetTries(ctx.db, counter)
  assertActive(user)
  const mark = passwordMark(user)
  if (isTwoFactorOn(user)) {
    const challenge: Challenge = { cookie, device_name, password: mark }
    return { challenge: await sendLoginCode(ctx, user, origin, challenge) }
  }
  const token = await beginSession(ctx, origin, user.id, mark, device_name, wrongCredentials, counter)
  return { token, cookie }
}

/** The second step: the code from the SMS. */
export async function loginWithCode(ctx: Context, origin: Origin, draft: Draft<LoginCode>): Promise<LoginResult> {
  const { challenge, token: code } = draft.accept()
  const row = await tryCode(ctx, 'login_challenge', hashToken(challenge), code)
  if (row === undefined) throw twoFactorErrors.two_factor_token_invalid()
  const { cookie, device_name, password } = JSON.parse(row.data ?? '{}') as Challenge
  const refusal = twoFactorErrors.two_factor_token_invalid
  return { token: await beginSession(ctx, origin, row.user_id, password, device_name, refusal), cookie }
}

/**
 * Begins the session of who has just shown a password. Checking it took a while: the user's row is held in place, so that a ban,
 * a deletion or a new password was either before, and is seen here, or comes after, and ends this session too.
 */
function beginSession(
  ctx: Context,
  origin: Origin,
  userId: number,
  password: string,
  deviceName: string | null,
  refusal: () => ServiceError,
  counter?: string,
): Promise<string> {
  return ctx.transaction(async (db) => {
    if (counter !== undefined) await forgetTries(db, counter)
    const user = await forUpdate(db)(db.selectFrom('users').selectAll().where('id', '=', userId)).executeTakeFirst()
    if (user === undefined || passwordMark(user) !== password) throw refusal()
    assertActive(user)
    return createSession(ctx, db, userId, origin, deviceName)
  })
}

import type { Config } from '../../config.ts'
import type { Actor, Context, Reads } from '../../core/context.ts'
import type { Draft, DraftFields } from '../../core/draft.ts'
import { errors, type ServiceError } from '../../core/errors.ts'
import type { QueuePlace } from '../../core/fair-queue.ts'
import { type MaybePromise, thenAtOnce } from '../../core/maybe-promise.ts'
import { ownId } from '../../core/own-id.ts'
import { toDate, toTimestamp } from '../../core/time.ts'
import type { ReadDb } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { eraseDeleted, findDirectRead } from '../../db/direct.ts'
import { searchPurgeJob } from '../accounts/search-purge.ts'
import { userErrors } from '../accounts/users.errors.ts'
import {
  findShownUser,
  findTaken,
  findUser,
  hasMuch,
  insertUser,
  lockUser,
  removeUser,
  type UserChanges,
} from '../accounts/users.queries.ts'
import { type ShownUser, shownColumns, type UserRow } from '../accounts/users.table.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { avatarUrl } from '../avatar-files/avatar-url.ts'
import { giveUpAvatar, removeUnusedAvatar } from '../avatar-files/stored-avatars.ts'
import { findCountry } from '../countries/countries.data.ts'
import { noPassword } from '../passwords/no-password.ts'
import { checkPassword, hashPassword, userPlace } from '../passwords/passwords.service.ts'
import { assertMayGrant, coversRole, findRole } from '../roles/roles.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { assertProofForRole } from './mightier-role.ts'
import { checkUsername } from './usernames.ts'
import { applyChanges, assertMayChange, changedFields } from './users.changes.ts'
import { shownFields, userJson } from './users.list.ts'
import type { CreateUser, UpdateUser, User } from './users.schemas.ts'

/** For a row that was read with all columns: its hash must not appear in an answer. */
const shownOf = (row: ShownUser): ShownUser =>
  'password_hash' in row ? (Object.fromEntries(shownColumns.map((column) => [column, row[column]])) as ShownUser) : row

/** The user as answers show it. */
export const toUser = (row: ShownUser, config: Pick<Config, 'publicUrl'>): User => ({
  ...shownOf(row),
  avatar: avatarUrl(row.avatar, config),
  two_factor_options: row.two_factor_options === null ? null : JSON.parse(row.two_factor_options),
})

/** Finds a user by id as the JSON of `toUser`, which SQLite writes. Undefined on PostgreSQL. */
export function jsonFinder({ db, config }: Pick<Context, 'db' | 'config'>) {
  const read = isPostgres(db) ? undefined : findDirectRead(db)
  if (read === undefined) return undefined
  const sql = `select ${userJson(shownFields, config)} as json from users where users.id = ?`
  return (id: number): MaybePromise<string | undefined> => {
    const rows = read({ sql, parameters: [id], cost: 'quick' }) as MaybePromise<{ json: string }[]>
    return thenAtOnce(rows, ([row]) => row?.json)
  }
}

const assertFound = <Row>(row: Row | undefined, refusal: () => ServiceError): Row => {
  if (row === undefined) throw refusal()
  return row
}

/** A user's row; throws `not_found`, or what else says here that there is none. */
export const getUser = async (db: ReadDb, id: number, refusal = errors.not_found): Promise<UserRow> =>
  assertFound(await findUser(db, id), refusal)

/** The account of the caller; throws `unauthenticated` if it was deleted since the request was admitted. */
export async function getOwnUser(db: ReadDb, actor: Actor): Promise<UserRow> {
  const user = await findUser(db, ownId(actor))
  if (user === undefined) throw errors.unauthenticated()
  return user
}

/** For the routes, which import no queries. */
export { findShownUser }

/** The same as `getUser`, locked until the transaction ends. */
export const getLockedUser = async (db: ReadDb, id: number, refusal = errors.not_found): Promise<UserRow> =>
  assertFound(await lockUser(db, id), refusal)

/** Nobody can edit a user who has a permission that they lack. */
export async function assertMayManage(db: ReadDb, actor: Actor, user: UserRow): Promise<void> {
  if (!(await coversRole(db, actor.permissions, user.role_id))) throw userErrors.user_above_you()
}

/** What the rules of a user's fields need from the database. */
export interface KnownOfUser {
  /** Which of the names another user has. */
  readonly taken: readonly ('email' | 'username')[]
  /** Whether the role exists. */
  readonly isRole: boolean
  /** `YYYY-MM-DD`. */
  readonly today: string
}

/** The part of `checkUser` that needs no query: what a query would find is given, so that many users can share one. */
export function checkFields(
  draft: DraftFields<Omit<UpdateUser, 'password'>>,
  { taken, isRole, today }: KnownOfUser,
  user?: Pick<UserRow, 'username'>,
  address?: string,
): void {
  const { country_id, birthday } = draft.given
  checkUsername(draft, address, user?.username)
  for (const field of taken) draft.reject(field, userErrors[`user_${field}_taken`]())
  if (!isRole) draft.reject('role_id', 'The selected role id is invalid.')
  if (country_id != null && findCountry(country_id) === undefined) {
    draft.reject('country_id', 'The selected country id is invalid.')
  }
  if (birthday != null && birthday > today) {
    draft.reject('birthday', 'The birthday field must not lie in the future.')
  }
}

/**
 * Checks the rules of a user's fields that the schema cannot express. `user` is the current row, if any. `address` is the
 * account's address after the change; a new one that first has to be confirmed is not. A password waits in the `place` of its caller.
 */
export async function checkUser(
  from: Reads & { readonly place?: QueuePlace },
  draft: DraftFields<UpdateUser>,
  user?: UserRow,
  address = draft.given.email ?? user?.email,
): Promise<void> {
  const { email, username, role_id } = draft.given
  const taken = await findTaken(from.db, { email, username }, user?.id)
  const isRole = role_id === undefined || (await findRole(from.db, role_id)) !== undefined
  checkFields(draft, { taken, isRole, today: toDate(from.clock()) }, user, address)
  if (draft.given.password === undefined) return
  const account = { ...user, ...draft.given }
  const { 'password.min_length': minLength } = await readSettings(from)
  await checkPassword(from, draft, account, minLength)
}

/** True if another user has the address. */
export const isEmailTaken = async (db: ReadDb, email: string, exceptId: number): Promise<boolean> =>
  (await findTaken(db, { email }, exceptId)).length > 0

/** A new account may have no password, where the settings say so. */
export function waivePassword(draft: Draft<{ password: string; password_confirmation: string }>): void {
  draft.waive('password')
  if (draft.given.password === undefined) draft.waive('password_confirmation')
}

export async function createUser(ctx: Context, actor: Actor, draft: Draft<CreateUser>): Promise<UserRow> {
  if (!(await readSettings(ctx))['password.required']) waivePassword(draft)
  const place = userPlace(actor.userId)
  await checkUser({ ...ctx, place }, draft)
  const { password_confirmation: _, ...fields } = draft.accept()
  const { password } = draft.given
  await assertMayGrant(ctx.db, actor, fields.role_id)
  await assertProofForRole(ctx, actor, fields.role_id)
  const password_hash = password === undefined ? noPassword : await hashPassword(password, place)
  return ctx.transaction(actor, async (tx) => {
    // Checked again: while the password was hashed, another user may have taken the name.
    await checkUser(tx, draft)
    draft.accept()
    await assertMayGrant(tx.db, tx.actor, fields.role_id)
    const now = toTimestamp(tx.clock())
    const { password: __, ...columns } = fields
    const user = await insertUser(tx.db, {
      ...columns,
      password_hash,
      status: 'Active',
      created_at: now,
      updated_at: now,
    })
    await recordActivity(tx, tx.actor, 'user.created', { type: 'user', id: user.id })
    return user
  })
}

/** Changes the account of another user; the caller's own is changed by `updateOwnAccount`. */
export async function updateUser(ctx: Context, actor: Actor, id: number, draft: Draft<UpdateUser>): Promise<UserRow> {
  const place = userPlace(actor.userId)
  if (draft.given.password !== undefined) {
    // First, so that no time is spent on hashing a password that is refused.
    const known = await getUser(ctx.db, id)
    await assertMayManage(ctx.db, actor, known)
    await checkUser({ ...ctx, place }, draft, known)
    draft.accept()
  }
  const { password, password_confirmation: _, current_password: __, revoke_keys, reason, ...fields } = draft.given
  const password_hash = password === undefined ? undefined : await hashPassword(password, place)
  return ctx.transaction(actor, async (tx) => {
    const user = await getLockedUser(tx.db, id)
    await assertMayManage(tx.db, tx.actor, user)
    await checkUser(tx, draft, user)
    draft.accept()
    const changes: UserChanges = {
      ...changedFields(fields, user),
      ...(password_hash === undefined ? {} : { password_hash }),
    }
    if (Object.keys(changes).length === 0) return user
    await assertMayChange(tx, tx.actor, user, changes)
    return applyChanges(tx, tx.actor, user, changes, { revokeKeys: revoke_keys === true, reason })
  })
}

/** Deletes a user with their keys and avatar. The audit log keeps only their id. */
export async function deleteUser(ctx: Context, actor: Actor, id: number): Promise<void> {
  const transaction = (await hasMuch(ctx.db, id)) ? ctx.backgroundTransaction : ctx.transaction
  const avatar = await transaction(actor, async (tx) => {
    const user = await getLockedUser(tx.db, id)
    if (user.id === tx.actor.userId) throw userErrors.user_is_yourself()
    await assertMayManage(tx.db, tx.actor, user)
    await removeUser(tx.db, user)
    await giveUpAvatar(tx, user.avatar)
    await recordActivity(tx, tx.actor, 'user.deleted', { type: 'user', id })
    return user.avatar
  })
  await removeUnusedAvatar(ctx, avatar)
  eraseDeleted(ctx.db)
  ctx.jobs.wake(searchPurgeJob)
}

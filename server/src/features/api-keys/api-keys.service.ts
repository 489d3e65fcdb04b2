import { randomBytes } from 'node:crypto'
import type { Actor, Context, Tx } from '../../core/context.ts'
import type { Draft, DraftFields } from '../../core/draft.ts'
import { defineErrors, errors, validationFailed } from '../../core/errors.ts'
import { excerpt } from '../../core/excerpt.ts'
import { assertFreshProof } from '../../core/fresh-proof.ts'
import { covers, holds, intersection, type PermissionSet } from '../../core/permissions.ts'
import { hashSecret } from '../../core/secrets.ts'
import { sortKey } from '../../core/text.ts'
import { toTimestamp } from '../../core/time.ts'
import type { Db, ReadDb } from '../../db/database.ts'
import { among } from '../../db/rows.ts'
import { chosenBy } from '../../mails/name-of.ts'
import { findUser, lockUser } from '../accounts/users.queries.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { coversRole, findRolePermissions, lockPermissions } from '../roles/roles.service.ts'
import { sendSecurityMail } from '../security-mails/security-mail.ts'
import { findApiKey, lockApiKey } from './api-keys.queries.ts'
import type { ApiKey, CreateApiKey, IssuedApiKey, UpdateApiKey } from './api-keys.schemas.ts'
import type { ApiKeyRow } from './api-keys.table.ts'
import { hasExpired, scopeOf } from './scope.ts'

const keyErrors = defineErrors({
  api_key_beyond_you: [403, 'This key permits, or its owner holds, a permission that you lack.'],
  api_key_owner_not_active: [403, 'Only an Active user can have API keys.'],
  api_key_not_yours: [403, 'A key can be rotated by its owner only: whoever holds the new secret acts as them.'],
})

/** `gh_` and 32 random bytes in base64url. */
const newSecret = (): string => `gh_${randomBytes(32).toString('base64url')}`

/** The part of a key that lists show: 30 of its 256 bits. */
const prefixOf = (secret: string): string => secret.slice(0, 8)

export const toApiKey = ({ key_hash: _hash, name_key: _key, permissions, ...row }: ApiKeyRow): ApiKey => ({
  ...row,
  permissions: permissions === null ? null : (JSON.parse(permissions) as string[]),
})

/**
 * Another user's key: you need all of its owner's permissions. Your own: your current key's scope must cover it. Scopes are
 * compared as stored, not by what they permit today. Otherwise a key could get around its limit through another key once the
 * role grows.
 */
async function assertMayTouch(db: ReadDb, actor: Actor, key: ApiKeyRow): Promise<void> {
  if (key.user_id === actor.userId) {
    if (!covers(actor.scope, scopeOf(key.permissions))) throw keyErrors.api_key_beyond_you()
    return
  }
  const owner = await db.selectFrom('users').select('role_id').where('id', '=', key.user_id).executeTakeFirstOrThrow()
  if (!(await coversRole(db, actor.permissions, owner.role_id))) throw keyErrors.api_key_beyond_you()
}

async function getTouchable(db: ReadDb, actor: Actor, id: number): Promise<ApiKeyRow> {
  const key = await lockApiKey(db, id)
  if (key === undefined) throw errors.not_found()
  await assertMayTouch(db, actor, key)
  return key
}

export async function getApiKey(db: ReadDb, id: number): Promise<ApiKey> {
  const key = await findApiKey(db, id)
  if (key === undefined) throw errors.not_found()
  return toApiKey(key)
}

/** What a key has already may be sent back: an expiry that is over, and permissions of a plugin that is off. */
async function checkApiKey(tx: Tx, draft: DraftFields<UpdateApiKey>, key?: ApiKeyRow): Promise<void> {
  const { expires_at, permissions } = draft.given
  if (typeof expires_at === 'string' && expires_at !== key?.expires_at && expires_at <= toTimestamp(tx.clock())) {
    draft.reject('expires_at', 'The expires at field must lie in the future.')
  }
  if (permissions == null || permissions.length === 0) return
  const listed = listedIn(key)
  const added = permissions.filter((name) => !listed.includes(name))
  const known = await lockPermissions(tx.db, added)
  for (const name of added) {
    if (!known.includes(name)) draft.reject('permissions', `There is no permission ${excerpt(name)}.`)
  }
}

/** The permissions that a key is limited to; none if it is not limited. */
const listedIn = (key: ApiKeyRow | undefined): string[] => JSON.parse(key?.permissions ?? '[]')

/**
 * The scope to store for the requested one: never more than the actor and the owner hold, and what the key lists already,
 * which permits nothing that its owner has lost. If none is requested, a key with a scope passes on that same scope.
 */
async function grantScope(
  { db, actor }: Pick<Tx, 'db' | 'actor'>,
  owned: PermissionSet,
  asked: string[] | null,
  key?: ApiKeyRow,
): Promise<string | null> {
  if (asked !== null) {
    const scope = new Set(asked)
    const added = scope.difference(new Set(listedIn(key)))
    if (!covers(actor.permissions, added)) throw keyErrors.api_key_beyond_you()
    const beyond = [...added].find((permission) => !holds(owned, permission))
    if (beyond !== undefined)
      throw keyErrors.api_key_beyond_you(`The owner of this key lacks the permission ${beyond}.`)
    return JSON.stringify([...scope])
  }
  if (actor.scope === 'all') return null
  const passed = [...(intersection(actor.permissions, owned) as ReadonlySet<string>)] // a key with a scope never creates a key without one
  return JSON.stringify((await lockPermissions(db, passed)).sort())
}

/** Issues a key for a user. The secret exists only in `key` of the result. */
export async function insertApiKey(
  tx: Tx,
  actor: Actor,
  key: { userId: number; name: string; permissions: string | null; expiresAt: string | null; secret?: string },
): Promise<IssuedApiKey> {
  const { secret = newSecret() } = key
  const now = toTimestamp(tx.clock())
  const row = await tx.db
    .insertInto('api_keys')
    .values({
      user_id: key.userId,
      name: key.name,
      name_key: sortKey(key.name),
      key_hash: hashSecret(secret),
      prefix: prefixOf(secret),
      permissions: key.permissions,
      expires_at: key.expiresAt,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordActivity(tx, actor, 'api_key.created', { type: 'api_key', id: row.id }, { user_id: key.userId })
  return { ...toApiKey(row), key: secret }
}

type Told = Pick<ApiKeyRow, 'name' | 'prefix'>

const tellOwner = (tx: Tx, owner: UserRow, { name, prefix }: Told, isRotated: boolean): Promise<void> =>
  sendSecurityMail(tx, owner, 'api-key-created', { key: chosenBy(owner, name, prefix ?? ''), isRotated })

/** Issues a key that acts as `ownerId`. Over HTTP that is always the caller: nobody creates a key for another user. */
export async function createApiKey(
  ctx: Context,
  actor: Actor,
  ownerId: number,
  draft: Draft<CreateApiKey>,
): Promise<IssuedApiKey> {
  return ctx.transaction(actor, async (tx) => {
    await checkApiKey(tx, draft)
    const { name, expires_at = null, permissions = null } = draft.accept()
    // Locks the row: a key created while its owner is being banned must not outlive the ban.
    const owner = await lockUser(tx.db, ownerId)
    if (owner === undefined) throw errors.not_found()
    if (owner.status !== 'Active') throw keyErrors.api_key_owner_not_active()
    const scope = await grantScope(tx, await findRolePermissions(tx.db, owner.role_id), permissions)
    const key = await insertApiKey(tx, tx.actor, { userId: ownerId, name, permissions: scope, expiresAt: expires_at })
    await tellOwner(tx, owner, key, false)
    return key
  })
}

export async function updateApiKey(
  ctx: Context,
  actor: Actor,
  id: number,
  draft: Draft<UpdateApiKey>,
): Promise<ApiKey> {
  return ctx.transaction(actor, async (tx) => {
    const key = await getTouchable(tx.db, tx.actor, id)
    await checkApiKey(tx, draft, key)
    const { name, expires_at, permissions } = draft.accept()
    const owner = await tx.db
      .selectFrom('users')
      .select('role_id')
      .where('id', '=', key.user_id)
      .executeTakeFirstOrThrow()
    const owned = await findRolePermissions(tx.db, owner.role_id)
    const sent = {
      ...(name === undefined ? {} : { name, name_key: sortKey(name) }),
      ...(expires_at === undefined ? {} : { expires_at }),
      ...(permissions === undefined ? {} : { permissions: await grantScope(tx, owned, permissions, key) }),
    }
    const changes = Object.fromEntries(
      Object.entries(sent).filter(([column, value]) => key[column as keyof ApiKeyRow] !== value),
    )
    const fields = Object.keys(changes).filter((column) => column !== 'name_key')
    if (fields.length === 0) return toApiKey(key)
    if (widens(key, changes)) assertFreshProof(tx.clock, tx.actor)
    const updated = await tx.db
      .updateTable('api_keys')
      .set({ ...changes, updated_at: toTimestamp(tx.clock()) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordActivity(tx, tx.actor, 'api_key.updated', { type: 'api_key', id }, { fields })
    return toApiKey(updated)
  })
}

/** True if a key could do more with these changes, or for longer. */
function widens(key: ApiKeyRow, { permissions = key.permissions, expires_at = key.expires_at }: Partial<ApiKeyRow>) {
  const livesLonger = key.expires_at !== null && (expires_at === null || expires_at > key.expires_at)
  return livesLonger || !covers(scopeOf(key.permissions), scopeOf(permissions))
}

/** Gives a key a new secret, and tells its owner. The old one stops working at once. */
export async function rotateApiKey(ctx: Context, actor: Actor, id: number): Promise<IssuedApiKey> {
  const secret = newSecret()
  return ctx.transaction(actor, async (tx) => {
    const key = await getTouchable(tx.db, tx.actor, id)
    const owner = await findUser(tx.db, key.user_id)
    if (owner === undefined || owner.id !== tx.actor.userId) throw keyErrors.api_key_not_yours()
    if (hasExpired(key, tx.clock))
      throw validationFailed({ expires_at: ['The key has expired: set a later end first, or issue a new key.'] })
    const rotated = await tx.db
      .updateTable('api_keys')
      .set({
        key_hash: hashSecret(secret),
        prefix: prefixOf(secret),
        last_used_at: null,
        updated_at: toTimestamp(tx.clock()),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordActivity(tx, tx.actor, 'api_key.rotated', { type: 'api_key', id })
    await tellOwner(tx, owner, rotated, true)
    return { ...toApiKey(rotated), key: secret }
  })
}

/** Revokes a key. From the next request on it is answered with 401. */
export async function revokeApiKey(ctx: Context, actor: Actor, id: number): Promise<void> {
  return ctx.transaction(actor, async (tx) => {
    const key = await getTouchable(tx.db, tx.actor, id)
    await tx.db.deleteFrom('api_keys').where('id', '=', id).execute()
    await recordActivity(tx, tx.actor, 'api_key.revoked', { type: 'api_key', id }, { user_id: key.user_id })
  })
}

/** Revokes all keys of a user as part of a larger change. Returns their number. */
export async function revokeUserKeys(db: Db, userId: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('api_keys').where('user_id', '=', userId).executeTakeFirst()
  return Number(numDeletedRows)
}

/** The same for many users. */
export async function revokeKeysOf(db: Db, userIds: readonly number[]): Promise<void> {
  await db.deleteFrom('api_keys').where('user_id', 'in', among(db, userIds)).execute()
}

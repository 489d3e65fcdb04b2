import type { Actor, Context, Origin, Reads, RequestNeeds, Tx } from '../../core/context.ts'
import { errors } from '../../core/errors.ts'
import { factorErrors } from '../../core/factor-errors.ts'
import type { MaybePromise } from '../../core/maybe-promise.ts'
import { holdsAny, intersection, isSameSet, mayChangeOwnAccount, type PermissionSet } from '../../core/permissions.ts'
import { findProof, proofIsOver } from '../../core/proved-password.ts'
import { hashSecret } from '../../core/secrets.ts'
import { fromTimestamp, toTimestamp } from '../../core/time.ts'
import type { ReadDb } from '../../db/database.ts'
import { isTwoFactorOn } from '../accounts/two-factor-state.ts'
import { lockUser } from '../accounts/users.queries.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { hasExpired, scopeOf } from '../api-keys/scope.ts'
import { adminRoleId, type TwoFactorRule } from '../roles/roles.table.ts'
import { createCredentialCache } from './credentials.cache.ts'
import {
  lockCredential,
  selectKeyByHash,
  selectKeyById,
  selectSessionByHash,
  selectSessionById,
  selectVersion,
} from './credentials.queries.ts'
import { aliveSince } from './live-sessions.service.ts'
import { createUseNotes } from './use-notes.ts'

/** The user behind an API key or a login token, and their permissions. */
export interface Holder {
  readonly userId: number
  readonly roleId: number
  readonly apiKeyId: number | null
  readonly sessionId: string | null
  /** The permissions of the user's role, limited by the key's scope. */
  readonly permissions: PermissionSet
  readonly scope: PermissionSet
  /** When the next use has to be recorded; epoch milliseconds. */
  readonly noteFromMs: number
  /** How far the recorded use may lag behind. */
  readonly lagMs: number
  /** When it expires unless it is used meanwhile; epoch milliseconds. */
  readonly endsMs: number
  /** When the session last proved its user's identity; null for an API key. */
  readonly provedMs: number | null
  /** True if the user's role requires a second factor and they have none. */
  readonly lacksFactor: boolean
  /** The credential version at which it was read. */
  readonly version: number | undefined
}

const keyForm = /^gh_[A-Za-z0-9_-]{43}$/
const sessionForm = /^gs_[A-Za-z0-9_-]{43}$/
const keyLagMs = 60_000
/** `noteFromMs` of a key that was never used. */
const neverNotedMs = 0

/** How long a holder stays valid if nothing else changes: until it expires or its next use has to be recorded. */
const untilMs = ({ noteFromMs, endsMs }: Holder): number => Math.min(noteFromMs, endsMs)

/** Finds the holder of a credential. The result is never older than the last relevant change. */
export function createCredentials(ctx: Context) {
  const cache = createCredentialCache(ctx.db)
  const notes = createUseNotes(ctx)
  const isCurrent = (holder: Holder) => ctx.clock().getTime() < untilMs(holder)
  return {
    toActor,
    find: (token: string, kind: 'key' | 'session') => {
      if (!(kind === 'key' ? keyForm : sessionForm).test(token)) return undefined
      const hash = hashSecret(token)
      const load = (version: number | undefined) =>
        kind === 'key' ? findKeyHolder(ctx, hash, version) : findSessionHolder(ctx, hash, version)
      return cache(hash, load, isCurrent)
    },
    /** At most once a minute, without delaying the request unless it is the first of a key. */
    noteUse: (holder: Holder): MaybePromise<void> => {
      const now = ctx.clock()
      if (now.getTime() < holder.noteFromMs) return
      const times = { now: toTimestamp(now), since: toTimestamp(new Date(now.getTime() - holder.lagMs)) }
      if (holder.apiKeyId !== null) {
        const use = { id: holder.apiKeyId, ...times }
        if (holder.noteFromMs === neverNotedMs) return notes.firstOfKey(use)
        notes.key(use)
      }
      if (holder.sessionId !== null) notes.session({ id: holder.sessionId, ...times })
    },
  }
}

const toActor = (holder: Holder, origin: Origin, request: RequestNeeds): Actor => ({
  userId: holder.userId,
  roleId: holder.roleId,
  apiKeyId: holder.apiKeyId,
  sessionId: holder.sessionId,
  permissions: holder.permissions,
  scope: holder.scope,
  origin,
  credential: {
    version: holder.version,
    untilMs: untilMs(holder),
    endsMs: holder.endsMs,
    needs: request.needs,
    changesOwnAccount: request.changesOwnAccount(holder.userId),
    provedMs: holder.provedMs,
    lacksFactor: holder.lacksFactor,
    mayLackFactor: holder.sessionId !== null && request.mayLackFactor(),
  },
})

/**
 * The actor as the transaction sees them. Minutes can pass between a request's first and last byte: a user who was banned,
 * demoted or signed out in the meantime changes nothing, nor does who gave a current password that is no longer current.
 * Throws `unauthenticated`, `forbidden` and `current_password_wrong`.
 */
export async function readActor(tx: Omit<Tx, 'actor'>, actor: Actor, isContended: boolean): Promise<Actor> {
  const { credential, apiKeyId, sessionId } = actor
  if (credential === null) return actor
  const [proof, locked] = await Promise.allSettled([hasLostProof(tx, actor, isContended), lockCredential(tx.db, actor)])
  // In this order: where the first statement failed, PostgreSQL says of the second no more than that.
  if (proof.status === 'rejected') throw proof.reason
  if (locked.status === 'rejected') throw locked.reason
  const version = locked.value
  if (version === undefined) throw errors.unauthenticated()
  if (proof.value) throw proofIsOver()
  if (version === credential.version && tx.clock().getTime() < credential.untilMs) return actor
  const holder =
    apiKeyId !== null
      ? toKeyHolder(tx, await selectKeyById(tx.db, apiKeyId), version)
      : await toSessionHolder(tx, await selectSessionById(tx.db, sessionId as string), version)
  if (holder === undefined) throw errors.unauthenticated()
  if (holder.lacksFactor && !credential.mayLackFactor) throw factorErrors.two_factor_enrolment_required()
  if (!holdsAny(holder.permissions, credential.needs)) throw errors.forbidden()
  if (credential.changesOwnAccount && !mayChangeOwnAccount(holder.scope)) throw errors.forbidden()
  const { needs, changesOwnAccount, mayLackFactor } = credential
  const now = toActor(holder, actor.origin, {
    needs,
    changesOwnAccount: () => changesOwnAccount,
    mayLackFactor: () => mayLackFactor,
  })
  return isSameActor(actor, now) ? actor : now
}

/**
 * Locks the user first, as everything does that ends a user's credentials, so that neither waits for the other; without a proof
 * only where that has happened, because it keeps the user's own requests waiting for each other.
 */
async function hasLostProof({ db }: Omit<Tx, 'actor'>, actor: Actor, isContended: boolean): Promise<boolean> {
  const proof = findProof(actor)
  if ((proof === undefined && !isContended) || actor.userId === null) return false
  const user = await lockUser(db, actor.userId)
  return proof !== undefined && user?.password_hash !== proof
}

/** True if both may do the same: then what has changed is about somebody else, or when the credential was used. */
const isSameActor = (one: Actor, other: Actor): boolean =>
  one.roleId === other.roleId &&
  isSameSet(one.permissions, other.permissions) &&
  isSameSet(one.scope, other.scope) &&
  one.credential?.provedMs === other.credential?.provedMs &&
  one.credential?.lacksFactor === other.credential?.lacksFactor

/** Changes with everything that authentication depends on. */
export async function findCredentialVersion(db: ReadDb): Promise<number> {
  const [row] = await selectVersion(db)
  return row?.version ?? 0
}

/** The current user of a login token; undefined if it is unknown or expired, or its user is not Active. */
export async function findSession(ctx: Reads, token: string): Promise<Holder | undefined> {
  return sessionForm.test(token) ? findSessionHolder(ctx, hashSecret(token), undefined) : undefined
}

const findKeyHolder = async (from: Reads, keyHash: string, version: number | undefined) =>
  toKeyHolder(from, await selectKeyByHash(from.db, keyHash), version)

const findSessionHolder = async (from: Reads, tokenHash: string, version: number | undefined) =>
  toSessionHolder(from, await selectSessionByHash(from.db, tokenHash), version)

type Rows<Query extends (...parameters: never[]) => unknown> = Awaited<ReturnType<Query>>

const ownedBy = (roleId: number, rows: readonly { permission: string | null }[]): PermissionSet =>
  roleId === adminRoleId ? 'all' : new Set(rows.map((row) => row.permission).filter((name) => name !== null))

/** True if the role requires a second factor and the user has none. */
export const lacksFactor = (
  user: { readonly two_factor: TwoFactorRule | null } & Pick<UserRow, 'two_factor_options'>,
): boolean => user.two_factor === 'required' && !isTwoFactorOn(user)

/** Undefined if the key is unknown or expired, or its owner is not Active. */
function toKeyHolder(
  { clock }: Pick<Reads, 'clock'>,
  rows: Rows<typeof selectKeyByHash>,
  version: number | undefined,
): Holder | undefined {
  const [key] = rows
  if (key === undefined || key.status !== 'Active') return undefined
  if (hasExpired(key, clock)) return undefined
  const scope = scopeOf(key.permissions)
  return {
    userId: key.user_id,
    roleId: key.role_id,
    apiKeyId: key.id,
    sessionId: null,
    permissions: intersection(ownedBy(key.role_id, rows), scope),
    scope,
    noteFromMs: key.last_used_at === null ? neverNotedMs : fromTimestamp(key.last_used_at) + keyLagMs,
    lagMs: keyLagMs,
    endsMs: key.expires_at === null ? Number.POSITIVE_INFINITY : fromTimestamp(key.expires_at),
    provedMs: null,
    lacksFactor: lacksFactor(key),
    version,
  }
}

/** Undefined if the session is unknown or expired, or its user is not Active. */
async function toSessionHolder(
  from: Reads | Omit<Tx, 'actor'>,
  rows: Rows<typeof selectSessionByHash>,
  version: number | undefined,
): Promise<Holder | undefined> {
  const [session] = rows
  if (session === undefined || session.status !== 'Active') return undefined
  const { usedSince, begunSince, idleMs, absoluteMs, lagMs } = await aliveSince(from)
  if (session.last_activity <= usedSince || session.created_at <= begunSince) return undefined
  return {
    userId: session.user_id,
    roleId: session.role_id,
    apiKeyId: null,
    sessionId: session.id,
    permissions: ownedBy(session.role_id, rows),
    scope: 'all',
    noteFromMs: fromTimestamp(session.last_activity) + lagMs,
    lagMs,
    endsMs: Math.min(fromTimestamp(session.last_activity) + idleMs, fromTimestamp(session.created_at) + absoluteMs),
    provedMs: session.proved_ms,
    lacksFactor: lacksFactor(session),
    version,
  }
}

import type { Actor, Context } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { isSameAddress } from '../../core/email-address.ts'
import { ownId } from '../../core/own-id.ts'
import { findProof } from '../../core/proved-password.ts'
import { missingCurrentPassword, requireCurrentPassword } from '../../security/sign-in-guard/current-password.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { hashPassword, userPlace } from '../passwords/passwords.service.ts'
import { sendConfirmation } from '../registration/email-confirmation.service.ts'
import { applyChanges, assertMayChange, changedFields } from '../users/users.changes.ts'
import type { UpdateUser } from '../users/users.schemas.ts'
import { checkUser, getLockedUser, getOwnUser } from '../users/users.service.ts'
import type { UpdateOwnDetails, UpdateOwnSignIn } from './me.schemas.ts'

/** Changes the caller's own profile. Name, address and password for sign-in are changed by `updateOwnSignIn`. */
export async function updateOwnDetails(ctx: Context, actor: Actor, draft: Draft<UpdateOwnDetails>): Promise<UserRow> {
  return ctx.transaction(actor, async (tx) => {
    const user = await getLockedUser(tx.db, ownId(tx.actor))
    await checkUser(tx, draft, user)
    const changes = changedFields(draft.accept(), user)
    return Object.keys(changes).length === 0 ? user : applyChanges(tx, tx.actor, user, changes)
  })
}

/**
 * Changes the caller's own account through `/users/{id}`, by the rules of `/me`: a new password, address or username needs
 * the current password.
 */
export async function updateOwnAccount(ctx: Context, actor: Actor, draft: Draft<UpdateUser>): Promise<UserRow> {
  const known = await getOwnUser(ctx.db, actor)
  await checkUser({ ...ctx, place: userPlace(known.id) }, draft, known, known.email)
  const isRejected = (['password', 'email', 'username'] as const).some((field) => draft.isRejected(field))
  if (isRejected || needsProof(draft.given, known)) await requireCurrentPassword(ctx, actor, known, draft)
  return changeOwnAccount(ctx, actor, known, draft)
}

/** True for a change of how the user signs in. */
const needsProof = (
  { password, email, username }: Draft<UpdateUser>['given'],
  user: Pick<UserRow, 'email' | 'username'>,
): boolean =>
  password !== undefined ||
  (email !== undefined && email !== user.email) ||
  (username !== undefined && username !== user.username)

/**
 * Changes the caller's username, address or password, with the current password or, for a user without one, a fresh proof. A new
 * email address takes effect when the link sent to it is opened; until then the old one stays.
 */
export async function updateOwnSignIn(ctx: Context, actor: Actor, draft: Draft<UpdateOwnSignIn>): Promise<UserRow> {
  const known = await getOwnUser(ctx.db, actor)
  await checkUser({ ...ctx, place: userPlace(known.id) }, draft, known, known.email)
  await requireCurrentPassword(ctx, actor, known, draft)
  return changeOwnAccount(ctx, actor, known, draft)
}

/** Writes checked changes. A new address waits for its confirmation. */
async function changeOwnAccount(
  ctx: Context,
  actor: Actor,
  known: UserRow,
  draft: Draft<UpdateUser>,
): Promise<UserRow> {
  const {
    password,
    password_confirmation: _,
    current_password: __,
    reason: ___,
    revoke_keys,
    email,
    ...fields
  } = draft.accept()
  const password_hash = password === undefined ? undefined : await hashPassword(password, userPlace(known.id))
  const isProved = findProof(actor) !== undefined
  return ctx.transaction(actor, async (tx) => {
    const user = await getLockedUser(tx.db, known.id)
    await checkUser(tx, draft, user, user.email)
    // What needed no proof before may have changed meanwhile.
    if (!isProved && needsProof(draft.given, user)) missingCurrentPassword(draft)
    draft.accept()
    const changes = { ...changedFields(fields, user), ...(password_hash === undefined ? {} : { password_hash }) }
    await assertMayChange(tx, tx.actor, user, changes)
    const revokeKeys = revoke_keys === true
    const isChanged = Object.keys(changes).length > 0
    const changed = isChanged ? await applyChanges(tx, tx.actor, user, changes, { revokeKeys }) : user
    if (email === undefined || email === user.email) return changed
    // Every other change needs proof, even another spelling of the same domain.
    if (isSameAddress(email, user.email)) return applyChanges(tx, tx.actor, changed, { email })
    await sendConfirmation(tx, changed, email)
    return changed
  })
}

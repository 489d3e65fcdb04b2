import type { Actor, Context } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { defineErrors, errors } from '../../core/errors.ts'
import { canonicalEmail } from '../../core/text.ts'
import { hashPassword, verifyPassword } from '../passwords/passwords.service.ts'
import { sendConfirmation } from '../registration/email-confirmation.service.ts'
import { countTry, forgetTries } from '../tries/tries.service.ts'
import type { UpdateUser } from '../users/users.schemas.ts'
import { applyChanges, changedFields, checkUser, getLockedUser, getUser } from '../users/users.service.ts'
import type { UserRow } from '../users/users.table.ts'
import type { UpdateOwnDetails, UpdateOwnSignIn } from './me.schemas.ts'

const meErrors = defineErrors({
  current_password_wrong: [422, 'The current password is not right.'],
})

const passwordTries = { tries: 5, windowMs: 60_000 }

/** The user whom the credential stands for; the command line is nobody. */
export function ownId(actor: Actor): number {
  if (actor.userId === null) throw errors.not_found()
  return actor.userId
}

/** Changes one's own profile; name, address and password for signing in are another matter. */
export async function updateOwnDetails(ctx: Context, actor: Actor, draft: Draft<UpdateOwnDetails>): Promise<UserRow> {
  return ctx.transaction(async (db) => {
    const user = await getLockedUser(db, ownId(actor))
    await checkUser(ctx, db, draft as Draft<UpdateUser>, user)
    const changes = changedFields(draft.accept(), user)
    return Object.keys(changes).length === 0 ? user : applyChanges(ctx, db, actor, user, changes)
  })
}

/** Rejects the draft unless `current_password` is the user's; counted, for a stolen session must not try them all. */
export async function checkCurrentPassword(
  ctx: Context,
  user: UserRow,
  draft: Draft<{ current_password?: string }>,
): Promise<void> {
  const { current_password } = draft.given
  if (current_password === undefined) return
  const name = `current password ${user.id}`
  await countTry(ctx, name, passwordTries)
  if (await verifyPassword(user.password_hash, current_password)) return forgetTries(ctx.db, name)
  draft.reject('current_password', meErrors.current_password_wrong())
}

/**
 * Changes what one signs in with, with the current password. A new e-mail address counts once the link that is sent to it
 * is opened; until then the old one stays.
 */
export async function updateOwnSignIn(ctx: Context, actor: Actor, draft: Draft<UpdateOwnSignIn>): Promise<UserRow> {
  const known = await getUser(ctx.db, ownId(actor))
  await checkUser(ctx, ctx.db, draft as Draft<UpdateUser>, known)
  await checkCurrentPassword(ctx, known, draft as Draft<{ current_password?: string }>)
  const { password, password_confirmation: _, current_password: __, email, ...fields } = draft.accept()
  const password_hash = password === undefined ? undefined : await hashPassword(password)
  return ctx.transaction(async (db) => {
    const user = await getLockedUser(db, known.id)
    await checkUser(ctx, db, draft as Draft<UpdateUser>, user)
    draft.accept()
    const changes = { ...changedFields(fields, user), ...(password_hash === undefined ? {} : { password_hash }) }
    const changed = Object.keys(changes).length === 0 ? user : await applyChanges(ctx, db, actor, user, changes)
    if (email === undefined || email === user.email) return changed
    // The same mailbox written another way needs no proof.
    if (canonicalEmail(email) === user.email_canonical) return applyChanges(ctx, db, actor, changed, { email })
    await sendConfirmation(ctx, db, changed, email)
    return changed
  })
}

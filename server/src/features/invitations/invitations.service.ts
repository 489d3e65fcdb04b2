import type { Actor, Context, Origin, Reads, Tx } from '../../core/context.ts'
import { userActor } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { isSameAddress } from '../../core/email-address.ts'
import { defineErrors } from '../../core/errors.ts'
import { toTimestamp } from '../../core/time.ts'
import { linkLivesMs } from '../../mails/mails.ts'
import { sendMail } from '../../mails/send-mail.ts'
import { strangerPlace } from '../../security/sign-in-guard/budgets.ts'
import { changeUser, findUser, insertUser } from '../accounts/users.queries.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { noPassword } from '../passwords/no-password.ts'
import { hashPassword } from '../passwords/passwords.service.ts'
import { assertMayMailMailbox } from '../registration/unproved-mail.service.ts'
import { assertMayGrant } from '../roles/roles.service.ts'
import { createToken, findToken, takeToken } from '../tokens/tokens.service.ts'
import type { TokenRow } from '../tokens/tokens.table.ts'
import { assertProofForRole } from '../users/mightier-role.ts'
import { applyChanges, changedFields } from '../users/users.changes.ts'
import { assertMayManage, checkUser, getLockedUser } from '../users/users.service.ts'
import type { AcceptInvitation, InvitationPreview, InvitationToken, InviteUser } from './invitations.schemas.ts'

const invitationErrors = defineErrors({
  invitation_invalid: [400, 'This invitation is invalid or has expired.'],
  user_not_waiting: [422, 'This account does not wait for an invitation or a confirmation.'],
})
export const notWaiting = invitationErrors.user_not_waiting

/** Creates an account without a password and mails its owner a link. */
export async function inviteUser(ctx: Context, actor: Actor, draft: Draft<InviteUser>): Promise<UserRow> {
  return ctx.transaction(actor, async (tx) => {
    await checkUser(tx, draft)
    const fields = draft.accept()
    await assertMayGrant(tx.db, tx.actor, fields.role_id)
    await assertProofForRole(tx, tx.actor, fields.role_id)
    const now = toTimestamp(tx.clock())
    const user = await insertUser(tx.db, {
      ...fields,
      password_hash: noPassword,
      status: 'Unconfirmed',
      created_at: now,
      updated_at: now,
    })
    await recordActivity(tx, tx.actor, 'user.created', { type: 'user', id: user.id })
    await assertMayMailMailbox(tx, user.email)
    await sendInvitation(tx, user)
    return user
  })
}

/** Sends another invitation; the link of the earlier one is void. */
export async function inviteAgain(ctx: Context, actor: Actor, id: number): Promise<void> {
  await ctx.transaction(actor, async (tx) => {
    const user = await getLockedUser(tx.db, id)
    await assertMayManage(tx.db, tx.actor, user)
    if (user.status !== 'Unconfirmed') throw notWaiting()
    await assertMayMailMailbox(tx, user.email)
    if (user.unconfirmed_since !== null) await changeUser(tx.db, user, { unconfirmed_since: null })
    await sendInvitation(tx, user)
  })
}

/** Mails a link that lets its reader choose the password of the account. Nothing in the mail was chosen by a stranger. */
export async function sendInvitation(tx: Tx, user: UserRow): Promise<void> {
  const data = { email: user.email }
  const token = await createToken(tx, { purpose: 'invitation', userId: user.id, livesMs: linkLivesMs.invitation, data })
  const link = `${tx.config.publicUrl}/accept-invitation#token=${token}`
  await recordActivity(tx, tx.actor, 'user.invited', { type: 'user', id: user.id })
  await sendMail(tx, {
    template: 'invitation',
    to: user.email,
    userId: user.id,
    data: { link, hours: linkLivesMs.invitation / 3_600_000 },
  })
}

interface Invitation {
  readonly row: TokenRow
  readonly user: UserRow
}

async function findInvitation(from: Reads, token: string): Promise<Invitation | undefined> {
  const row = await findToken(from, 'invitation', token)
  const user = row === undefined ? undefined : await findUser(from.db, row.user_id)
  return row !== undefined && user !== undefined && isOpen(row, user) ? { row, user } : undefined
}

/** True while the account waits, and still has the address that the link was sent to. */
const isOpen = ({ data }: TokenRow, user: UserRow): boolean =>
  user.status === 'Unconfirmed' &&
  isSameAddress(user.email, (JSON.parse(data ?? '{}') as { email?: string }).email ?? '')

/** Whose invitation it is, for a page that asks before it accepts. */
export async function previewInvitation(ctx: Context, draft: Draft<InvitationToken>): Promise<InvitationPreview> {
  const found = await findInvitation(ctx, draft.accept().token)
  if (found === undefined) throw invitationErrors.invitation_invalid()
  const { email, username } = found.user
  return { email, username, expires_at: toTimestamp(new Date(found.row.expires_ms)) }
}

/** Sets the password, and a username if one is sent. The link proves the address, so the account is Active at once. */
export async function acceptInvitation(ctx: Context, origin: Origin, draft: Draft<AcceptInvitation>): Promise<void> {
  const { token } = draft.given
  const found = token === undefined ? undefined : await findInvitation(ctx, token)
  if (token !== undefined && found === undefined) throw invitationErrors.invitation_invalid()
  const place = strangerPlace(origin.ip)
  if (found !== undefined) await checkUser({ ...ctx, place }, draft, found.user)
  const { password } = draft.accept()
  if (found === undefined || token === undefined) throw invitationErrors.invitation_invalid()
  const password_hash = await hashPassword(password, place)
  await ctx.transaction(userActor(found.user.id, origin), async (tx) => {
    const user = await getLockedUser(tx.db, found.user.id, invitationErrors.invitation_invalid)
    // One conditional DELETE: of several requests with one token, only one sets the password.
    const taken = await takeToken(tx, 'invitation', token)
    if (taken === undefined || !isOpen(taken, user)) throw invitationErrors.invitation_invalid()
    await checkUser(tx, draft, user)
    const { username } = draft.accept()
    const changes = changedFields(username == null ? {} : { username }, user)
    await applyChanges(tx, tx.actor, user, { ...changes, password_hash, status: 'Active' })
  })
}

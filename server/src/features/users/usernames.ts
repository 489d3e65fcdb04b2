import type { DraftFields } from '../../core/draft.ts'
import { canonicalEmail } from '../../core/email-address.ts'
import { isHighlyRestrictive } from '../../core/scripts.ts'
import { canonicalName } from '../../core/text.ts'
import type { Db } from '../../db/database.ts'
import { userErrors } from '../accounts/users.errors.ts'
import { findTaken, type UserChanges } from '../accounts/users.queries.ts'
import type { UserRow } from '../accounts/users.table.ts'

const looksLikeAddress = (username: string): boolean => canonicalName(username).includes('@')

const isAddress = (username: string, email: string | undefined): boolean =>
  email !== undefined && canonicalEmail(username) === canonicalEmail(email)

const isOfOneScript = (username: string): boolean => isHighlyRestrictive(username.normalize('NFKC').trim())

/**
 * The rules of a username: it has a visible character, does not mix scripts (a Cyrillic а in `admin`), and is not the
 * address of another account. `email` is the account's address while the username is in force. An unchanged username was
 * accepted under older rules and is not checked.
 */
export function checkUsername(
  draft: DraftFields<{ username?: string | null }>,
  email: string | undefined,
  present: string | null | undefined,
): void {
  const { username } = draft.given
  if (username == null || username === present) return
  if (canonicalName(username) === '') draft.reject('username', 'The username field must have a visible character.')
  if (!isOfOneScript(username)) draft.reject('username', userErrors.username_mixes_scripts())
  if (looksLikeAddress(username) && !isAddress(username, email)) {
    draft.reject('username', userErrors.username_not_your_address())
  }
}

/**
 * Adds to the changes of a user what a new address means for the username. A user whose username is the old address gets the
 * new one, or none if it cannot be a username. Nobody keeps a username that may soon be another person's address.
 */
export async function withUsernameOfAddress(db: Db, user: UserRow, changes: UserChanges): Promise<UserChanges> {
  const { email, username } = changes
  if (email === undefined || username !== undefined || user.username === null) return changes
  if (!looksLikeAddress(user.username) || !isAddress(user.username, user.email)) return changes
  if (isAddress(user.username, email)) return changes
  const isFree = (await findTaken(db, { username: email }, user.id)).length === 0
  return { ...changes, username: isFree && isOfOneScript(email) ? email : null }
}

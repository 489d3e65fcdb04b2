import type { Tx } from '../../core/context.ts'
import { toTimestamp } from '../../core/time.ts'
import { chosenBy, nameOf } from '../../mails/name-of.ts'
import { sendMail } from '../../mails/send-mail.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { findLiveKeys } from '../api-keys/user-keys.ts'

/** How many keys a mail lists. */
const maxNamedKeys = 20

/** An attacker who had the password may have created keys, which remain valid. The mail lists them. */
export async function tellOfPassword(tx: Tx, user: UserRow, revoked: number): Promise<void> {
  const live = await findLiveKeys(tx, user.id)
  const keys = live.slice(0, maxNamedKeys).map(({ name, prefix, last_used_at }) => ({
    name: chosenBy(user, name, prefix ?? ''),
    lastUsed: last_used_at,
  }))
  const data = { name: nameOf(user), at: toTimestamp(tx.clock()), revoked, keys, more: live.length - keys.length }
  await sendMail(tx, { template: 'password-changed', to: user.email, userId: user.id, data })
}

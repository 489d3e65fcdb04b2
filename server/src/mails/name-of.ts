import type { UserRow } from '../features/accounts/users.table.ts'

export type Addressee = Pick<UserRow, 'first_name' | 'username' | 'status' | 'unconfirmed_since'>

/**
 * True until somebody has opened a link that was sent to the address, or an administrator vouched for it: it may be that of
 * somebody else, who must not get what a stranger wrote into a name.
 */
export const isUnproved = ({ status, unconfirmed_since }: Pick<Addressee, 'status' | 'unconfirmed_since'>): boolean =>
  status === 'Unconfirmed' || unconfirmed_since !== null

/** How a mail addresses a user; empty while their address is not proved. */
export const nameOf = (user: Addressee): string =>
  isUnproved(user) ? '' : (user.first_name ?? user.username ?? 'there')

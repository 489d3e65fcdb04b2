import type { UserRow } from '../features/accounts/users.table.ts'

type Proof = Pick<UserRow, 'status' | 'unconfirmed_since'>
export type Addressee = Pick<UserRow, 'first_name' | 'username'> & Proof

/**
 * True until somebody has opened a link that was sent to the address, or an administrator vouched for it: it may be that of
 * somebody else, who must not get what a stranger wrote into a name.
 */
export const isUnproved = ({ status, unconfirmed_since }: Proof): boolean =>
  status === 'Unconfirmed' || unconfirmed_since !== null

/** What the holder of an account chose: the name of a key, an address, what a program calls itself; `instead` while their address is not proved. */
export const chosenBy = (user: Proof, words: string, instead: string): string => (isUnproved(user) ? instead : words)

/** How a mail addresses a user; empty while their address is not proved. */
export const nameOf = (user: Addressee): string =>
  isUnproved(user) ? '' : (user.first_name ?? user.username ?? 'there')

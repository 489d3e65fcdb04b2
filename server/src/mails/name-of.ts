import type { UserRow } from '../features/accounts/users.table.ts'

/**
 * How a mail addresses a user; empty while their address is not confirmed: it may be that of somebody else, who shall not get
 * what a stranger wrote into the name.
 */
export const nameOf = ({
  first_name,
  username,
  status,
}: Pick<UserRow, 'first_name' | 'username' | 'status'>): string =>
  status === 'Unconfirmed' ? '' : (first_name ?? username ?? 'there')

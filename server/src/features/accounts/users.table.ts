import type { Generated, Selectable } from 'kysely'
import type { Static } from 'typebox'
import { type ProfileField, profileFieldNames, type profileFields } from './users.fields.ts'

export type UserStatus = 'Active' | 'Unconfirmed' | 'Banned'
export const userStatuses: readonly UserStatus[] = ['Active', 'Unconfirmed', 'Banned']

type ProfileColumns = { [Field in ProfileField]: Static<(typeof profileFields)[Field]> }

export interface UsersTable extends ProfileColumns {
  id: Generated<number>
  email: string
  /** The unique, sortable form: see `canonicalEmail`. */
  email_canonical: string
  username_canonical: string | null
  password_hash: string
  role_id: number
  status: UserStatus
  /** The sortable form: see `sortKey`. */
  first_name_key: string
  last_name_key: string
  avatar: string | null
  last_login: string | null
  two_factor_country_code: number | null
  two_factor_phone: string | null
  two_factor_options: string | null
  /** Which terms of service were accepted at registration, and when. */
  terms_version: string | null
  terms_accepted_at: string | null
  created_at: string
  updated_at: string
  /**
   * Since when nobody has proved that the address is theirs: an Unconfirmed account waits for it, an Active one was registered
   * while no confirmation was asked for. Null if it is proved, or an administrator vouched for it.
   */
  unconfirmed_since: string | null
  /** The import that made the user. */
  import_id: number | null
  /** The job that changed the user last, if nobody has changed them since. */
  last_job_id: number | null
}

export type UserRow = Selectable<UsersTable>

/** The columns that answers show. Reading more slows down every row of a list, and a column that was not read cannot leak. */
export const shownColumns = [
  'id',
  'email',
  ...profileFieldNames,
  'role_id',
  'status',
  'avatar',
  'last_login',
  'two_factor_country_code',
  'two_factor_phone',
  'two_factor_options',
  'created_at',
  'updated_at',
] as const

export type ShownUser = Pick<UserRow, (typeof shownColumns)[number]>

/** The number of users by role and status, updated with every change, so that no list has to count. Several rows (slots) add up to it. */
export interface UserCountsTable {
  role_id: number
  status: UserStatus
  slot: Generated<number>
  count: number
}

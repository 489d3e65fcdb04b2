import type { Config } from '../../config.ts'
import type { Context } from '../../core/context.ts'
import { canonicalEmail } from '../../core/email-address.ts'
import {
  beforeFilter,
  byNullableText,
  byNumber,
  byText,
  choiceFilter,
  fromFilter,
  idFilter,
  type ListSpec,
  momentOrNeverFilter,
  textFilter,
  toFilter,
} from '../../http/lists/spec.ts'
import { twoFactorFilter } from '../accounts/two-factor-filter.ts'
import { searchFilter, userSearch } from '../accounts/users.search.ts'
import { type ShownUser, shownColumns, userStatuses } from '../accounts/users.table.ts'
import { avatarUrlIn } from '../avatar-files/avatar-url.ts'
import { findCountry } from '../countries/countries.data.ts'
import { withFlag } from '../countries/flags.ts'
import { loadRoles } from '../roles/roles.service.ts'
import { User } from './users.schemas.ts'

export const userIncludes = {
  role: { key: (row: ShownUser) => row.role_id, load: loadRoles },
  country: {
    key: (row: ShownUser) => row.country_id,
    load: async ({ config }: Context, ids: readonly number[]) =>
      new Map(ids.flatMap((id) => findCountry(id) ?? []).map((country) => [country.id, withFlag(country, config)])),
  },
} as const

export const userList = {
  table: 'users',
  columns: shownColumns,
  sorts: {
    id: byNumber('id'),
    first_name: byText('first_name_key'),
    last_name: byText('last_name_key'),
    email: byText('email_canonical'),
    updated_at: byText('updated_at'),
    created_at: byText('created_at'),
    last_login: byNullableText('last_login'),
    status: byText('status'),
    username: byNullableText('username_canonical'),
  },
  defaultSort: 'id',
  filters: {
    id: { ...idFilter('id'), isUnique: true },
    search: searchFilter,
    status: choiceFilter('status', userStatuses),
    email: { ...textFilter('email_canonical', canonicalEmail), isUnique: true },
    role_id: idFilter('role_id'),
    country_id: idFilter('country_id'),
    created_before: beforeFilter('created_at'),
    created_from: fromFilter('created_at'),
    created_to: toFilter('created_at'),
    last_login_before: beforeFilter('last_login', true),
    last_login_from: fromFilter('last_login', true),
    last_login_to: toFilter('last_login', true),
    last_login: momentOrNeverFilter('last_login'),
    import_id: idFilter('import_id'),
    two_factor: twoFactorFilter,
  },
  includes: userIncludes,
  countsTable: { table: 'user_counts', filters: ['status', 'role_id'] },
  large: {
    sortIndexes: {
      id: 'users_facets',
      first_name_key: 'users_first_name_key',
      last_name_key: 'users_last_name_key',
      email_canonical: 'users_email',
      updated_at: 'users_updated_at',
      created_at: 'users_created_at',
      last_login: 'users_last_login',
      '-last_login': 'users_last_login_descending',
      status: 'users_status',
      '-status': 'users_status_descending',
      username_canonical: 'users_username_sort',
    },
    sortsWithoutFilterColumns: ['email_canonical'],
    filtersBesideIndexes: [
      ...['created_before', 'created_from', 'created_to', 'last_login_before', 'last_login_from', 'last_login_to'],
      ...['last_login', 'import_id'],
    ],
    filterIndexes: {
      import_id: 'users_import_id',
      country_id: 'users_country_id',
      role_id: 'users_role_id',
      last_login: 'users_last_login',
      last_login_before: 'users_last_login',
      last_login_from: 'users_last_login',
      last_login_to: 'users_last_login',
      created_before: 'users_created_at',
      created_from: 'users_created_at',
      created_to: 'users_created_at',
      status: 'users_status',
    },
    search: userSearch,
  },
} as const satisfies ListSpec<ShownUser>

/** The fields of a user in an answer without includes. */
export const shownFields: readonly string[] = Object.keys(User.properties).filter((field) => !(field in userIncludes))

/** The JSON of a user as `toUser` shows one, in the SQL of SQLite. */
export function userJson(fields: readonly string[], config: Pick<Config, 'publicUrl'>): string {
  const values: Partial<Record<string, string>> = {
    avatar: avatarUrlIn('users.avatar', config),
    two_factor_options: 'json(users.two_factor_options)',
  }
  return `json_object(${fields.map((field) => `'${field}', ${values[field] ?? `users.${field}`}`).join(', ')})`
}

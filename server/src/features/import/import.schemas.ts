import { type Static, Type } from 'typebox'
import { choice, nullable } from '../../http/schemas.ts'
import { profileFields } from '../accounts/users.fields.ts'
import { userStatuses } from '../accounts/users.table.ts'
import { CreateUser, optionalProfile } from '../users/users.schemas.ts'

const { email, password, role_id } = CreateUser.properties

/** A row of an import: the fields of POST /users, and what only an import may set. */
export const ImportRow = Type.Object({
  email,
  ...optionalProfile,
  password: Type.Optional(password),
  role_id: Type.Optional(role_id),
  role: Type.Optional(Type.String({ maxLength: 255, description: 'The name of a role.', examples: ['User'] })),
  country: Type.Optional(
    nullable(
      Type.String({
        maxLength: 255,
        description: 'ISO 3166-1: alpha-2, alpha-3 or numeric.',
        examples: ['GB'],
        'x-digits': 'any',
      }),
    ),
  ),
  status: Type.Optional(choice(userStatuses, { examples: ['Active'] })),
  created_at: Type.Optional(Type.String({ format: 'timestamp', examples: ['2026-01-15 12:00:00'] })),
  email_verified: Type.Optional(Type.Boolean({ description: 'False means Unconfirmed.', examples: [true] })),
  password_hash: Type.Optional(Type.String({ maxLength: 1024, examples: ['$2y$10$…'] })),
  password_salt: Type.Optional(Type.String({ maxLength: 255, description: 'Of a Firebase hash.' })),
})
export type ImportRow = Static<typeof ImportRow>

/** A new field of the profile is a new column. */
export const columns: readonly string[] = Object.keys(ImportRow.properties)

/** Columns that only an export has. */
export const ignoredColumns: readonly string[] = [
  ...['id', 'avatar', 'updated_at', 'last_login'],
  ...['two_factor_country_code', 'two_factor_phone', 'two_factor_options'],
]

/** Null clears these; in the others it means: not given. */
export const clearable = new Set<string>([...Object.keys(profileFields), 'country'])

export const conflicts = ['fail', 'skip', 'update'] as const
export type OnConflict = (typeof conflicts)[number]

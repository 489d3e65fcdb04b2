import { type Static, type TOptional, Type } from 'typebox'
import { choice, component, Id, nullable, ref, Timestamp } from '../../http/schemas.ts'
import { type ProfileField, profileFields } from '../accounts/users.fields.ts'
import { userStatuses } from '../accounts/users.table.ts'
import { Country } from '../countries/countries.schemas.ts'
import { Role } from '../roles/roles.schemas.ts'

const email = Type.String({ format: 'email', maxLength: 254, examples: ['ada@example.com'] })
const status = choice(userStatuses, {
  description: 'Unconfirmed: registered, email address not yet confirmed.',
  examples: ['Active'],
})
const roleId = { ...Id, description: 'See GET /roles.' }

export const User = component(
  'User',
  Type.Object({
    id: Id,
    email,
    ...profileFields,
    avatar: Type.String({
      description: 'URL of the picture; a default picture if none was set.',
      examples: ['https://users.example.com/avatars/default.svg'],
    }),
    role_id: roleId,
    status,
    last_login: nullable(Timestamp),
    two_factor_country_code: nullable(Type.Integer({ description: 'As it was sent.', examples: [826] })),
    two_factor_phone: nullable(Type.String({ description: 'Without the country code.', examples: ['2079460958'] })),
    two_factor_options: nullable(
      Type.Object(
        { enabled: Type.Boolean({ examples: [true] }), channel: Type.String({ examples: ['sms'] }) },
        { description: 'Null if two-factor authentication is off.' },
      ),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
    role: Type.Optional(ref(Role)),
    country: Type.Optional(Type.Union([ref(Country), Type.Null()])),
  }),
)
export type User = Static<typeof User>

const password = Type.String({
  format: 'password',
  minLength: 8,
  maxLength: 256,
  description: 'Any Unicode; not easy to guess, not the email address or the username.',
  examples: ['correct horse battery staple'],
})
const confirmation = Type.String({
  format: 'password',
  description: 'The same as password.',
  examples: ['correct horse battery staple'],
})

/** Changing the caller's own account needs the current password, on every path. */
export const currentPassword = Type.String({
  format: 'password',
  minLength: 1,
  maxLength: 1024,
  description: 'Required if the account is your own and has a password.',
  examples: ['a quiet harbour at dawn'],
})

type Optional = { [Field in ProfileField]: TOptional<(typeof profileFields)[Field]> }
export const optionalProfile = Object.fromEntries(
  Object.entries(profileFields).map(([name, field]) => [name, Type.Optional(field)]),
) as Optional

export const CreateUser = component(
  'CreateUser',
  Type.Object({ email, password, password_confirmation: confirmation, role_id: roleId, ...optionalProfile }),
)
export type CreateUser = Static<typeof CreateUser>

export const UpdateUser = component(
  'UpdateUser',
  Type.Object({
    email: Type.Optional(email),
    password: Type.Optional(password),
    password_confirmation: Type.Optional(confirmation),
    role_id: Type.Optional(roleId),
    status: Type.Optional(status),
    revoke_keys: Type.Optional(
      Type.Unsafe<boolean | null>({
        type: ['boolean', 'null'],
        description: 'With a password: whether it revokes the API keys of the user. False unless sent.',
        examples: [true],
      }),
    ),
    reason: Type.Optional(
      nullable(
        Type.String({
          maxLength: 255,
          description: 'With a ban: why, for the activity. It is no field of the user.',
          examples: ['Spam'],
        }),
      ),
    ),
    current_password: Type.Optional(currentPassword),
    ...optionalProfile,
  }),
)
export type UpdateUser = Static<typeof UpdateUser>

import { type Static, Type } from 'typebox'
import { choice, component, Id, nullable, ref, Timestamp } from '../../http/schemas.ts'
import { Country } from '../countries/countries.schemas.ts'
import { Role } from '../roles/roles.schemas.ts'
import { userStatuses } from './users.table.ts'

const text = (maxLength: number, example: string) => nullable(Type.String({ maxLength, examples: [example] }))

const email = Type.String({ format: 'email', maxLength: 254, examples: ['ada@example.com'] })
const profile = {
  username: text(255, 'ada'),
  first_name: text(255, 'Ada'),
  last_name: text(255, 'Lovelace'),
  phone: text(64, '+44 20 7946 0958'),
  address: text(1000, "12 St James's Square, London"),
  country_id: nullable(Type.Integer({ description: 'ISO 3166-1 numeric code; see GET /countries.', examples: [826] })),
  birthday: nullable(
    Type.String({ format: 'date', description: 'YYYY-MM-DD, not in the future.', examples: ['1990-12-10'] }),
  ),
}
const status = choice(userStatuses, {
  description: 'Unconfirmed: registered, e-mail address not yet confirmed.',
  examples: ['Active'],
})
const roleId = { ...Id, description: 'See GET /roles.' }

export const User = component(
  'User',
  Type.Object({
    id: Id,
    first_name: profile.first_name,
    last_name: profile.last_name,
    username: profile.username,
    email,
    phone: profile.phone,
    avatar: Type.String({
      description: 'URL of the picture; a default one when none was set.',
      examples: ['https://users.example.com/avatars/default.svg'],
    }),
    address: profile.address,
    country_id: profile.country_id,
    role_id: roleId,
    status,
    birthday: profile.birthday,
    last_login: nullable(Timestamp),
    two_factor_country_code: nullable(Type.Integer({ description: 'As it was sent.', examples: [826] })),
    two_factor_phone: nullable(Type.String({ description: 'Without the country code.', examples: ['2079460958'] })),
    two_factor_options: nullable(
      Type.Object(
        { enabled: Type.Boolean({ examples: [true] }), channel: Type.String({ examples: ['sms'] }) },
        { description: 'Null when two-factor authentication is off.' },
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
  description: 'Any Unicode; not easy to guess, not the e-mail address or the username.',
  examples: ['correct horse battery staple'],
})
const confirmation = Type.String({
  format: 'password',
  description: 'The same as password.',
  examples: ['correct horse battery staple'],
})

/** On one's own account what guards it asks for it, whichever path leads there. */
export const currentPassword = Type.String({
  format: 'password',
  minLength: 1,
  maxLength: 1024,
  description: 'Needed where the account is your own.',
  examples: ['a quiet harbour at dawn'],
})

const optionalProfile = {
  username: Type.Optional(profile.username),
  first_name: Type.Optional(profile.first_name),
  last_name: Type.Optional(profile.last_name),
  birthday: Type.Optional(profile.birthday),
  phone: Type.Optional({ ...profile.phone, 'x-digits': 'phone' }),
  address: Type.Optional(profile.address),
  country_id: Type.Optional(profile.country_id),
}

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
    current_password: Type.Optional(currentPassword),
    ...optionalProfile,
  }),
)
export type UpdateUser = Static<typeof UpdateUser>

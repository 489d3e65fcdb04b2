import { type Static, Type } from 'typebox'
import { component } from '../../http/schemas.ts'
import { linkToken } from '../tokens/tokens.schemas.ts'
import { CreateUser } from '../users/users.schemas.ts'

const { email, password, password_confirmation } = CreateUser.properties

export const RemindPassword = component('RemindPassword', Type.Object({ email }))
export type RemindPassword = Static<typeof RemindPassword>

export const ResetLink = component('ResetLink', Type.Object({ token: linkToken, email }))
export type ResetLink = Static<typeof ResetLink>

export const ResetPreview = component(
  'ResetPreview',
  Type.Object({
    api_keys: Type.Integer({ description: 'The number of the user’s active API keys.', examples: [2] }),
  }),
)

export const ResetPassword = component(
  'ResetPassword',
  Type.Object({
    token: linkToken,
    email,
    password,
    password_confirmation,
    revoke_keys: Type.Optional(
      Type.Unsafe<boolean | null>({
        type: ['boolean', 'null'],
        description: 'Whether the user’s API keys are revoked as well. True by default.',
        examples: [true],
      }),
    ),
  }),
)
export type ResetPassword = Static<typeof ResetPassword>

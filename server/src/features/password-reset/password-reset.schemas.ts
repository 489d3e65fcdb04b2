import { type Static, Type } from 'typebox'
import { component } from '../../http/schemas.ts'
import { CreateUser } from '../users/users.schemas.ts'

const { email, password, password_confirmation } = CreateUser.properties

export const RemindPassword = component('RemindPassword', Type.Object({ email }))
export type RemindPassword = Static<typeof RemindPassword>

const token = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'From the link in the email.',
  examples: ['vAPBcytTuP4xc1JCNigLVJ9NPrlXAeyyFrWJS-HBr00'],
})

export const ResetLink = component('ResetLink', Type.Object({ token, email }))
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
    token,
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

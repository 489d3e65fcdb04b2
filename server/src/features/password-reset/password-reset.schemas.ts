import { type Static, Type } from 'typebox'
import { component } from '../../http/schemas.ts'

const email = Type.String({ format: 'email', maxLength: 254, examples: ['ada@example.com'] })

export const RemindPassword = component('RemindPassword', Type.Object({ email }))
export type RemindPassword = Static<typeof RemindPassword>

export const ResetPassword = component(
  'ResetPassword',
  Type.Object({
    token: Type.String({
      ...{ minLength: 1, maxLength: 255, description: 'From the link in the e-mail.' },
      examples: ['vAPBcytTuP4xc1JCNigLVJ9NPrlXAeyyFrWJS-HBr00'],
    }),
    email,
    password: Type.String({
      format: 'password',
      minLength: 8,
      maxLength: 256,
      examples: ['correct horse battery staple'],
    }),
    password_confirmation: Type.String({
      ...{ format: 'password', description: 'The same as password.' },
      examples: ['correct horse battery staple'],
    }),
  }),
)
export type ResetPassword = Static<typeof ResetPassword>

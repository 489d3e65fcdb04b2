import { type Static, Type } from 'typebox'
import { component, nullable, Timestamp } from '../../http/schemas.ts'
import { linkToken } from '../tokens/tokens.schemas.ts'

export const SecureAccount = component('SecureAccount', Type.Object({ token: linkToken }))
export type SecureAccount = Static<typeof SecureAccount>

export const SecureAccountPreview = component(
  'SecureAccountPreview',
  Type.Object({
    email: Type.String({ description: 'Where the password reset goes.', examples: ['ada@example.com'] }),
    restores_email: Type.Boolean({
      description: 'True if the account gets this address back.',
      examples: [false],
    }),
    sessions: Type.Integer({ description: 'How many sessions end.', examples: [2] }),
    api_keys: Type.Integer({ description: 'How many API keys of the last seven days are revoked.', examples: [0] }),
    factors: Type.Integer({
      description: 'How many second factors stay. One of them may be an intruder’s.',
      examples: [1],
    }),
    expires_at: nullable(Timestamp),
  }),
)
export type SecureAccountPreview = Static<typeof SecureAccountPreview>

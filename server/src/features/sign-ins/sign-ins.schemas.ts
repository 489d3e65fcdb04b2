import { type Static, Type } from 'typebox'
import { component, Id, nullable, Timestamp } from '../../http/schemas.ts'

export const SignIn = component(
  'SignIn',
  Type.Object({
    id: Id,
    success: Type.Boolean({ examples: [true] }),
    reason: nullable(
      Type.String({
        description:
          'Why it failed: `password`, `two_factor`, `banned`, `unconfirmed` or `limited`; null for a success.',
        examples: [null],
      }),
    ),
    method: nullable(
      Type.String({
        description: 'What completed it: `password`, `totp`, `sms`, `recovery_code`, `passkey` or `email_link`.',
        examples: ['totp'],
      }),
    ),
    browser: nullable(Type.String({ examples: ['Firefox'] })),
    platform: nullable(Type.String({ examples: ['Linux'] })),
    network: nullable(
      Type.String({
        description: 'The IPv4 address or IPv6 /64; after 30 days the /24 or /48.',
        examples: ['203.0.113.7'],
      }),
    ),
    count: Type.Integer({ description: 'How many within the minute.', minimum: 1, examples: [1] }),
    created_at: Timestamp,
  }),
)
export type SignIn = Static<typeof SignIn>

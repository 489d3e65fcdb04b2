import { type Static, Type } from 'typebox'
import { component, ref } from '../../http/schemas.ts'
import { User } from '../users/users.schemas.ts'

export const Stats = component(
  'Stats',
  Type.Object({
    users: Type.Object({
      total: Type.Integer({ examples: [42] }),
      by_status: Type.Object({
        Active: Type.Integer({ examples: [39] }),
        Unconfirmed: Type.Integer({ examples: [2] }),
        Banned: Type.Integer({ examples: [1] }),
      }),
    }),
    without_required_factor: Type.Integer({
      description: 'Users who lack the second factor that their role requires.',
      examples: [0],
    }),
    sign_ups: Type.Array(
      Type.Object({ month: Type.String({ examples: ['2026-11'] }), count: Type.Integer({ examples: [7] }) }),
      {
        description: 'The last twelve months, oldest first.',
        examples: [[{ month: '2026-11', count: 7 }]],
      },
    ),
    latest_registrations: Type.Array(ref(User), { description: 'The newest seven accounts.' }),
    captured: Type.Object(
      { mail: Type.Boolean({ examples: [true] }), sms: Type.Boolean({ examples: [true] }) },
      { description: 'True if no server is configured, so that messages stay in the outbox.' },
    ),
  }),
)
export type Stats = Static<typeof Stats>

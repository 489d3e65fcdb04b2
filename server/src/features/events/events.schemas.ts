import { type Static, Type } from 'typebox'
import { component, nullable, ref } from '../../http/schemas.ts'
import { User } from '../users/users.schemas.ts'

export const EventPayload = component(
  'Event',
  Type.Object({
    type: Type.Unsafe<string>({ $ref: 'EventName#', description: 'What happened.', examples: ['user.updated'] }),
    timestamp: Type.String({ description: 'ISO 8601, UTC.', examples: ['2026-11-20T10:49:27Z'] }),
    data: Type.Object({
      id: Type.Integer({ description: 'The id of the event in the activity.', examples: [17] }),
      actor_id: nullable(
        Type.Integer({ description: 'The user who did it; null for the command line and the system.', examples: [1] }),
      ),
      subject: Type.Object({
        type: Type.String({ examples: ['user'] }),
        id: nullable(Type.Integer({ examples: [2] })),
      }),
      user: Type.Optional(ref(User)),
      details: nullable(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description: 'Further details, different for each event; never a secret.',
            examples: [{ fields: ['email'] }],
          },
        ),
      ),
    }),
  }),
)
export type EventPayload = Static<typeof EventPayload>

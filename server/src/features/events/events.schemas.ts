import { type Static, Type } from 'typebox'
import { component, ref } from '../../http/schemas.ts'
import { Activity } from '../activity/activity.schemas.ts'
import { User } from '../users/users.schemas.ts'

export const EventPayload = component(
  'Event',
  Type.Object({
    type: Activity.properties.event,
    timestamp: Type.String({ description: 'ISO 8601, UTC.', examples: ['2026-11-20T10:49:27Z'] }),
    data: Type.Object({
      id: Type.Integer({ description: 'The id of the event in the activity.', examples: [17] }),
      actor_id: Activity.properties.actor_id,
      subject: Type.Object({
        type: Type.String({ examples: ['user'] }),
        id: Activity.properties.subject_id,
      }),
      user: Type.Optional(ref(User)),
      details: Activity.properties.details,
    }),
  }),
)
export type EventPayload = Static<typeof EventPayload>

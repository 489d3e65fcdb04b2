import { type Static, Type } from 'typebox'
import { coreEvents } from '../../core/events.ts'
import { choice, component, nullable, Timestamp } from '../../http/schemas.ts'

/**
 * The events that this installation can write: those of the core and of its plugins. An old row may hold an event that is no
 * longer listed.
 */
export const eventNameSchema = (ofPlugins: readonly string[]) =>
  choice([...Object.keys(coreEvents), ...ofPlugins], { $id: 'EventName', description: 'The name of an event.' })

export const Activity = component(
  'Activity',
  Type.Object({
    id: Type.Integer({ examples: [17] }),
    event: Type.Unsafe<string>({ $ref: 'EventName#', description: 'What happened.', examples: ['user.updated'] }),
    actor_id: nullable(
      Type.Integer({ description: 'The user who did it; null for the command line and the system.', examples: [1] }),
    ),
    api_key_id: nullable(Type.Integer({ description: 'The API key that they used.', examples: [1] })),
    subject_type: Type.String({ description: 'The subject of the event.', examples: ['user'] }),
    subject_id: nullable(Type.Integer({ examples: [2] })),
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
    ip_address: nullable(Type.String({ examples: ['203.0.113.7'] })),
    user_agent: nullable(Type.String({ examples: ['curl/8.14.1'] })),
    request_id: nullable(
      Type.String({
        description: 'The X-Request-Id of the request.',
        examples: ['6f0c2d8e-5a0b-4c39-9d0e-0d8a5f3b7c21'],
      }),
    ),
    created_at: Timestamp,
  }),
)
export type Activity = Static<typeof Activity>

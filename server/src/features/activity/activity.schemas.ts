import { type Static, Type } from 'typebox'
import { coreEvents } from '../../core/events.ts'
import { choice, component, nullable, Timestamp } from '../../http/schemas.ts'

/** The events that this installation can write: the core's, and those of its plugins. A row may be older than the list. */
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
    api_key_id: nullable(Type.Integer({ description: 'The API key that stood for them.', examples: [1] })),
    subject_type: Type.String({ description: 'What it happened to.', examples: ['user'] }),
    subject_id: nullable(Type.Integer({ examples: [2] })),
    details: nullable(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'More of what happened, different for each event; no secret.',
          examples: [{ fields: ['email'] }],
        },
      ),
    ),
    ip_address: nullable(Type.String({ examples: ['203.0.113.7'] })),
    user_agent: nullable(Type.String({ examples: ['curl/8.14.1'] })),
    request_id: nullable(
      Type.String({
        description: 'The X-Request-Id of the request that did it.',
        examples: ['6f0c2d8e-5a0b-4c39-9d0e-0d8a5f3b7c21'],
      }),
    ),
    created_at: Timestamp,
  }),
)
export type Activity = Static<typeof Activity>

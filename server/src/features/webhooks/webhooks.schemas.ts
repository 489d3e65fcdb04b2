import { type Static, Type } from 'typebox'
import { choice, component, Id, nullable, Timestamp } from '../../http/schemas.ts'

const url = Type.String({
  format: 'http-url',
  maxLength: 2_000,
  description: 'https; http only to the networks of GATEHOUSE_WEBHOOK_NETWORKS.',
  examples: ['https://example.com/hooks/gatehouse'],
})
const events = Type.Unsafe<string[]>({
  type: 'array',
  items: { type: 'string' },
  minItems: 1,
  maxItems: 200,
  description: 'Names of events, `user.*` for all that begin like that, `*` for all.',
  examples: [['user.*', 'role.created']],
})
const description = nullable(Type.String({ maxLength: 1_000, examples: ['Keeps the CRM up to date'] }))
const enabled = Type.Boolean({
  description: 'False: nothing is sent. What happens then is sent by a replay only.',
  examples: [true],
})

export const Webhook = component(
  'Webhook',
  Type.Object({
    id: Id,
    url: Type.String({ examples: ['https://example.com/hooks/gatehouse'] }),
    events,
    description,
    enabled,
    disabled_reason: nullable(
      choice(['administrator', 'gone', 'failing'], {
        description:
          'Why it is switched off: by an administrator, because it answered 410, or because nothing but failures came for three days. Null while it is on.',
      }),
    ),
    failing_since: nullable(
      Type.String({
        description: 'Since when nothing but failures came; null after a success.',
        examples: ['2026-11-20 10:49:27'],
      }),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)
export type Webhook = Static<typeof Webhook>

/** What creates a webhook or rotates its secret answers; no other answer has the secret. */
export const WebhookWithSecret = component(
  'WebhookWithSecret',
  Type.Object({
    ...Webhook.properties,
    secret: Type.String({
      description: 'Verifies the signatures. Only the answer that creates or rotates it contains it.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
    }),
  }),
)
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

export const CreateWebhook = component(
  'CreateWebhook',
  Type.Object({
    url,
    events,
    description: Type.Optional(description),
    enabled: Type.Optional(enabled),
  }),
)
export type CreateWebhook = Static<typeof CreateWebhook>

export const UpdateWebhook = component(
  'UpdateWebhook',
  Type.Object({
    url: Type.Optional(url),
    events: Type.Optional(events),
    description: Type.Optional(description),
    enabled: Type.Optional(enabled),
  }),
)
export type UpdateWebhook = Static<typeof UpdateWebhook>

const messageId = Type.String({
  description: 'The `webhook-id` header: the same at every attempt and replay.',
  examples: ['msg_2mXyD1kRrYq7hX0p4nB6tA8c'],
})

export const WebhookAttempt = component(
  'WebhookAttempt',
  Type.Object({
    id: Id,
    message_id: messageId,
    type: Type.String({ description: 'The event.', examples: ['user.created'] }),
    status: nullable(Type.Integer({ description: 'Of the answer; null if none came.', examples: [200] })),
    error: nullable(Type.String({ description: 'Why no answer came.', examples: ['ECONNREFUSED'] })),
    duration_ms: Type.Integer({ examples: [84] }),
    answer: nullable(Type.String({ description: 'The first 16 KiB of the answer.', examples: ['ok'] })),
    created_at: Timestamp,
  }),
)
export type WebhookAttempt = Static<typeof WebhookAttempt>

export const WebhookAttemptDetails = component(
  'WebhookAttemptDetails',
  Type.Object({
    ...WebhookAttempt.properties,
    request: nullable(
      Type.String({
        description: 'The body as it would be sent now; null if the event is not kept any more.',
        examples: ['{"type":"user.created"}'],
      }),
    ),
  }),
)
export type WebhookAttemptDetails = Static<typeof WebhookAttemptDetails>

export const QueuedMessage = component('QueuedMessage', Type.Object({ message_id: messageId }))

const moment = (which: string) =>
  Type.String({ format: 'timestamp', description: `${which}, UTC.`, examples: ['2026-11-20 10:49:27'] })
export const ReplayWebhook = component(
  'ReplayWebhook',
  Type.Object({ from: moment('From'), to: moment('To, inclusive') }),
)
export type ReplayWebhook = Static<typeof ReplayWebhook>

export const WebhookReplay = component(
  'WebhookReplay',
  Type.Object({ messages: Type.Integer({ description: 'How many messages were queued.', examples: [12] }) }),
)

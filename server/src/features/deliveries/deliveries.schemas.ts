import { type Static, Type } from 'typebox'
import { choice, component, Id, nullable, Timestamp } from '../../http/schemas.ts'
import { deliveryKinds, deliveryStatuses } from '../../outbox/deliveries.table.ts'

export const Delivery = component(
  'Delivery',
  Type.Object({
    id: Id,
    kind: choice(deliveryKinds),
    template: Type.String({ description: 'The kind of message.', examples: ['reset-password'] }),
    status: choice(deliveryStatuses, {
      description: 'captured: stored instead of sent, because no server is configured. failed: will not be retried.',
    }),
    user_id: nullable(Type.Integer({ examples: [2] })),
    recipient: Type.String({ examples: ['ada@example.com'] }),
    subject: nullable(Type.String({ examples: ['Reset your password'] })),
    body_text: nullable(
      Type.String({
        description: 'Null if it contains a token or code, unless the message is captured or waits to be captured.',
        examples: ['Somebody asked to reset the password of this account.'],
      }),
    ),
    body_html: nullable(Type.String({ examples: ['<p>Somebody asked to reset the password of this account.</p>'] })),
    message_id: Type.String({
      description: 'The same for every attempt.',
      examples: ['<0b5c7a0e-6c1f-4a53-9a53-2f1f0a7d9c11@example.com>'],
    }),
    attempts: Type.Integer({ examples: [1] }),
    last_error: nullable(
      Type.String({ description: 'The server’s reply to the last attempt.', examples: ['451 Try again later'] }),
    ),
    next_try_at: nullable(Type.String({ ...Timestamp, description: 'Null unless the message is queued.' })),
    created_at: Timestamp,
    updated_at: Timestamp,
    sent_at: nullable(Timestamp),
  }),
)
export type Delivery = Static<typeof Delivery>

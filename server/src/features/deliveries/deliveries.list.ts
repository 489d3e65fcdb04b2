import { sortKey } from '../../core/text.ts'
import {
  byNumber,
  byText,
  choiceFilter,
  exactFilter,
  fromFilter,
  type ListSpec,
  textFilter,
  toFilter,
} from '../../http/lists/spec.ts'
import { type DeliveryRow, deliveryKinds, deliveryStatuses } from '../../outbox/deliveries.table.ts'

export const deliveryList = {
  table: 'deliveries',
  columns: [
    ...['id', 'kind', 'template', 'status', 'user_id', 'recipient', 'recipient_key', 'subject', 'body_text'],
    ...[
      'body_html',
      'secret',
      'message_id',
      'attempts',
      'last_error',
      'due_ms',
      'give_up_ms',
      'body_id',
      'per_recipient',
    ],
    ...['created_at', 'updated_at', 'sent_at'],
  ],
  sorts: { id: byNumber('id'), created_at: byText('created_at'), recipient: byText('recipient_key') },
  defaultSort: '-id',
  filters: {
    kind: choiceFilter('kind', deliveryKinds),
    status: choiceFilter('status', deliveryStatuses),
    recipient: textFilter('recipient_key', sortKey),
    template: exactFilter('template'),
    from: fromFilter('created_at'),
    to: toFilter('created_at'),
  },
  includes: {},
  fromPrimary: true, // mails that somebody asked for have no event
} as const satisfies ListSpec<DeliveryRow>

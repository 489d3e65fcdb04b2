import { fragment } from '../../http/lists/fragment.ts'
import {
  byNumber,
  byText,
  choiceFilter,
  exactFilter,
  type Filter,
  fromFilter,
  type ListSpec,
  toFilter,
} from '../../http/lists/spec.ts'
import type { WebhookAttemptRow, WebhookRow } from './webhooks.table.ts'

const isFailing =
  'exists (select 1 from webhook_queues where webhook_id = webhooks.id and failing_since_ms is not null)'
const conditions: Readonly<Record<string, string>> = {
  on: `enabled = 1 and not ${isFailing}`,
  failing: `enabled = 1 and ${isFailing}`,
  off: 'enabled = 0',
}

/** How a webhook stands. */
const statusFilter: Filter = {
  ...choiceFilter('', Object.keys(conditions)),
  where: (values) => fragment(`(${values.map((value) => `(${conditions[value] ?? '1 = 0'})`).join(' or ')})`),
}

/** Attempts that were answered 2xx, or the others. */
const successFilter: Filter = {
  expects: 'true or false',
  parse: (text) => (/^(true|1)$/.test(text) ? 1 : /^(false|0)$/.test(text) ? 0 : undefined),
  where: (values) =>
    fragment(`case when status between 200 and 299 then 1 else 0 end in (${values.map(() => '?')})`, ...values),
}

export const webhookList = {
  table: 'webhooks',
  columns: ['id', 'url', 'events', 'description', 'enabled', 'disabled_reason', 'created_at', 'updated_at'],
  sorts: { id: byNumber('id'), created_at: byText('created_at') },
  defaultSort: 'id',
  filters: { status: statusFilter, from: fromFilter('created_at'), to: toFilter('created_at') },
  includes: {},
} as const satisfies ListSpec<WebhookRow>

export const attemptList = {
  table: 'webhook_attempts',
  columns: ['id', 'webhook_id', 'activity_id', 'type', 'status', 'error', 'duration_ms', 'answer', 'created_at'],
  sorts: { id: byNumber('id') },
  defaultSort: '-id',
  filters: {
    type: exactFilter('type'),
    success: successFilter,
    from: fromFilter('created_at'),
    to: toFilter('created_at'),
  },
  includes: {},
} as const satisfies ListSpec<WebhookAttemptRow>

import { byNumber, byText, exactFilter, fromFilter, type ListSpec, toFilter } from '../../http/lists/spec.ts'
import type { WebhookAttemptRow, WebhookRow } from './webhooks.table.ts'

export const webhookList = {
  table: 'webhooks',
  columns: ['id', 'url', 'events', 'description', 'enabled', 'disabled_reason', 'created_at', 'updated_at'],
  sorts: { id: byNumber('id'), created_at: byText('created_at') },
  defaultSort: 'id',
  filters: { from: fromFilter('created_at'), to: toFilter('created_at') },
  includes: {},
} as const satisfies ListSpec<WebhookRow>

export const attemptList = {
  table: 'webhook_attempts',
  columns: ['id', 'webhook_id', 'activity_id', 'type', 'status', 'error', 'duration_ms', 'answer', 'created_at'],
  sorts: { id: byNumber('id') },
  defaultSort: '-id',
  filters: {
    type: exactFilter('type'),
    from: fromFilter('created_at'),
    to: toFilter('created_at'),
  },
  includes: {},
} as const satisfies ListSpec<WebhookAttemptRow>

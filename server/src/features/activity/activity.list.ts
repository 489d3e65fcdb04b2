import { byNumber, byText, exactFilter, fromFilter, idFilter, type ListSpec, toFilter } from '../../http/lists/spec.ts'
import type { ActivityRow } from './activity.table.ts'

export const activityList = {
  table: 'activity',
  columns: [
    ...['id', 'event', 'actor_id', 'api_key_id', 'subject_type', 'subject_id', 'details'],
    ...['ip_address', 'user_agent', 'request_id', 'created_at'],
  ],
  sorts: { id: byNumber('id'), created_at: byText('created_at') },
  defaultSort: '-id',
  filters: {
    actor: idFilter('actor_id'),
    event: exactFilter('event'),
    subject_type: exactFilter('subject_type'),
    subject_id: idFilter('subject_id'),
    from: fromFilter('created_at'),
    to: toFilter('created_at'),
  },
  includes: {},
} as const satisfies ListSpec<ActivityRow>

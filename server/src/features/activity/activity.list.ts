import { byNumber, byText, fromFilter, idFilter, type ListSpec, textFilter, toFilter } from '../../http/lists/spec.ts'
import type { ActivityRow } from './activity.table.ts'

const asWritten = (text: string): string => text

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
    event: textFilter('event', asWritten, false),
    subject_type: textFilter('subject_type', asWritten, false),
    subject_id: idFilter('subject_id'),
    from: fromFilter('created_at'),
    to: toFilter('created_at'),
  },
  includes: {},
} as const satisfies ListSpec<ActivityRow>

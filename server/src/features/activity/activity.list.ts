import { isPostgres } from '../../db/dialect.ts'
import { fragment } from '../../http/lists/fragment.ts'
import {
  byNumber,
  byText,
  exactFilter,
  type Filter,
  fromFilter,
  idFilter,
  type ListSpec,
  toFilter,
} from '../../http/lists/spec.ts'
import type { ActivityRow } from './activity.table.ts'

const byType = exactFilter('subject_type')

/**
 * Most entries are about users, but SQLite assumes that few entries have any one type: it would read all of those about users
 * instead of the few of one day. A unary plus keeps it from using an index of the column (as SQLite documents).
 */
const subjectType: Filter = {
  ...byType,
  where: (values, db, names) => {
    const isRare = !values.includes('user') || names.has('subject_id')
    if (isRare || isPostgres(db)) return byType.where(values, db, names)
    return fragment(`+subject_type in (${values.map(() => '?')})`, ...values)
  },
}

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
    subject_type: subjectType,
    subject_id: idFilter('subject_id'),
    request_id: exactFilter('request_id'),
    from: fromFilter('created_at'),
    to: toFilter('created_at'),
  },
  includes: {},
} as const satisfies ListSpec<ActivityRow>

import { byNumber, byText, choiceFilter, exactFilter, idFilter, type ListSpec } from '../../http/lists/spec.ts'
import { type JobErrorRow, type JobRow, jobStatuses, jobTypes } from './jobs.table.ts'

export const jobList = {
  table: 'jobs',
  columns: [
    ...['id', 'type', 'status', 'dry_run', 'total', 'done', 'created', 'updated', 'skipped', 'failed', 'options'],
    ...['message', 'undone_by', 'created_by', 'created_at', 'started_at', 'finished_at'],
  ],
  sorts: { id: byNumber('id'), created_at: byText('created_at') },
  defaultSort: '-id',
  filters: {
    type: choiceFilter('type', jobTypes),
    status: choiceFilter('status', jobStatuses),
    created_by: idFilter('created_by'),
  },
  includes: {},
} as const satisfies ListSpec<JobRow>

export const jobErrorList = {
  table: 'job_errors',
  columns: ['id', 'line', 'field', 'code', 'message'],
  sorts: { id: byNumber('id') },
  defaultSort: 'id',
  filters: {
    code: exactFilter('code'),
    field: exactFilter('field'),
  },
  includes: {},
} as const satisfies ListSpec<JobErrorRow>

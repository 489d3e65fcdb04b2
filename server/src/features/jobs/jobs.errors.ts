import { defineErrors } from '../../core/errors.ts'

export const jobErrors = defineErrors({
  job_finished: [409, 'This job has ended already.'],
  job_author_gone: [403, 'The author of this job was deleted or banned.'],
  job_key_revoked: [403, 'The API key that started this job was revoked.'],
  job_key_expired: [403, 'The API key that started this job has expired.'],
  job_key_limited: [403, 'The API key that started this job has lost a permission.'],
  job_session_ended: [403, 'The session that started this job was ended.'],
  job_author_demoted: [403, 'The author of this job has lost a permission.'],
  job_role_gone: [409, 'This role was deleted.'],
  job_restored: [409, 'A backup was made while this job was under way, and was restored.'],
  job_failed: [500, 'The job failed because of an error on the server. What it had done before stays.'],
})

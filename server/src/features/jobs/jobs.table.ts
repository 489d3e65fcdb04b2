import { type Generated, type Selectable, type SqlBool, sql } from 'kysely'
import type { UserStatus } from '../accounts/users.table.ts'

export type JobType = 'users.import' | 'users.bulk' | 'users.undo'
export type JobStatus = 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
export const jobStatuses: readonly JobStatus[] = ['queued', 'running', 'done', 'failed', 'cancelled']
export const jobTypes: readonly JobType[] = ['users.import', 'users.bulk', 'users.undo']

/** In the words of the index `jobs_waiting`: with parameters it would not be used. */
export const isWaiting = sql<SqlBool>`status in ('queued', 'running')`

export interface JobsTable {
  id: Generated<number>
  type: JobType
  status: JobStatus
  dry_run: number
  /** How many rows or users there are; null if unknown. */
  total: number | null
  done: Generated<number>
  created: Generated<number>
  updated: Generated<number>
  skipped: Generated<number>
  failed: Generated<number>
  /** What was asked for, as JSON. */
  options: string
  /** Where the job goes on, as JSON; null at its start. */
  position: string | null
  /** The permissions that its author had, as JSON: with fewer of them it fails. */
  held: string
  /** The scope that the author's API key had, as JSON: the job never has more. */
  scope: string
  /** Null for the command line. */
  created_by: number | null
  api_key_id: number | null
  /** The session that started it; null for an API key and the command line. */
  session_id: string | null
  ip_address: string | null
  user_agent: string | null
  request_id: string | null
  /** Why it failed. A restore sets it for jobs that have not ended, and the runner then ends them. */
  message: string | null
  /** The job that took it back. */
  undone_by: number | null
  /** Who runs it, and until when nobody else may take it over. */
  claim: string | null
  lease_ms: Generated<number>
  /** When the row changed last, for the stream. */
  changed_ms: number
  created_at: string
  started_at: string | null
  finished_at: string | null
}
export type JobRow = Selectable<JobsTable>

/** What is wrong with a line of a file, or with the whole job (without a line). */
export interface JobErrorsTable {
  id: Generated<number>
  job_id: number
  line: number | null
  field: string | null
  code: string
  message: string
}
export type JobErrorRow = Selectable<JobErrorsTable>

/** What a bulk action replaced, to take it back. */
export interface JobChangesTable {
  job_id: number
  user_id: number
  status: UserStatus
  role_id: number
}

/** Users as a dry run would have left them: later lines of the file are compared with them. */
export interface JobDraftsTable {
  job_id: number
  email_canonical: string
  username_canonical: string | null
  state: string
}

/** A file that a job reads, in parts, where nodes share a database and nothing else. */
export interface UploadsTable {
  name: string
  part: number
  bytes: Buffer
  created_ms: number
}

import type { Generated, Selectable } from 'kysely'

export interface ActivityTable {
  id: Generated<number>
  /** What happened, e.g. `user.banned`. */
  event: string
  /** The acting user; null for the command line and the system. */
  actor_id: number | null
  api_key_id: number | null
  subject_type: string
  subject_id: number | null
  /** JSON object. Never a secret or a personal value, because it outlives the account. */
  details: string | null
  ip_address: string | null
  user_agent: string | null
  request_id: string | null
  created_at: string
}

export type ActivityRow = Selectable<ActivityTable>

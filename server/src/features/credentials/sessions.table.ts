import type { Generated, Selectable } from 'kysely'

export interface SessionsTable {
  /** The id that lists show; not the credential. */
  id: string
  user_id: number
  /** SHA-256 of the login token, base64url. */
  token_hash: string
  ip_address: string | null
  user_agent: string | null
  browser: string | null
  platform: string | null
  device: string | null
  last_activity: string
  created_at: string
  /** When the user last proved their identity in it: at sign-in, or since. */
  proved_ms: Generated<number>
}

export type SessionRow = Selectable<SessionsTable>

import type { Generated, Selectable } from 'kysely'

export interface ApiKeysTable {
  id: Generated<number>
  user_id: number
  name: string
  name_key: string
  /** SHA-256 of the whole key, base64url. The key itself is not stored. */
  key_hash: string
  /** The first eight characters, which identify the key to people; null for keys created before it was stored. */
  prefix: string | null
  /** JSON array of permission names; null for all of the owner's permissions. */
  permissions: string | null
  expires_at: string | null
  last_used_at: string | null
  created_at: string
  updated_at: string
}

export type ApiKeyRow = Selectable<ApiKeysTable>

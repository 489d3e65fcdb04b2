import type { Generated, Selectable } from 'kysely'

export interface ApiKeysTable {
  id: Generated<number>
  user_id: number
  name: string
  name_key: string
  /** SHA-256 of the whole key, base64url. The key itself is nowhere. */
  key_hash: string
  /** Its first eight characters, by which people know it; null for keys made before 0.2. */
  prefix: string | null
  /** JSON array of permission names; null for all of the owner's. */
  permissions: string | null
  expires_at: string | null
  last_used_at: string | null
  created_at: string
  updated_at: string
}

export type ApiKeyRow = Selectable<ApiKeysTable>

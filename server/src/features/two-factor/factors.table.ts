import type { Generated, Selectable } from 'kysely'

export type FactorType = 'sms' | 'totp' | 'passkey'

export interface FactorsTable {
  id: Generated<number>
  user_id: number
  type: FactorType
  /** What the user calls it; empty for SMS. */
  name: string
  /** 0 while it is pending, else 1. Only verified factors are asked for. */
  verified: number
  /** SMS: JSON with the verified number. App: the sealed secret. Passkey: JSON with the public key. */
  secret: string | null
  /** The id of a passkey, base64url. */
  credential_id: string | null
  /** The signature counter of a passkey. */
  counter: Generated<number>
  /** How many codes were tried to verify it. */
  tries: Generated<number>
  created_at: string
  last_used_at: string | null
}

export type FactorRow = Selectable<FactorsTable>

export interface RecoveryCodesTable {
  user_id: number
  /** Argon2id of the code with the salt of the set, base64url. */
  code_hash: string
  salt: string
}

/** The time steps whose code was used, so that each code works once. */
export interface TotpStepsTable {
  factor_id: number
  step: number
  expires_ms: number
}

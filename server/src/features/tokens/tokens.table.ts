import type { Selectable } from 'kysely'

/** The purpose of a token. A token is valid for one purpose only. */
export type TokenPurpose =
  | 'email_verification'
  | 'email_change'
  | 'password_reset'
  | 'login_challenge'
  | 'two_factor_enrolment'
  | 'passkey_enrolment'
  | 'reauthentication'
  | 'secure_account'
  | 'invitation'

export interface TokensTable {
  /** SHA-256 of the token, base64url. */
  token_hash: string
  purpose: TokenPurpose
  user_id: number
  /** For a short code that belongs to the token: its hash. */
  code_hash: string | null
  /** How many codes were tried. */
  tries: number
  /** What the token is bound to, e.g. the address it was sent to. */
  data: string | null
  created_ms: number
  expires_ms: number
}

export type TokenRow = Selectable<TokensTable>

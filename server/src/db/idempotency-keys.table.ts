/** The requests that came with an `Idempotency-Key`, for 24 hours. */
export interface IdempotencyKeysTable {
  /** SHA-256 of the credential, or of a stranger's network and route. */
  caller_hash: string
  /** SHA-256 of the header's value. */
  key_hash: string
  /** The request that holds the key now: a random id. */
  claim: string
  /** What was asked: a digest of address and body, sealed, for a bare digest would let passwords be guessed. */
  request: string
  /** Whether a transaction of the request is committed. */
  changed: number
  /** The stored answer, sealed; null while there is none. */
  answer: string | null
  /** Until then the request counts as running; epoch milliseconds. */
  lease_until_ms: number
  expires_ms: number
}

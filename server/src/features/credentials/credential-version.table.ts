export interface CredentialVersionTable {
  /** Changes with everything that authentication depends on; triggers update it (migration 0004). */
  version: number
}

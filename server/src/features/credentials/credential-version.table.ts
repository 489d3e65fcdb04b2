export interface CredentialVersionTable {
  /** Changes with everything that decides about credentials; triggers see to it (migration 0004). */
  version: number
}

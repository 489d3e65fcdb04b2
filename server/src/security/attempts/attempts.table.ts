import type { Generated } from 'kysely'

/** Attempts within a window, shared by all nodes and kept across restarts. */
export interface AttemptsTable {
  name: string
  count: number
  /** Attempts in progress. Each will be added to the count or released. */
  reserved: Generated<number>
  expires_ms: number
}

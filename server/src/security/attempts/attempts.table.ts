import type { Generated } from 'kysely'

/** How often something was tried within a window; shared by all nodes, and it survives a restart. */
export interface AttemptsTable {
  name: string
  count: number
  /** Attempts that are being looked at; each of them becomes part of the count, or leaves no trace. */
  reserved: Generated<number>
  expires_ms: number
}

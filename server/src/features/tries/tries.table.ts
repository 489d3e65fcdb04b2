/** How often something was tried within a window; shared by all nodes, and it survives a restart. */
export interface TriesTable {
  name: string
  count: number
  expires_ms: number
}

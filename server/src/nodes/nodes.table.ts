/** The nodes that run on this database. */
export interface NodesTable {
  /** Random for each start. */
  id: string
  host: string
  process: number
  version: string
  started_at: string
  /** The database's time of the last sign of life, epoch milliseconds. */
  seen_ms: number
}

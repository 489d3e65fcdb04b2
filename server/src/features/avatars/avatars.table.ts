/**
 * Pictures in storage that it may be time to remove. A key is noted in the transaction that gives the picture up, and before
 * a new one is written, so that neither a failure nor a kill leaves a file that nobody knows of.
 */
export interface UnusedAvatarsTable {
  key: string
  since_ms: number
}

/**
 * Pictures in storage that may have to be removed. A key is noted in the transaction that gives the picture up and before a
 * new one is written, so that neither a failure nor a kill leaves an untracked file.
 */
export interface UnusedAvatarsTable {
  key: string
  since_ms: number
  /** Random; null while the files are being removed. What is written after a removal has another one. */
  generation: string | null
}

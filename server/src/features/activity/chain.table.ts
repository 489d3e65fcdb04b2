/** Rows of the audit log that have no place in the order yet. Written with the row; removed by the sequencer. */
export interface ActivityPendingTable {
  activity_id: number
  /** When the row is final, epoch milliseconds. */
  due_ms: number
  /** The user whom the event is about, as the change left them: the columns of `shownColumns`, JSON. Goes with the user. */
  user: string | null
}

/** The order of the audit log and its hash chain. A position is given once, and only after the row was committed. */
export interface ActivityChainTable {
  /** From 1, without gaps. */
  position: number
  activity_id: number
  /** See `chain.ts`. */
  hash: string
  /** The signature of a row that retention removed; null while the row is there. */
  retired: string | null
  /** As in `activity_pending`. */
  user: string | null
}

/** Signed places in the chain. */
export interface ActivityMarksTable {
  /** `head`: the last link. `anchor`: the last link of those that retention removed from the start. */
  name: 'head' | 'anchor'
  position: number
  hash: string
  /** Made with the secret key; null before the first start. */
  signature: string | null
}

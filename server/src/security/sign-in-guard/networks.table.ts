/** The networks that a user signed in from, those that were used last. */
export interface SignInNetworksTable {
  user_id: number
  /** A hash of the user and the network, so that the table is no list of addresses. */
  network_hash: string
  last_used_ms: number
}

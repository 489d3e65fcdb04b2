/** The networks that a user has recently signed in from. */
export interface SignInNetworksTable {
  user_id: number
  /** A hash of the user and the network, so that the table does not list addresses. */
  network_hash: string
  last_used_ms: number
}

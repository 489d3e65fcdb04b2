/** The pairs of network and browser that a user has recently signed in with. */
export interface SignInClientsTable {
  user_id: number
  /** A hash of the user, the network and the browser. */
  client_hash: string
  last_used_ms: number
}

/** The other processes of this service on this machine (GATEHOUSE_PROCESSES). */
export interface Siblings {
  readonly count: number
  /** Sends data to all of them. */
  readonly tell: (topic: string, data: unknown) => void
  /** Calls `listen` with what one of them tells. */
  readonly hear: (topic: string, listen: (data: never) => void) => void
}

export const noSiblings: Siblings = { count: 0, tell: () => {}, hear: () => {} }

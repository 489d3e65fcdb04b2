import type { ReadDb } from './database.ts'

export interface ReplicaState {
  readonly host: string
  /** Infinite while it is not known. */
  readonly lagSeconds: number
  readonly isUsed: boolean
}

/** Copies of the database that lists, searches, exports and numbers are read from. */
export interface Replicas {
  /** A replica that has all that the user has changed, or else the database itself. */
  readonly choose: (userId: number | null) => Promise<ReadDb>
  /** Runs a read on it, and on the database itself where the replica fails. */
  readonly read: <T>(userId: number | null, work: (db: ReadDb) => Promise<T>) => Promise<T>
  readonly states: () => readonly ReplicaState[]
  readonly stop: () => Promise<void>
}

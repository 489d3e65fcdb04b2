import type { Database, Statement } from 'better-sqlite3'
import type { Running } from '../running.ts'
import { WriteLock } from './lock.ts'

const limits = { size: 64, ageMs: 5 }

/** Transactions that are committed together. */
interface Group {
  size: number
  readonly begunMs: number
  /** Releases the lock of the file. */
  readonly release: () => void
  /** Settles when the group is on disk, or lost. */
  readonly committed: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Ends a transaction; does nothing the second time. Resolves when its group is committed, even after a rollback: what that
 * transaction read may not be on disk before. Rejects with the error of a commit that failed, or with SQLITE_IOERR_GROUP where
 * another transaction took the whole group down: the same work can be done again then.
 */
export type End = (how: 'commit' | 'rollback') => Promise<void>

const statements = {
  begin: 'begin immediate',
  commit: 'commit',
  rollback: 'rollback',
  enter: 'savepoint member',
  leave: 'release member',
  undo: 'rollback to member',
} as const

/**
 * The transactions of a connection that writes, one after the other. Those that run in one turn of the event loop share one
 * transaction of SQLite, and so one sync of the disk; each is a savepoint in it, except the first. None of them is done before
 * that is committed, and a crash loses all of them or none. A group ends with the turn, after 5 ms, or with 64 transactions.
 */
export class GroupCommit {
  readonly #db: Database
  readonly #run: Record<keyof typeof statements, Statement>
  readonly #onCommit: () => void
  readonly #turn = new WriteLock()
  readonly #file: WriteLock
  readonly #limits: typeof limits
  #group: Group | undefined
  /** True while a transaction runs. */
  #isBusy = false
  /** True when the turn of the event loop is over while a transaction runs: the group ends with it. */
  #isDue = false

  /** `onCommit` is called after each commit, before anybody hears of it. */
  constructor(db: Database, path: string, onCommit: () => void, ends = limits) {
    this.#db = db
    this.#file = WriteLock.of(path)
    this.#onCommit = onCommit
    this.#limits = ends
    const prepared = Object.entries(statements).map(([name, sql]) => [name, db.prepare(sql)])
    this.#run = Object.fromEntries(prepared)
  }

  /** Begins a transaction when it is its turn; returns what ends it. Rejects with the code SQLITE_BUSY after 5 s. */
  async begin(who: Running | undefined): Promise<End> {
    const endTurn = await this.#turn.acquire(who)
    try {
      this.#group ??= await this.#open(who)
      if (this.#group.size > 0) this.#run.enter.run()
    } catch (error) {
      endTurn()
      throw error
    }
    const group = this.#group
    group.size++
    this.#isBusy = true
    let hasEnded = false
    return async (how) => {
      if (hasEnded) return
      hasEnded = true
      this.#end(group, how)
      endTurn()
      await (how === 'commit' ? group.committed : group.committed.catch(() => {}))
    }
  }

  /** Commits what waits, so that the connection can be closed. */
  close(): void {
    this.#commitIfIdle()
  }

  async #open(who: Running | undefined): Promise<Group> {
    const release = await this.#file.acquire(who)
    try {
      this.#run.begin.run()
    } catch (error) {
      release()
      throw error
    }
    const { promise: committed, resolve, reject } = Promise.withResolvers<void>()
    committed.catch(() => {}) // where every member was rolled back, nobody listens
    const group: Group = { size: 0, begunMs: performance.now(), release, committed, resolve, reject }
    this.#isDue = false
    setImmediate(() => {
      if (this.#group !== group) return
      this.#isDue = true
      this.#commitIfIdle()
    })
    return group
  }

  #end(group: Group, how: 'commit' | 'rollback'): void {
    this.#isBusy = false
    try {
      this.#leave(group, how)
      const isFull = group.size >= this.#limits.size || performance.now() - group.begunMs >= this.#limits.ageMs
      if (isFull || this.#isDue || !this.#db.inTransaction) this.#commit(group)
    } catch (error) {
      this.#fail(group, error)
    }
  }

  #commitIfIdle(): void {
    const group = this.#group
    if (group === undefined || this.#isBusy) return
    try {
      this.#commit(group)
    } catch (error) {
      this.#fail(group, error)
    }
  }

  #leave(group: Group, how: 'commit' | 'rollback'): void {
    // SQLite rolls everything back by itself where the disk fails it.
    if (!this.#db.inTransaction && (how === 'commit' || group.size > 1)) throw lostGroup()
    if (how === 'rollback') {
      if (group.size > 1) this.#run.undo.run()
      else if (this.#db.inTransaction) this.#run.rollback.run()
    }
    if (group.size > 1) this.#run.leave.run()
  }

  #commit(group: Group): void {
    if (this.#db.inTransaction) this.#run.commit.run()
    this.#group = undefined
    this.#onCommit()
    group.resolve()
    group.release()
  }

  #fail(group: Group, error: unknown): void {
    if (this.#db.inTransaction) this.#run.rollback.run()
    this.#group = undefined
    group.reject(error)
    group.release()
  }
}

const lostGroup = (): Error =>
  Object.assign(new Error('a transaction was lost with another one of its group, which the disk failed'), {
    code: 'SQLITE_IOERR_GROUP',
  })

import type { Database, Statement } from 'better-sqlite3'
import { noted } from '../errors-seen.ts'
import type { Running } from '../running.ts'
import { maxWaitMs, WriteLock } from './lock.ts'

const limits = { size: 64, ageMs: 5 }
/** How often it is tried to begin while another process writes. */
const pollMs = 5

/** Transactions that are committed together. */
interface Group {
  size: number
  readonly begunMs: number
  /** Releases the lock of the file. */
  readonly release: () => void
  /** Settles when the group is on the disk, or lost. */
  readonly committed: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Ends a transaction; a second call does nothing. Resolves when the group is committed, even after a rollback, because the
 * transaction may have read data that is not on disk until then. Rejects with the error of a failed commit, or with
 * SQLITE_IOERR_GROUP if another transaction brought down the whole group; the same work can then be done again.
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

export interface GroupOptions {
  /** Called after each commit, before the transactions resolve: others can read what they wrote. */
  readonly onCommit?: () => void
  /** Brings to the disk what was committed; without it, a commit is expected to do so itself. */
  readonly sync?: () => Promise<void>
  readonly limits?: typeof limits
}

/**
 * Runs the write transactions of a connection one after another. Those of one turn of the event loop form a group: they share
 * one SQLite transaction, and so one sync of the disk, and each except the first is a savepoint in it. None of them is done
 * until the group is on the disk, and a crash loses all of them or none. A group ends with the turn, after 5 ms, or at 64
 * transactions; but while the group before it is brought to the disk, it waits, and grows.
 */
export class GroupCommit {
  readonly #db: Database
  readonly #run: Record<keyof typeof statements, Statement>
  /** How many rows this connection has changed since it was opened. */
  readonly #countChanges: Statement
  readonly #onCommit: () => void
  readonly #sync: (() => Promise<void>) | undefined
  readonly #turn = new WriteLock()
  readonly #file: WriteLock
  readonly #limits: typeof limits
  #group: Group | undefined
  /** What `#countChanges` said when the last sync began. */
  #changesSynced = 0
  /** Of the group that was committed last. */
  #syncing: Promise<void> | undefined
  /** After a failed sync nobody knows what is on the disk, and a second one would not tell (fsync(2), Notes): nothing more is written. */
  #failedSync: Error | undefined
  /** True while a transaction runs. */
  #isBusy = false
  /** True if the turn of the event loop ended while a transaction was running: the group is committed after it. */
  #isDue = false

  constructor(db: Database, path: string, options: GroupOptions = {}) {
    this.#db = db
    db.pragma('busy_timeout = 0') // SQLite would wait for other processes on the event loop
    this.#file = WriteLock.of(path)
    this.#onCommit = options.onCommit ?? (() => {})
    this.#sync = options.sync
    this.#limits = options.limits ?? limits
    this.#countChanges = db.prepare('select total_changes()').pluck()
    const prepared = Object.entries(statements).map(([name, sql]) => [name, db.prepare(sql)])
    this.#run = Object.fromEntries(prepared)
  }

  /**
   * Waits for its turn and begins a transaction; returns the function that ends it. Rejects with the code SQLITE_BUSY after 5 s,
   * and with SQLITE_IOERR_FSYNC after a failed sync.
   */
  async begin(who: Running | undefined): Promise<End> {
    const deadlineMs = performance.now() + maxWaitMs
    const endTurn = await this.#turn.acquire(who)
    try {
      if (this.#failedSync !== undefined) throw this.#failedSync
      this.#group ??= await this.#open(who, deadlineMs)
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

  /** Commits the open group and waits for the disk, so that the connection can be closed. */
  async close(): Promise<void> {
    this.#commitIfIdle()
    while (this.#syncing !== undefined) await this.#syncing.catch(() => {})
  }

  async #open(who: Running | undefined, deadlineMs: number): Promise<Group> {
    const release = await this.#file.acquire(who, deadlineMs - performance.now())
    try {
      while (!this.#tryBegin()) {
        if (performance.now() >= deadlineMs) throw noted(heldElsewhere())
        await new Promise((done) => setTimeout(done, pollMs))
      }
    } catch (error) {
      release()
      throw error
    }
    const { promise: committed, resolve, reject } = Promise.withResolvers<void>()
    committed.catch(() => {}) // if every member rolls back, nobody handles it
    const group: Group = { size: 0, begunMs: performance.now(), release, committed, resolve, reject }
    this.#isDue = false
    setImmediate(() => {
      if (this.#group !== group) return
      this.#isDue = true
      this.#commitIfIdle()
    })
    return group
  }

  /** False while another process writes. */
  #tryBegin(): boolean {
    try {
      this.#run.begin.run()
      return true
    } catch (error) {
      if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return false
      throw error
    }
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
    // On a disk error SQLite itself rolls everything back.
    if (!this.#db.inTransaction && (how === 'commit' || group.size > 1)) throw lostGroup()
    if (how === 'rollback') {
      if (group.size > 1) this.#run.undo.run()
      else if (this.#db.inTransaction) this.#run.rollback.run()
    }
    if (group.size > 1) this.#run.leave.run()
  }

  #commit(group: Group): void {
    if (this.#failedSync !== undefined) throw this.#failedSync
    const isOpen = this.#db.inTransaction
    if (isOpen && this.#syncing !== undefined) {
      this.#isDue = true // when the disk is ready
      return
    }
    if (isOpen) this.#run.commit.run()
    this.#group = undefined
    this.#onCommit()
    if (isOpen && this.#sync !== undefined) this.#startSync(this.#sync)
    if (this.#syncing === undefined) group.resolve()
    else this.#syncing.then(group.resolve, group.reject)
    group.release()
  }

  #startSync(sync: () => Promise<void>): void {
    const changes = this.#countChanges.get() as number
    if (changes === this.#changesSynced) return // those that only looked
    this.#changesSynced = changes
    const syncing = sync().catch((cause) => {
      const message = 'what was committed could not be brought to the disk: restart Gatehouse when the disk works again'
      this.#failedSync = Object.assign(new Error(message, { cause }), { code: 'SQLITE_IOERR_FSYNC' })
      throw this.#failedSync
    })
    this.#syncing = syncing
    const goOn = () => {
      this.#syncing = undefined
      if (this.#isDue) this.#commitIfIdle()
    }
    syncing.then(goOn, goOn)
  }

  #fail(group: Group, error: unknown): void {
    if (this.#db.inTransaction) this.#run.rollback.run()
    this.#group = undefined
    group.reject(noted(error))
    group.release()
  }
}

const lostGroup = (): Error =>
  Object.assign(new Error('the transaction was lost because another one of its group hit a disk error'), {
    code: 'SQLITE_IOERR_GROUP',
  })

const heldElsewhere = (): Error =>
  Object.assign(new Error(`another process has held the write lock of the database for ${maxWaitMs / 1000} s`), {
    code: 'SQLITE_BUSY',
  })

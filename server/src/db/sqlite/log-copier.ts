import type { Database, Statement } from 'better-sqlite3'
import { WriteLock } from './lock.ts'
import { WriterThread } from './writer-thread.ts'

/** About how many pages the log grows between two copies, as SQLite has it. */
const pagesPerCopy = 1_000
const fewestChanges = 250
const mostChanges = 5_000
/** A log of this many pages is copied to its end while writers wait, so that SQLite begins it again. */
const longPages = 4_000
/** With this many pages, the commits of the event loop copy it: the thread cannot. */
export const pagesBeforeOwnCopy = 16_000
const idleMs = 10_000

/**
 * Copies the log (WAL) to the database on a thread. SQLite itself does it within a commit that finds 1,000 pages there,
 * which waits for the disk twice and stops the event loop meanwhile.
 */
export class LogCopier {
  readonly #path: string
  readonly #countChanges: Statement
  #changesPerCopy = fewestChanges
  /** When the log was copied last: the rows that had been changed, and its length. */
  #changes = 0
  #pages = 0
  #copying: Promise<void> | undefined
  #thread: WriterThread | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(db: Database, path: string) {
    this.#path = path
    this.#countChanges = db.prepare('select total_changes()').pluck()
    db.pragma(`wal_autocheckpoint = ${pagesBeforeOwnCopy}`)
  }

  /** Called after each commit. */
  note(): void {
    if (this.#copying !== undefined || this.#changesSince() < this.#changesPerCopy) return
    this.#copying = this.#copy()
      .catch(() => {}) // the disk is full, say: a later copy takes all of it
      .finally(() => {
        this.#copying = undefined
      })
  }

  async close(): Promise<void> {
    await this.#copying
    await this.#end()
  }

  #changesSince(): number {
    return (this.#countChanges.get() as number) - this.#changes
  }

  async #copy(): Promise<void> {
    const pages = await this.#ask()
    const changes = this.#changesSince()
    this.#changes += changes
    if (pages < 0) return // the thread of jobs is copying it
    const grown = pages > this.#pages ? pages - this.#pages : pages
    this.#changesPerCopy = Math.min(mostChanges, Math.max(fewestChanges, (changes * pagesPerCopy) / Math.max(1, grown)))
    this.#pages = pages
    // SQLite begins a log again once all of it is copied, which writers prevent that never rest.
    if (pages < longPages) return
    const release = await WriteLock.of(this.#path).acquire(undefined)
    try {
      await this.#ask()
    } finally {
      release()
    }
  }

  /** Copies what is there, without waiting for anybody; returns how many pages the log has, -1 where another one copies it. */
  async #ask(): Promise<number> {
    clearTimeout(this.#idle)
    if (this.#thread === undefined || this.#thread.isGone) this.#thread = new WriterThread(this.#path)
    const { rows } = await this.#thread.ask('pragma wal_checkpoint(passive)')
    this.#idle = setTimeout(() => this.#end(), idleMs).unref()
    return (rows[0] as { log: number }).log
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle)
    const thread = this.#thread
    this.#thread = undefined
    await thread?.end()
  }
}

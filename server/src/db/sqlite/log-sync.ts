import { close, fdatasync, openSync, realpathSync } from 'node:fs'
import { promisify } from 'node:util'

const sync = promisify(fdatasync)

/**
 * Brings the log (WAL) of a database to the disk on the thread pool. With `synchronous = NORMAL` SQLite writes a commit into
 * the log and leaves the rest to the system; after this sync it is as durable as one with FULL, which syncs the same file
 * within the commit (SQLite, PRAGMA synchronous; wal.c), but stops the event loop meanwhile.
 */
export class LogSync {
  readonly #path: string
  #file: number | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Rejects with the system's error, e.g. EIO. */
  async run(): Promise<void> {
    // SQLite keeps the log beside the file that a link names, as long as a connection is open.
    this.#file ??= openSync(`${realpathSync(this.#path)}-wal`, 'r+')
    await sync(this.#file)
  }

  close(): void {
    if (this.#file !== undefined) close(this.#file)
    this.#file = undefined
  }
}

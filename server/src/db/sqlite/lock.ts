import { resolve } from 'node:path'
import type { Running } from '../running.ts'

/** The longest that a writer waits for its turn. */
export const maxWaitMs = 5_000

interface Waiter {
  readonly who: Running | undefined
  readonly take: () => void
}

const locks = new Map<string, WriteLock>()

/** The lock of SQLite's writers, first come, first served. After 5 s of waiting the error names the holder. */
export class WriteLock {
  /**
   * The lock of a database file, shared by all its connections in this process. Waiting inside SQLite instead would block the
   * event loop, and so the holder of the lock.
   */
  static of(path: string): WriteLock {
    const file = resolve(path)
    const lock = locks.get(file) ?? new WriteLock()
    locks.set(file, lock)
    return lock
  }

  readonly #waiting: Waiter[] = []
  #isHeld = false
  #holder: Running | undefined
  #heldSinceMs = 0

  /** True while somebody waits for it. */
  get isAwaited(): boolean {
    return this.#waiting.length > 0
  }

  /** Resolves with a function that releases the lock; rejects with the code SQLITE_BUSY after `withinMs`. */
  acquire(who: Running | undefined, withinMs: number = maxWaitMs): Promise<() => void> {
    return new Promise((taken, reject) => {
      if (!this.#isHeld) {
        taken(this.#give(who))
        return
      }
      const waiter: Waiter = {
        who,
        take: () => {
          clearTimeout(timer)
          taken(this.#give(who))
        },
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        reject(this.#busy())
      }, withinMs)
      this.#waiting.push(waiter)
    })
  }

  #give(who: Running | undefined): () => void {
    this.#isHeld = true
    this.#holder = who
    this.#heldSinceMs = performance.now()
    return () => {
      this.#isHeld = false
      this.#holder = undefined
      this.#waiting.shift()?.take()
    }
  }

  #busy(): Error {
    const seconds = ((performance.now() - this.#heldSinceMs) / 1000).toFixed(1)
    const holder =
      this.#holder === undefined ? 'a single statement' : `the transaction begun at ${this.#holder.begunAt()}`
    const message = `the write lock was not free within ${maxWaitMs / 1000} s: ${holder} has held it for ${seconds} s`
    return Object.assign(new Error(message), { code: 'SQLITE_BUSY' })
  }
}

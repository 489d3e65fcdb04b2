import { Worker } from 'node:worker_threads'
import { fromThreadFailure, type ThreadFailure } from './thread-failure.ts'

/** A statement for the thread, and its answer. */
export interface WriteQuestion {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** The parameters of each run of a statement that is run many times. */
  readonly runs?: readonly (readonly unknown[])[] | undefined
}
export interface WriteResult {
  readonly rows: unknown[]
  /** How many rows it changed; undefined for a statement that returns rows. */
  readonly changes: number | undefined
}
export type WriteAnswer = WriteResult | { readonly error: ThreadFailure }

interface Waiter {
  readonly resolve: (result: WriteResult) => void
  readonly reject: (error: Error) => void
}

/** A thread with one connection that writes. It answers in the order in which it was asked. */
export class WriterThread {
  readonly #worker: Worker
  readonly #waiting: Waiter[] = []
  #reasonGone: string | undefined

  /** The thread does not keep the process alive while it has nothing to do. */
  constructor(path: string) {
    this.#worker = new Worker(new URL('./writer-worker.ts', import.meta.url), { workerData: path })
    this.#worker.unref()
    this.#worker.on('message', (answer: WriteAnswer) => {
      const waiter = this.#waiting.shift()
      if (this.#waiting.length === 0) this.#worker.unref()
      if ('error' in answer) waiter?.reject(fromThreadFailure(answer.error))
      else waiter?.resolve(answer)
    })
    this.#worker.on('error', (error) => this.#giveUp(String(error)))
    this.#worker.on('exit', (code) => this.#giveUp(`exit ${code}`))
  }

  get isGone(): boolean {
    return this.#reasonGone !== undefined
  }

  /** Rejects with SQLite's code; what was asked of a thread that has ended is lost, with its transaction. */
  ask(sql: string, parameters: readonly unknown[] = [], runs?: WriteQuestion['runs']): Promise<WriteResult> {
    return new Promise((resolve, reject) => {
      if (this.#reasonGone !== undefined) return reject(this.#gone())
      this.#worker.postMessage({ sql, parameters, runs } satisfies WriteQuestion) // first: it throws what cannot be sent
      this.#waiting.push({ resolve, reject })
      this.#worker.ref()
    })
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #gone(): Error {
    const message = `the thread that writes to the database ended: ${this.#reasonGone}`
    return fromThreadFailure({ message, code: 'SQLITE_CANTOPEN' })
  }

  #giveUp(reason: string): void {
    this.#reasonGone ??= reason
    for (const { reject } of this.#waiting.splice(0)) reject(this.#gone())
  }
}

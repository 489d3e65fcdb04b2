import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { collectGarbage } from '../../core/garbage.ts'
import type { RendererSource } from '../text-stream.ts'

/** What the worker is started with, and what it sends: a piece of text in UTF-8, or null at the end. */
export interface StreamTask {
  readonly path: string
  readonly sql: string
  readonly parameters: readonly unknown[]
  readonly renderer: RendererSource
}
export type Piece = Uint8Array | null

/** V8 does not see how large these few objects are, and would keep some 30 MB of pieces that were sent. */
const piecesBetweenCollections = 16

/**
 * The text of all rows of a query, made by a thread with a connection of its own. The query is one statement, so that it sees
 * one state of the database however long it takes. A piece is made while the one before is sent, and no more.
 */
export async function* streamText(task: StreamTask): AsyncGenerator<Uint8Array> {
  const worker = new Worker(new URL('./text-stream-worker.ts', import.meta.url), { workerData: task })
  let count = 0
  try {
    // What the worker sends while nobody waits is kept.
    for await (const [piece] of on(worker, 'message', { close: ['exit'] }) as AsyncIterable<[Piece]>) {
      if (piece === null) return
      if (++count % piecesBetweenCollections === 0) collectGarbage({ type: 'minor' })
      worker.postMessage('next')
      yield piece
    }
    throw new Error('the thread of a download ended')
  } finally {
    await worker.terminate()
  }
}

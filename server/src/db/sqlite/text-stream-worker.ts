import { once } from 'node:events'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { loadRenderer, Pieces } from '../text-stream.ts'
import { openReader } from './statements.ts'
import type { Piece, StreamTask } from './text-stream.ts'
import { lowerPriority } from './thread-priority.ts'

lowerPriority()

const port = parentPort as MessagePort
const { path, sql, parameters, renderer } = workerData as StreamTask
const render = await loadRenderer(renderer)
const db = openReader(path)
const rows = db.prepare(sql).iterate(...parameters) as IterableIterator<Record<string, unknown>>

/** One piece may wait to be taken. */
let taken: Promise<unknown> = Promise.resolve()
async function send(piece: Uint8Array): Promise<void> {
  await taken
  taken = once(port, 'message')
  port.postMessage(piece satisfies Piece, [piece.buffer as ArrayBuffer]) // handed over, not copied
}

const pieces = new Pieces()
for (const row of rows) {
  const full = pieces.add(render(row))
  if (full !== undefined) await send(full)
}
const last = pieces.take()
if (last.length > 0) await send(last)
await taken
port.postMessage(null satisfies Piece)
db.close()
port.close()

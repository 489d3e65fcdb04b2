import { once } from 'node:events'
import { setPriority } from 'node:os'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { loadRenderer, pieceLength } from '../text-stream.ts'
import { openReader } from './statements.ts'
import type { Piece, StreamTask } from './text-stream.ts'

// On Linux this lowers the priority of this thread alone, so that short work goes first. Elsewhere it would affect the whole process.
if (process.platform === 'linux') setPriority(0, 5)

const port = parentPort as MessagePort
const { path, sql, parameters, renderer } = workerData as StreamTask
const render = await loadRenderer(renderer)
const db = openReader(path)
const rows = db
  .prepare(sql)
  .raw()
  .iterate(...parameters) as IterableIterator<unknown[]>

/** One piece may wait to be taken. */
let taken: Promise<unknown> = Promise.resolve()
async function send(text: string): Promise<void> {
  const piece: Piece = encoder.encode(text)
  await taken
  taken = once(port, 'message')
  port.postMessage(piece, [piece.buffer as ArrayBuffer]) // handed over, not copied
}
const encoder = new TextEncoder()

let text = ''
for (const row of rows) {
  text += render(row)
  if (text.length < pieceLength) continue
  await send(text)
  text = ''
}
if (text !== '') await send(text)
await taken
port.postMessage(null satisfies Piece)
db.close()
port.close()

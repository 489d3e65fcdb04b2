import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'

const afterMs = 1_000
const againMs = 5_000
const mostTries = 5

/*
 * SQLite writes changes to its log (WAL) and copies them to the database later; the log keeps old pages until it is written
 * over. A checkpoint that truncates it leaves nothing of them. It waits for the disk, so a thread of its own does it.
 */
if (!isMainThread && parentPort !== null) {
  const db = new Sqlite(workerData as string, { timeout: 2_000 })
  const [{ busy }] = db.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }]
  db.close()
  parentPort.postMessage(busy === 0)
}

async function truncate(path: string): Promise<boolean> {
  const worker = new Worker(new URL(import.meta.url), { workerData: path })
  worker.unref()
  const [done] = (await once(worker, 'message')) as [boolean]
  return done
}

export interface Checkpoints {
  /** Requests a checkpoint a second from now; several requests share one. */
  readonly request: () => void
  readonly stop: () => void
}

export function createCheckpoints(path: string): Checkpoints {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const runIn = (ms: number, tries: number) => {
    timer ??= setTimeout(async () => {
      timer = undefined
      const done = await truncate(path).catch(() => false) // somebody reads or writes: later
      if (!done && tries > 1 && !isStopped) runIn(againMs, tries - 1)
    }, ms).unref()
  }
  const stop = () => {
    isStopped = true
    clearTimeout(timer)
  }
  return { request: () => runIn(afterMs, mostTries), stop }
}

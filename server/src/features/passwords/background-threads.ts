import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Low enough that the event loop never waits for a hash, high enough that hashes make progress. */
const niceness = 10
const folder = '/proc/self/task'

/**
 * Lowers the priority of the hashing threads, so that they run only when the event loop leaves a core free. Linux has
 * priorities by thread, and Node names its threads; on other systems nothing happens. Returns false if the threads do not
 * exist yet: the first task creates them.
 */
export function putHashingInBackground(): boolean {
  if (process.platform !== 'linux') return true
  try {
    const threads = readdirSync(folder).filter((id) =>
      readFileSync(`${folder}/${id}/comm`, 'utf8').startsWith('libuv-worker'),
    )
    for (const id of threads) setPriority(Number(id), niceness)
    return threads.length > 0
  } catch {
    return true // a system that hides its threads
  }
}

import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Enough that the event loop never stands in line behind a hash, and far from starving the hashes. */
const niceness = 10
const folder = '/proc/self/task'

/**
 * Lets the threads that hash run only where the event loop leaves a core free. Linux counts priorities by thread, and Node names
 * its threads; elsewhere nothing happens. False where the threads are not there yet: they come with their first work.
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

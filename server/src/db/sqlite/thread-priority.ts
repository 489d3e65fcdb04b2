import { setPriority } from 'node:os'

/**
 * Lowers the priority of the calling thread, so that short work goes first. Only Linux has priorities by thread; elsewhere this
 * would slow down the whole process.
 */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(0, 5)
}

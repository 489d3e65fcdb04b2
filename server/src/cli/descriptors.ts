import { close, open } from 'node:fs'
import { devNull } from 'node:os'
import type { Log } from '../core/context.ts'

const everyMs = 1_000
const repeatMs = 60_000

/**
 * Logs when this process has no file descriptors left. Without it there is no trace: the system closes new connections
 * before the server sees them.
 */
export function watchDescriptors(log: Log): void {
  let saidAt: number | undefined
  const look = () =>
    open(devNull, 'r', (error, descriptor) => {
      if (error === null) {
        close(descriptor)
        if (saidAt !== undefined) log.info({}, 'there are file descriptors again')
        saidAt = undefined
      } else if ((error.code === 'EMFILE' || error.code === 'ENFILE') && !isSaid()) {
        saidAt = performance.now()
        const advice =
          'no file descriptors are left: new connections are refused; raise the limit (ulimit -n, LimitNOFILE)'
        log.error({ code: error.code }, advice)
      }
    })
  const isSaid = () => saidAt !== undefined && performance.now() - saidAt < repeatMs
  setInterval(look, everyMs).unref()
}

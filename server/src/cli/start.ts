import cluster from 'node:cluster'
import { type Config, loadConfig, withPort } from '../config.ts'
import { noSiblings } from '../core/siblings.ts'
import { version } from '../version.ts'
import { tryToListen } from './listen.ts'
import { lead } from './processes.ts'
import { joinFamily } from './sibling.ts'

/**
 * Resolves at the first SIGTERM or SIGINT. Further SIGTERMs change nothing: some supervisors send several. A second SIGINT
 * ends the process at once, because nobody listens to it any more.
 */
const stopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    process.on('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })

const printReady = ({ publicUrl }: Config): void => {
  process.stdout.write(
    `Gatehouse ${version} is ready: ${publicUrl} (the API is at ${publicUrl}/api, described at ${publicUrl}/api/docs)\n`,
  )
}

/** Most of the program. Neither a wrong setting nor the leader of several processes needs it. */
const loadServer = () => import('./serve.ts')

/** Runs the service until it is told to stop, in this process or in several that this one leads. `wait`: see `serve`. */
export async function start({ wait = 60 }: { wait?: number } = {}): Promise<void> {
  const given = loadConfig()
  if (cluster.isWorker) {
    const { port, ...role } = await joinFamily(given.processes)
    const { serve } = await loadServer()
    return serve(withPort(given, port), role, wait)
  }
  const stopped = stopSignal()
  const config = await tryToListen(given)
  const onListening = () => printReady(config)
  if (config.processes > 1) return lead(config, stopped, onListening)
  const { serve } = await loadServer()
  return serve(config, { isWorker: true, siblings: noSiblings, stopped, onListening }, wait)
}

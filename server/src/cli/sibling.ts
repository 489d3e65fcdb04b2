import { EventEmitter, once } from 'node:events'
import type { Role } from './serve.ts'

interface Begin {
  readonly isWorker: boolean
  /** The port of the family, which is not 0. */
  readonly port: number
}

/** What the leading process says to one of its family. */
export type Order = { readonly begin: Begin } | { readonly stop: string }
/** What one of them tells the others, by way of the leading process. */
export interface Told {
  readonly topic: string
  readonly data: unknown
}

/** The signals reach the whole group of a terminal or service. The leading process passes them on, once. */
function leaveSignals(): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
}

/** Waits until the leading process says what this one is for. When that ends, Node ends this one, too. */
export async function joinFamily(processes: number): Promise<Role & { port: number }> {
  leaveSignals()
  const heard = new EventEmitter()
  const stopped = Promise.withResolvers<string>()
  process.on('message', (message: Order | Told) => {
    if ('topic' in message) heard.emit(message.topic, message.data)
    else if ('stop' in message) stopped.resolve(message.stop)
    else heard.emit('begin', message.begin)
  })
  const [{ isWorker, port }] = (await once(heard, 'begin')) as [Begin]
  return {
    port,
    isWorker,
    siblings: {
      count: processes - 1,
      tell: (topic, data) => process.send?.({ topic, data } satisfies Told),
      hear: (topic, listen) => void heard.on(topic, listen as (data: unknown) => void),
    },
    stopped: stopped.promise,
    onListening: () => {},
  }
}

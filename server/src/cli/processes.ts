import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { createLogger } from './logger.ts'
import { CommandFailed } from './run-failure.ts'
import type { Order, Told } from './sibling.ts'

/** A process that ended sooner is not replaced at once: it would only end again. */
const shortLifeMs = 5_000
const restMs = 1_000

const order = (child: Worker, what: Order): void => {
  if (child.isConnected()) child.send(what)
}

/**
 * Starts the processes that serve, and replaces each that ends. The first prepares the database before the others start, and
 * does the background work; if it ends, its replacement does.
 */
export async function lead(config: Config, stopped: Promise<string>, onListening: () => void): Promise<void> {
  const { logger, flush } = createLogger(config)
  const children = new Set<Worker>()
  let isUp = false
  let isStopping = false

  const fork = (isWorker: boolean): Worker => {
    const child = cluster.fork()
    const begun = performance.now()
    let isListening = false
    children.add(child)
    child.on('online', () => order(child, { begin: { isWorker, port: config.port } }))
    child.on('listening', () => {
      isListening = true
    })
    child.on('message', (told: Told) => {
      for (const other of children) if (other !== child && other.isConnected()) other.send(told)
    })
    child.on('exit', async (code, signal) => {
      children.delete(child)
      if (isStopping || !(isUp || isListening)) return
      logger.error({ code, signal, isListening }, 'a process ended and is replaced')
      if (performance.now() - begun < shortLifeMs) await setTimeout(restMs)
      if (!isStopping) fork(isWorker)
    })
    return child
  }

  /** Starts one of the first processes; throws if it cannot listen, unless it was told to stop. It has said why. */
  const forkFirst = (isWorker: boolean): Promise<void> =>
    new Promise((done, fail) => {
      fork(isWorker)
        .once('listening', () => done())
        .once('exit', () => (isStopping ? done() : fail(new CommandFailed())))
    })

  try {
    const ending = stopped.then((signal) => {
      isStopping = true
      for (const child of children) order(child, { stop: signal })
    })
    await forkFirst(true)
    if (!isStopping) await Promise.all(Array.from({ length: config.processes - 1 }, () => forkFirst(false)))
    if (!isStopping) {
      isUp = true
      onListening()
    }
    await ending
    await Promise.all([...children].map((child) => once(child, 'exit')))
  } finally {
    isStopping = true
    for (const child of children) child.process.kill('SIGKILL')
    await flush()
  }
}

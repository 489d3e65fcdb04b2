import { flushCompileCache } from 'node:module'
import { setTimeout } from 'node:timers/promises'
import { createApp } from '../app.ts'
import type { Config } from '../config.ts'
import type { Context } from '../core/context.ts'
import { findOpenMode } from '../core/private-folder.ts'
import type { Siblings } from '../core/siblings.ts'
import type { RootDb } from '../db/database.ts'
import { assertFolder, checkFolder } from '../features/avatar-files/storage-folder.ts'
import { joinNodes } from '../nodes/nodes.ts'
import { suspendUnlisted } from '../plugin-host/install.ts'
import { openTelemetry } from '../telemetry/open-telemetry.ts'
import { watchDescriptors } from './descriptors.ts'
import { giveBackMemory } from './give-back-memory.ts'
import { listen } from './listen.ts'
import { createLogger } from './logger.ts'
import { openContext } from './open.ts'
import { checkFirstStart, welcomeFirstAdmin } from './welcome.ts'

/** What a process does, and who tells it to stop. */
export interface Role {
  /** True for the one process that does the background work of its family. */
  readonly isWorker: boolean
  readonly siblings: Siblings
  /** Resolves with the signal that ends it. */
  readonly stopped: Promise<string>
  readonly onListening: () => void
}

/** Starts the background work in the process that does it; the others ask that one to wake it. */
function startBackgroundWork(ctx: Context, { isWorker, siblings }: Role): void {
  if (isWorker) {
    siblings.hear('wake the outbox', () => ctx.outbox.wake())
    siblings.hear('wake a job', (name: string) => ctx.jobs.wake(name))
    ctx.outbox.start()
    ctx.jobs.start()
    return
  }
  Object.assign(ctx, {
    outbox: { ...ctx.outbox, wake: () => siblings.tell('wake the outbox', null) },
    jobs: { ...ctx.jobs, wake: (name: string) => siblings.tell('wake a job', name) },
  })
}

/** A folder that somebody else has made is left as it is: others may need it so. */
function warnOfOpenFolder({ config: { dataDir: path }, log }: Context): void {
  const mode = findOpenMode(path)
  if (mode !== undefined) log.warn({ path, mode }, 'others may enter the data folder: chmod 700 keeps them out')
}

/**
 * Serves until it is told to stop, finishes the accepted requests, and returns. It waits up to `waitSeconds` for a database that
 * is not reachable yet.
 */
export async function serve(config: Config, role: Role, waitSeconds: number): Promise<void> {
  // Node holds 14 MB of compiled code in memory until it has written its cache.
  flushCompileCache()
  const { logger, flush } = createLogger(config)
  const telemetry = await openTelemetry(config, logger)
  const wait = { seconds: waitSeconds, stopped: role.stopped }
  const check = async (db: RootDb | undefined) => {
    await checkFirstStart(db, config)
    checkFolder(config)
  }
  const opened = await openContext(config, logger, { wait, telemetry, check })
  const ctx = Object.assign(opened, { siblings: role.siblings })
  const blame = (err: unknown) => ({ err, plugin: ctx.plugins.findCulprit(err) })
  const onForgotten = (err: unknown) => logger.error(blame(err), 'a promise failed that nobody awaited')
  const onUncaught = (err: unknown) => logger.error(blame(err), 'an exception that nobody caught ends the process')
  process.on('unhandledRejection', onForgotten) // a plugin's must not end the service for everybody
  process.on('uncaughtExceptionMonitor', onUncaught)
  try {
    await assertFolder(ctx.unguarded, config)
    await suspendUnlisted(ctx)
    await ctx.plugins.assertReadable()
    if (role.isWorker) warnOfOpenFolder(ctx)
    watchDescriptors(logger)
    const node = await joinNodes(ctx)
    const app = await createApp(ctx, logger)
    await welcomeFirstAdmin(ctx) // after all that may end the start: what is generated is shown once
    giveBackMemory()
    await listen(app, config)
    logger.info({}, 'listening')
    startBackgroundWork(ctx, role)
    role.onListening()
    logger.info({ signal: await role.stopped, drainSeconds: config.drainSeconds }, 'stopping')
    app.beginStopping()
    await setTimeout(config.drainSeconds * 1_000)
    await Promise.all([app.close(), ctx.jobs.stop()])
    await ctx.outbox.stop()
    await node.leave()
  } finally {
    process.off('unhandledRejection', onForgotten)
    process.off('uncaughtExceptionMonitor', onUncaught)
    await ctx.unguarded.destroy()
    await telemetry?.stop()
    await flush()
  }
}

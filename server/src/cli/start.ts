import { setTimeout } from 'node:timers/promises'
import { createApp } from '../app.ts'
import { type Config, ConfigError, loadConfig } from '../config.ts'
import type { Context } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import { createFirstAdmin, type FirstAdmin } from '../features/users/first-admin.ts'
import {
  describeFirstAdmin,
  firstStartFile,
  removeUsedFirstStartFile,
  writeFirstStartFile,
} from '../features/users/first-start-file.ts'
import { joinNodes } from '../nodes/nodes.ts'
import { suspendUnlisted } from '../plugin-host/install.ts'
import { version } from '../version.ts'
import { watchDescriptors } from './descriptors.ts'
import { giveBackMemory } from './give-back-memory.ts'
import { listen } from './listen.ts'
import { createLogger } from './logger.ts'
import { openContext } from './open.ts'

const print = (lines: string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Creates the first administrator. What was generated is shown once, or kept in a file where output is stored or shared. */
async function welcomeFirstAdmin(ctx: Context): Promise<void> {
  const { config } = ctx
  const keepsFile = ({ password, apiKey }: FirstAdmin) => !config.printsSecrets && (password ?? apiKey) !== null
  const keep = (admin: FirstAdmin) => {
    if (keepsFile(admin)) writeFirstStartFile(config, admin)
  }
  const admin = await createFirstAdmin(ctx, config.admin, keep).catch((error) => {
    throw adminFailure(error)
  })
  if (admin === undefined) {
    await removeUsedFirstStartFile(ctx)
  } else if (keepsFile(admin)) {
    const file = firstStartFile(config)
    print([`First start: the administrator's secrets are in ${file} until their first sign-in.`])
  } else {
    const told = 'First start: this administrator was created. Generated secrets are shown only once; save them.'
    print(['', told, ...describeFirstAdmin(admin), ''])
  }
}

/** The errors of the requested administrator, by the names of the settings. */
function adminFailure(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.fields === undefined) return error
  const fields = Object.entries(error.fields)
  return new ConfigError(
    fields.map(([field, messages]) => `GATEHOUSE_ADMIN_${field.toUpperCase()}: ${messages.join(' ')}`).join(' '),
  )
}

/**
 * Resolves at the first SIGTERM or SIGINT. Further SIGTERMs change nothing: some supervisors send several. A second SIGINT
 * ends the process at once, because nobody listens to it any more.
 */
const stopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    process.on('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })

/** Runs the service until it is told to stop, finishes the accepted requests, and returns. */
export async function start(config: Config = loadConfig()): Promise<void> {
  const stopped = stopSignal()
  const { logger, flush } = createLogger(config)
  const ctx = await openContext(config, logger)
  try {
    await suspendUnlisted(ctx)
    await welcomeFirstAdmin(ctx)
    watchDescriptors(logger)
    const node = await joinNodes(ctx)
    const app = await createApp(ctx, logger)
    giveBackMemory()
    await listen(app, config)
    logger.info({}, 'listening')
    ctx.outbox.start()
    ctx.jobs.start()
    const { publicUrl } = config
    print([
      `Gatehouse ${version} is ready: ${publicUrl} (the API is at ${publicUrl}/api, described at ${publicUrl}/api/docs)`,
    ])
    logger.info({ signal: await stopped, drainSeconds: config.drainSeconds }, 'stopping')
    app.beginStopping()
    await setTimeout(config.drainSeconds * 1_000)
    await Promise.all([app.close(), ctx.jobs.stop()])
    await ctx.outbox.stop()
    await node.leave()
  } finally {
    await ctx.unguarded.destroy()
    await flush()
  }
}

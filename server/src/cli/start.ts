import { createApp } from '../app.ts'
import { type Config, ConfigError, loadConfig } from '../config.ts'
import { ServiceError } from '../core/errors.ts'
import { createFirstAdmin, type FirstAdmin } from '../features/users/first-admin.ts'
import { suspendUnlisted } from '../plugin-host/install.ts'
import { version } from '../version.ts'
import { giveBackMemory } from './give-back-memory.ts'
import { createLogger } from './logger.ts'
import { openContext } from './open.ts'

const print = (lines: string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`)
}

function printFirstAdmin({ email, password, apiKey }: FirstAdmin): void {
  print([
    '',
    'First start: this administrator was created. Generated secrets are shown only once; save them.',
    `  email     ${email}`,
    `  password  ${password ?? '(as given in GATEHOUSE_ADMIN_PASSWORD)'}`,
    `  API key   ${apiKey ?? '(as given in GATEHOUSE_ADMIN_API_KEY)'}`,
    '',
  ])
}

/** The errors of the requested administrator, by the names of the settings. */
function adminFailure(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.fields === undefined) return error
  const fields = Object.entries(error.fields)
  return new ConfigError(
    fields.map(([field, messages]) => `GATEHOUSE_ADMIN_${field.toUpperCase()}: ${messages.join(' ')}`).join(' '),
  )
}

const listenFailure = (config: Config, error: NodeJS.ErrnoException): Error => {
  const { host, port } = config
  if (error.code === 'EADDRINUSE')
    return new ConfigError(
      `GATEHOUSE_PORT: ${port} is in use on ${host}. Stop the program that uses it, or choose another.`,
    )
  if (error.code === 'EACCES')
    return new ConfigError(`GATEHOUSE_PORT: this user may not listen on ${port}. Choose one above 1023.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new ConfigError(`GATEHOUSE_HOST: this machine has no address ${host}.`)
  return error
}

/** Resolves at the first SIGTERM or SIGINT. */
const stopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal))
  })

/** Runs the service until it is told to stop, finishes the accepted requests, and returns. */
export async function start(config: Config = loadConfig()): Promise<void> {
  const stopped = stopSignal()
  const { logger, flush } = createLogger(config)
  const ctx = await openContext(config, logger)
  try {
    await suspendUnlisted(ctx)
    const admin = await createFirstAdmin(ctx, config.admin).catch((error) => {
      throw adminFailure(error)
    })
    if (admin !== undefined) printFirstAdmin(admin)
    const app = await createApp(ctx, logger)
    giveBackMemory()
    await app.listen({ host: config.host, port: config.port }).catch((error) => {
      throw listenFailure(config, error)
    })
    logger.info({}, 'listening')
    ctx.outbox.start()
    ctx.jobs.start()
    const { publicUrl } = config
    print([
      `Gatehouse ${version} is ready: ${publicUrl} (the API is at ${publicUrl}/api, described at ${publicUrl}/api/docs)`,
    ])
    logger.info({ signal: await stopped }, 'stopping')
    await Promise.all([app.close(), ctx.jobs.stop()])
    await ctx.outbox.stop()
  } finally {
    await ctx.unguarded.destroy()
    await flush()
  }
}

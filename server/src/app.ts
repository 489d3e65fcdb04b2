import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { type Context, type Log, silentLog } from './core/context.ts'
import { noPlugins } from './core/plugins.ts'
import { type Clock, systemClock } from './core/time.ts'
import { createCredentialCache } from './db/credential-cache.ts'
import type { Db } from './db/database.ts'
import { transactionOn } from './db/transaction.ts'
import { createOutbox } from './delivery/outbox.ts'
import { createTransports } from './delivery/transports.ts'
import { activityRoutes } from './features/activity/activity.routes.ts'
import { apiKeysRoutes } from './features/api-keys/api-keys.routes.ts'
import { avatarsRoutes } from './features/avatars/avatars.routes.ts'
import { countriesRoutes } from './features/countries/countries.routes.ts'
import { deliveriesRoutes } from './features/deliveries/deliveries.routes.ts'
import { meRoutes } from './features/me/me.routes.ts'
import { metaRoutes } from './features/meta/meta.routes.ts'
import { passwordResetRoutes } from './features/password-reset/password-reset.routes.ts'
import { registrationRoutes } from './features/registration/registration.routes.ts'
import { permissionsRoutes } from './features/roles/permissions.routes.ts'
import { rolesRoutes } from './features/roles/roles.routes.ts'
import { sessionsRoutes } from './features/sessions/sessions.routes.ts'
import { settingsRoutes } from './features/settings/settings.routes.ts'
import { statsRoutes } from './features/stats/stats.routes.ts'
import { twoFactorRoutes } from './features/two-factor/two-factor.routes.ts'
import { usersRoutes } from './features/users/users.routes.ts'
import { guardRoutes } from './http/credentials.ts'
import { healthRoutes } from './http/health.ts'
import { refuseOtherMethods } from './http/methods.ts'
import { metricsRoutes } from './http/metrics.ts'
import { collectOpenApi, openApiRoutes } from './http/openapi.ts'
import { pageRoutes } from './http/pages.ts'
import { createServer } from './http/server.ts'
import { hostPlugins } from './plugins/host-plugins.ts'
import type { LoadedPlugin } from './plugins/load.ts'
import { version } from './version.ts'

/** What every service takes, made from an open database. */
export function createContext(
  db: Db,
  config: Config,
  clock: Clock = systemClock,
  log: Log = silentLog,
  plugins: readonly LoadedPlugin[] = [],
): Context {
  const domain = config.mailFrom.replace(/^.*@|>$/g, '')
  const outbox = createOutbox({ db, clock, log, domain, transports: createTransports(config, log) })
  const transaction = transactionOn(db, outbox.committed)
  const credentials = createCredentialCache(db)
  const core = { db, config, clock, log, outbox, credentials, transaction, plugins: noPlugins }
  return plugins.length === 0 ? core : hostPlugins(core, plugins)
}

/** The whole server, ready to listen: read top to bottom, this is what it is made of. */
export async function createApp(ctx: Context, log?: Log): Promise<FastifyInstance> {
  const app = createServer(ctx.config, log)
  await collectOpenApi(app, ctx.config.publicUrl, version)
  await openApiRoutes(app)
  healthRoutes(app, ctx)
  pageRoutes(app, ctx.config)

  await app.register(async (guarded) => {
    guardRoutes(guarded, ctx)

    metricsRoutes(guarded)
    await avatarsRoutes(guarded, ctx)
    usersRoutes(guarded, ctx)
    activityRoutes(guarded, ctx)
    rolesRoutes(guarded, ctx)
    permissionsRoutes(guarded, ctx)
    countriesRoutes(guarded)
    apiKeysRoutes(guarded, ctx)
    sessionsRoutes(guarded, ctx)
    settingsRoutes(guarded, ctx)
    deliveriesRoutes(guarded, ctx)
    meRoutes(guarded, ctx)
    metaRoutes(guarded, ctx)
    statsRoutes(guarded, ctx)
    registrationRoutes(guarded, ctx)
    passwordResetRoutes(guarded, ctx)
    twoFactorRoutes(guarded, ctx)
    await ctx.plugins.addRoutes(guarded)

    refuseOtherMethods(guarded)
  })

  await app.ready()
  return app
}

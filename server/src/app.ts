import type { FastifyInstance } from 'fastify'
import { clockSteps } from './clock-steps.ts'
import type { Config } from './config.ts'
import { type Context, type Log, silentLog } from './core/context.ts'
import { createJobRunner, createJobs, type Jobs } from './core/jobs.ts'
import { noPlugins, type Plugins } from './core/plugins.ts'
import type { Sealer } from './core/sealing.ts'
import { messageIdsOf } from './core/sender.ts'
import { noSiblings } from './core/siblings.ts'
import type { Telemetry } from './core/telemetry.ts'
import { type Clock, systemClock } from './core/time.ts'
import { createTraffic } from './core/traffic.ts'
import { transactionOn } from './core/transaction.ts'
import type { RootDb } from './db/database.ts'
import { backgroundOf } from './db/direct.ts'
import { activityRoutes } from './features/activity/activity.routes.ts'
import { createEventWriter, sequencerJob } from './features/activity/event-writer.ts'
import { apiKeysRoutes } from './features/api-keys/api-keys.routes.ts'
import { avatarsRoutes } from './features/avatars/avatars.routes.ts'
import { bulkJobs, undoJobs } from './features/bulk/bulk.jobs.ts'
import { bulkRoutes } from './features/bulk/bulk.routes.ts'
import { countriesRoutes } from './features/countries/countries.routes.ts'
import { createCredentials, readActor } from './features/credentials/credentials.service.ts'
import { deliveriesRoutes } from './features/deliveries/deliveries.routes.ts'
import { eventsRoutes } from './features/events/events.routes.ts'
import { exportRoutes } from './features/export/export.routes.ts'
import { importRoutes } from './features/import/import.routes.ts'
import { importJobs } from './features/import/import.service.ts'
import { invitationsRoutes } from './features/invitations/invitations.routes.ts'
import { jobsRoutes } from './features/jobs/jobs.routes.ts'
import { type JobHandler, runJobs } from './features/jobs/jobs.runner.ts'
import { meRoutes } from './features/me/me.routes.ts'
import { updateOwnAccount } from './features/me/me.service.ts'
import { metaRoutes } from './features/meta/meta.routes.ts'
import { passwordResetRoutes } from './features/password-reset/password-reset.routes.ts'
import { reauthenticationRoutes } from './features/reauthentication/reauthentication.routes.ts'
import { registrationRoutes } from './features/registration/registration.routes.ts'
import { permissionsRoutes } from './features/roles/permissions.routes.ts'
import { rolesRoutes } from './features/roles/roles.routes.ts'
import { secureAccountRoutes } from './features/secure-account/secure-account.routes.ts'
import { sessionsRoutes } from './features/sessions/sessions.routes.ts'
import { settingsRoutes } from './features/settings/settings.routes.ts'
import { signInRoutes } from './features/sign-in/sign-in.routes.ts'
import { signInsRoutes } from './features/sign-ins/sign-ins.routes.ts'
import { statsRoutes } from './features/stats/stats.routes.ts'
import { streamRoutes } from './features/stream/stream.routes.ts'
import { factorsRoutes } from './features/two-factor/factors.routes.ts'
import { twoFactorRoutes } from './features/two-factor/two-factor.routes.ts'
import { usersRoutes } from './features/users/users.routes.ts'
import { deliverJob, deliveryJob } from './features/webhooks/delivery/job.ts'
import { webhooksRoutes } from './features/webhooks/webhooks.routes.ts'
import { guardRoutes } from './http/credentials.ts'
import { healthRoutes } from './http/health.ts'
import { honourIdempotencyKeys } from './http/idempotency/idempotency.ts'
import { addJobMetrics } from './http/job-metrics.ts'
import { refuseOtherMethods } from './http/methods.ts'
import { metricsRoutes } from './http/metrics.ts'
import { collectOpenApi, openApiRoutes } from './http/openapi.ts'
import { pageRoutes } from './http/pages.ts'
import { createServer, type ServerOptions } from './http/server.ts'
import { maintenanceJobs } from './maintenance.ts'
import { addServiceMetrics } from './metrics.ts'
import { createOutbox } from './outbox/outbox.ts'
import { hostPlugins } from './plugin-host/host-plugins.ts'
import type { LoadedPlugin } from './plugin-host/load.ts'
import { addSignInMetrics } from './security/sign-in-guard/outcomes.ts'
import { traceTransports } from './transports/call-spans.ts'
import { createTransports } from './transports/transports.ts'
import { version } from './version.ts'

/** What runs as a job. */
const jobHandlers: readonly JobHandler[] = [importJobs, bulkJobs, undoJobs]

/** What a context is made of. Without a clock it uses the system's; without a log it is silent. */
interface ContextParts {
  readonly db: RootDb
  readonly config: Config
  readonly sealer: Sealer
  readonly clock?: Clock
  readonly log?: Log
  readonly plugins?: readonly LoadedPlugin[]
  readonly telemetry?: Telemetry | undefined
}

/** Creates the context of every service from an open database. */
export function createContext({
  db,
  config,
  sealer,
  clock = systemClock,
  log = silentLog,
  plugins = [],
  telemetry,
}: ContextParts): Context {
  const transports = traceTransports(createTransports(config, log), telemetry)
  const outbox = createOutbox({ db, clock, log, sealer, transports, newMessageId: messageIdsOf(config) })
  const core = {
    db,
    unguarded: db,
    config,
    clock,
    log,
    sealer,
    outbox,
    plugins: noPlugins,
    jobs: createJobs([]),
    siblings: noSiblings,
    traffic: createTraffic(),
    telemetry,
  }
  const eventWriter = createEventWriter(core)
  const ctx: Context & { plugins: Plugins; jobs: Jobs } = Object.assign(core, {
    transaction: transactionOn(core, db, readActor, eventWriter),
    backgroundTransaction: transactionOn(core, backgroundOf(db), readActor, eventWriter),
  })
  ctx.plugins = hostPlugins(ctx, plugins)
  const maintenance = [...maintenanceJobs(ctx), clockSteps(ctx)].map((job) => createJobRunner(job, log))
  const longWork = createJobRunner(runJobs(ctx, jobHandlers), log)
  const leaving = [sequencerJob(ctx, () => ctx.jobs.wake(deliverJob)), deliveryJob(ctx)]
  const events = leaving.map((job) => createJobRunner(job, log))
  ctx.jobs = createJobs([...maintenance, longWork, ...events, ...ctx.plugins.jobs])
  return ctx
}

/** Builds the whole server, ready to listen. Read it from top to bottom to see its parts. */
export async function createApp(ctx: Context, log?: Log, options?: ServerOptions): Promise<FastifyInstance> {
  const app = createServer(ctx.config, log, {
    clock: ctx.clock,
    siblings: ctx.siblings,
    telemetry: ctx.telemetry,
    ...options,
  })
  app.server.on('request', ctx.traffic.note)
  await collectOpenApi(app, ctx.config.publicUrl, version)
  await openApiRoutes(app, ctx.config.publicUrl)
  healthRoutes(app, ctx)
  pageRoutes(app, ctx.config)

  await app.register(async (guarded) => {
    guardRoutes(guarded, ctx, createCredentials(ctx))
    honourIdempotencyKeys(guarded, ctx)

    metricsRoutes(guarded, ctx, (registry) => {
      addSignInMetrics(registry)
      addJobMetrics(registry, ctx.jobs.runners)
      addServiceMetrics(registry, ctx)
    })
    await avatarsRoutes(guarded, ctx)
    usersRoutes(guarded, ctx, updateOwnAccount)
    invitationsRoutes(guarded, ctx)
    importRoutes(guarded, ctx)
    exportRoutes(guarded, ctx)
    bulkRoutes(guarded, ctx)
    activityRoutes(guarded, ctx)
    rolesRoutes(guarded, ctx)
    permissionsRoutes(guarded, ctx)
    countriesRoutes(guarded, ctx)
    apiKeysRoutes(guarded, ctx)
    signInRoutes(guarded, ctx)
    sessionsRoutes(guarded, ctx)
    settingsRoutes(guarded, ctx)
    deliveriesRoutes(guarded, ctx)
    meRoutes(guarded, ctx)
    metaRoutes(guarded, ctx)
    statsRoutes(guarded, ctx)
    jobsRoutes(guarded, ctx)
    streamRoutes(guarded, ctx)
    eventsRoutes(guarded, ctx)
    webhooksRoutes(guarded, ctx)
    registrationRoutes(guarded, ctx)
    passwordResetRoutes(guarded, ctx)
    twoFactorRoutes(guarded, ctx)
    factorsRoutes(guarded, ctx)
    reauthenticationRoutes(guarded, ctx)
    secureAccountRoutes(guarded, ctx)
    signInsRoutes(guarded, ctx)
    await ctx.plugins.addRoutes(guarded)

    refuseOtherMethods(guarded)
  })

  await app.ready()
  return app
}

import type { FastifyInstance } from 'fastify'
import type { Context, Log } from './core/context.ts'
import { activityRoutes } from './features/activity/activity.routes.ts'
import { apiKeysRoutes } from './features/api-keys/api-keys.routes.ts'
import { avatarsRoutes } from './features/avatars/avatars.routes.ts'
import { bulkRoutes } from './features/bulk/bulk.routes.ts'
import { countriesRoutes } from './features/countries/countries.routes.ts'
import { createCredentials } from './features/credentials/credentials.service.ts'
import { deliveriesRoutes } from './features/deliveries/deliveries.routes.ts'
import { eventsRoutes } from './features/events/events.routes.ts'
import { exportRoutes } from './features/export/export.routes.ts'
import { importRoutes } from './features/import/import.routes.ts'
import { invitationsRoutes } from './features/invitations/invitations.routes.ts'
import { jobsRoutes } from './features/jobs/jobs.routes.ts'
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
import { addServiceMetrics } from './metrics.ts'
import { addSignInMetrics } from './security/sign-in-guard/outcomes.ts'
import { version } from './version.ts'

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

import type { Context } from './core/context.ts'
import type { Job } from './core/jobs.ts'
import { isPostgres } from './db/dialect.ts'
import { eraseDeleted } from './db/direct.ts'
import { analyzeGrown } from './db/postgres/statistics.ts'
import { searchPurge } from './features/accounts/search-purge.ts'
import { createActivityRetention } from './features/activity/retention.ts'
import { removeUnusedAvatars } from './features/avatar-files/stored-avatars.ts'
import { removeOldSessions } from './features/credentials/live-sessions.service.ts'
import { removeOldDeliveries } from './features/deliveries/deliveries.service.ts'
import { removeOldJobs } from './features/jobs/jobs.service.ts'
import { removeOrphans } from './features/jobs/uploads.ts'
import { removeUnconfirmed } from './features/registration/unconfirmed-accounts.ts'
import { readSettings } from './features/settings/settings.service.ts'
import { removeOldTokens } from './features/tokens/tokens.service.ts'
import { removeOldSteps } from './features/two-factor/methods/totp.ts'
import { cleanWebhooks } from './features/webhooks/resend.service.ts'
import { removeOldIdempotencyKeys } from './http/idempotency/claims.ts'
import { removeOldAttempts } from './security/attempts/attempts.service.ts'
import { removeOldClients } from './security/sign-in-guard/clients.ts'
import { removeOldNetworks } from './security/sign-in-guard/networks.ts'

const everySeconds = 600

/** Removes entries of the audit log after their retention period. */
function cleanActivity(): (ctx: Context) => Promise<void> {
  const clean = createActivityRetention()
  return async (ctx) => {
    const settings = await readSettings(ctx)
    await clean(ctx, { activity: settings['activity.retention_days'], signIns: settings['sign_ins.retention_days'] })
  }
}

const statistics = ({ unguarded }: Context): Job => ({
  name: 'maintenance.statistics',
  everySeconds: 10,
  run: async () => {
    await analyzeGrown(unguarded)
    return false
  },
})

/** Removes expired data. Every node does it, in any order. */
export function maintenanceJobs(ctx: Context): Job[] {
  const work: Readonly<Record<string, (ctx: Context) => Promise<void>>> = {
    tokens: removeOldTokens,
    attempts: removeOldAttempts,
    networks: removeOldNetworks,
    clients: removeOldClients,
    unconfirmed: removeUnconfirmed,
    sessions: removeOldSessions,
    deliveries: removeOldDeliveries,
    avatars: removeUnusedAvatars,
    activity: cleanActivity(),
    idempotency: removeOldIdempotencyKeys,
    totp_steps: removeOldSteps,
    jobs: removeOldJobs,
    uploads: removeOrphans,
    webhooks: cleanWebhooks,
  }
  const cleaners = Object.entries(work).map(([name, clean]) => ({
    name: `maintenance.${name}`,
    everySeconds,
    startsLater: true,
    run: async () => {
      await clean(ctx)
      eraseDeleted(ctx.db)
      return false
    },
  }))
  return [...cleaners, searchPurge(ctx), ...(isPostgres(ctx.db) ? [statistics(ctx)] : [])]
}

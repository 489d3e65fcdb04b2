import type { Context } from './core/context.ts'
import type { Job } from './core/jobs.ts'
import { eraseDeleted } from './db/direct.ts'
import { createActivityRetention } from './features/activity/retention.ts'
import { removeUnusedAvatars } from './features/avatars/stored-avatars.ts'
import { removeOldDeliveries } from './features/deliveries/deliveries.service.ts'
import { removeOldSessions } from './features/sessions/sessions.service.ts'
import { removeOldTokens } from './features/tokens/tokens.service.ts'
import { removeOldAttempts } from './security/attempts/attempts.service.ts'
import { removeOldNetworks } from './security/sign-in/networks.ts'

const everySeconds = 600

/** Removes what is over and of no use. Every node does it; it does not matter which one comes first. */
export function maintenanceJobs(ctx: Context): Job[] {
  const work: Readonly<Record<string, (ctx: Context) => Promise<void>>> = {
    tokens: removeOldTokens,
    attempts: removeOldAttempts,
    networks: removeOldNetworks,
    sessions: removeOldSessions,
    deliveries: removeOldDeliveries,
    avatars: removeUnusedAvatars,
    activity: createActivityRetention(),
  }
  return Object.entries(work).map(([name, clean]) => ({
    name: `maintenance.${name}`,
    everySeconds,
    startsLater: true,
    run: async () => {
      await clean(ctx)
      eraseDeleted(ctx.db)
      return false
    },
  }))
}

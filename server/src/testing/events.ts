import { systemActor } from '../core/context.ts'
import { recordActivity } from '../features/activity/activity.service.ts'
import type { TestApp } from './app.ts'

/** Records `role.updated` so many times, each about a role of its own, as other changes would leave it. */
export const recordRoles = ({ ctx }: Pick<TestApp, 'ctx'>, count: number): Promise<void> =>
  ctx.transaction(systemActor, async (tx) => {
    for (let id = 1; id <= count; id++) await recordActivity(tx, tx.actor, 'role.updated', { type: 'role', id })
  })

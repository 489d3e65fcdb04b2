import { systemActor } from '../core/context.ts'
import { recordActivity } from '../features/activity/activity.service.ts'
import type { TestApp } from './app.ts'

/** Records `role.updated` about each of these roles in one transaction, as other changes would leave it. */
export const recordRoles = ({ ctx }: Pick<TestApp, 'ctx'>, ids: readonly number[]): Promise<void> =>
  ctx.transaction(systemActor, async (tx) => {
    for (const id of ids) await recordActivity(tx, tx.actor, 'role.updated', { type: 'role', id })
  })

/** The ids of so many roles. */
export const roleIds = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1)

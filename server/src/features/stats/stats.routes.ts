import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { addRoute } from '../../http/route.ts'
import { dataOf } from '../../http/schemas.ts'
import { Stats } from './stats.schemas.ts'
import { readStats } from './stats.service.ts'

export function statsRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'GET',
    path: '/stats',
    tag: 'Stats',
    operationId: 'getStats',
    summary: 'Get the numbers for a dashboard',
    access: { permission: 'users.manage' },
    answer: dataOf(Stats),
    handle: async ({ actor }) => ({ data: await readStats(ctx, actor) }),
  })
}

import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { addRoute } from '../../http/route.ts'
import { dataOf } from '../../http/schemas.ts'
import { settingsSchemas } from './settings.schemas.ts'
import { readSettings, updateSettings } from './settings.service.ts'

export function settingsRoutes(app: FastifyInstance, ctx: Context): void {
  const { Settings, UpdateSettings } = settingsSchemas(ctx.plugins.settings)
  for (const schema of [Settings, UpdateSettings]) app.addSchema(schema)

  addRoute(app, {
    method: 'GET',
    path: '/settings',
    tag: 'Settings',
    operationId: 'getSettings',
    summary: 'Get all settings',
    access: { permission: ['settings.auth', 'settings.general'] },
    answer: dataOf(Settings),
    handle: async () => ({ data: await readSettings(ctx) }),
  })

  addRoute(app, {
    method: 'PATCH',
    path: '/settings',
    tag: 'Settings',
    operationId: 'updateSettings',
    summary: 'Change settings',
    description: 'Send any subset. Changes take effect at the next request, on every node.',
    access: { permission: 'settings.auth' },
    freshProof: true,
    body: UpdateSettings,
    answer: dataOf(Settings),
    handle: async ({ actor, body }) => ({ data: await updateSettings(ctx, actor, body) }),
  })
}

import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Context } from '../core/context.ts'
import { errors } from '../core/errors.ts'
import { readSql } from '../db/dialect.ts'
import type { Access } from './credentials.ts'

const open: { access: Access } = { access: { public: true } }

/** `/healthz`: the process is alive. `/readyz`: it can serve requests: the database answers, and it is not stopping. */
export function healthRoutes(app: FastifyInstance, ctx: Context): void {
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
  })
  app.get('/healthz', { config: open, schema: { hide: true } }, async () => ({ status: 'ok' }))
  app.get('/readyz', { config: open, schema: { hide: true } }, async () => {
    if (stopping) throw errors.unavailable('The server is stopping.')
    await readSql(ctx.db, sql`select 1`)
    return { status: 'ready' }
  })
}

import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Context } from '../core/context.ts'
import { readSql } from '../db/dialect.ts'
import { isUnavailable } from '../db/failures.ts'
import type { Access } from './credentials.ts'
import { retryAfterSeconds } from './errors.ts'
import { createReadiness } from './readiness.ts'

const open: { access: Access } = { access: { public: true } }

/**
 * `/healthz`: the process is alive. `/readyz`: it can serve requests: the database answers, it can be written to, and the
 * service is not stopping. While it cannot be written to, reads are served all the same.
 */
export function healthRoutes(app: FastifyInstance, ctx: Context): void {
  const readiness = createReadiness(ctx)
  app.addHook('onError', (_request, _reply, error, done) => {
    if (isUnavailable(error)) readiness.doubt()
    done()
  })
  const findReason = async () => {
    if (app.isStopping()) return 'stopping'
    const isAway = await Promise.resolve(readSql(ctx.db, sql`select 1`)).then(...[() => false, () => true])
    return isAway ? 'database_away' : readiness.findReason()
  }
  app.get('/healthz', { config: open, schema: { hide: true } }, async () => ({ status: 'ok' }))
  app.get('/readyz', { config: open, schema: { hide: true } }, async (_request, reply) => {
    const reason = await findReason()
    if (reason === undefined) return { status: 'ready' }
    return reply.status(503).header('retry-after', retryAfterSeconds).send({ status: 'unavailable', reason })
  })
}

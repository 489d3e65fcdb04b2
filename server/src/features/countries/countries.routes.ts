import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/context.ts'
import { errors } from '../../core/errors.ts'
import { type Access, anyCredential } from '../../http/credentials.ts'
import { addRoute } from '../../http/route.ts'
import { allOf } from '../../http/schemas.ts'
import { countries } from './countries.data.ts'
import { Country } from './countries.schemas.ts'
import { findFlag, withFlag } from './flags.ts'

const open: Access = { public: true }

export function countriesRoutes(app: FastifyInstance, { config }: Context): void {
  const all = countries.map((country) => withFlag(country, config))
  addRoute(app, {
    method: 'GET',
    path: '/countries',
    tag: 'Countries',
    operationId: 'listCountries',
    summary: 'List every country of ISO 3166-1',
    description: 'Returns all of them, ordered by name.',
    access: { permission: anyCredential },
    answer: allOf(Country),
    handle: async () => ({ data: all }),
  })

  app.get('/flags/:name', { config: { access: open }, schema: { hide: true } }, async (request, reply) => {
    const flag = await findFlag((request.params as { name: string }).name)
    if (flag === undefined) throw errors.not_found()
    return reply
      .headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
      })
      .type('image/svg+xml')
      .send(flag)
  })
}

import type { FastifyInstance } from 'fastify'
import { anyCredential } from '../../http/credentials.ts'
import { addRoute } from '../../http/route.ts'
import { allOf } from '../../http/schemas.ts'
import { countries } from './countries.data.ts'
import { Country } from './countries.schemas.ts'

export function countriesRoutes(app: FastifyInstance): void {
  addRoute(app, {
    method: 'GET',
    path: '/countries',
    tag: 'Countries',
    operationId: 'listCountries',
    summary: 'List every country of ISO 3166-1',
    description: 'All of them at once, by name.',
    access: { permission: anyCredential },
    answer: allOf(Country),
    handle: async () => ({ data: [...countries] }),
  })
}

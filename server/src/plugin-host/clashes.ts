import type { Route } from '@gatehouse/plugin-kit'
import type { FastifyInstance } from 'fastify'
import { apiPrefix } from '../http/route.ts'
import { refusePlugin } from './refuse.ts'

/** `/api/users/:id` and `/api/users/:user` are the same path. */
const shapeOf = (url: string): string => url.replaceAll(/:\w+/g, ':')

/** `/api/users/1` would take one id from `/api/users/:id`. Any other text in that place is no id. */
const withoutIds = (url: string): string => url.replaceAll(/(?<=\/)\d+(?=\/|$)/g, ':')

interface Taken {
  readonly routes: ReadonlySet<string>
  readonly operationIds: ReadonlySet<string>
}

function takenBy(app: FastifyInstance): Taken {
  const routes = app.routeTable.flatMap(({ method, url }) => [method].flat().map((one) => `${one} ${shapeOf(url)}`))
  const ids = app.routeTable.flatMap(
    ({ schema }) => (schema as { operationId?: string } | undefined)?.operationId ?? [],
  )
  return { routes: new Set(routes), operationIds: new Set(ids) }
}

/** Refuses a route that the core, another plugin or this one already has. */
export function refuseClash(app: FastifyInstance, source: string, route: Route): void {
  const { method, path, operationId } = route
  if (!/^(\/([\w.~-]+|\{\w+\}))+$/.test(path))
    refusePlugin(source, `"${path}" is no path. Write it as OpenAPI does: /things/{id}.`)
  const { routes, operationIds } = takenBy(app)
  const url = shapeOf(apiPrefix + path.replaceAll(/\{(\w+)\}/g, ':$1'))
  const methods = method === 'PATCH' ? ['PATCH', 'PUT'] : [method]
  const taken = methods.find((one) => [url, withoutIds(url)].some((shape) => routes.has(`${one} ${shape}`)))
  if (taken !== undefined) refusePlugin(source, `the route ${taken} ${path} is there already.`)
  if (operationIds.has(operationId)) refusePlugin(source, `the operationId "${operationId}" is there already.`)
}

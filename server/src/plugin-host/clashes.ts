import type { Route } from '@gatehouse/plugin-kit'
import type { FastifyInstance } from 'fastify'
import { apiPrefix } from '../http/route.ts'
import { refusePlugin } from './refuse.ts'

/** `/api/users/:id` and `/api/users/:user` are the same path. */
const shapeOf = (url: string): string => url.replaceAll(/:\w+/g, ':')

/** `/api/users/1` would take one id from `/api/users/:id`. Any other text in that place is no id. */
const withoutIds = (url: string): string => url.replaceAll(/(?<=\/)\d+(?=\/|$)/g, ':')

/** Refuses a route that the core, another plugin or this one already has. */
export function refuseClash(app: FastifyInstance, source: string, route: Route): void {
  const { method, path, operationId } = route
  if (!/^(\/([\w.~-]+|\{\w+\}))+$/.test(path))
    refusePlugin(source, `"${path}" is no path. Write it as OpenAPI does: /things/{id}.`)
  const url = shapeOf(apiPrefix + path.replaceAll(/\{(\w+)\}/g, ':$1'))
  const shapes = [url, withoutIds(url)]
  const methods = method === 'PATCH' ? ['PATCH', 'PUT'] : [method]
  const taken = methods.find((one) =>
    app.routeTable.some((other) => [other.method].flat().includes(one) && shapes.includes(shapeOf(other.url))),
  )
  if (taken !== undefined) refusePlugin(source, `the route ${taken} ${path} is there already.`)
  const isIdTaken = app.routeTable.some(
    ({ schema }) => (schema as { operationId?: string } | undefined)?.operationId === operationId,
  )
  if (isIdTaken) refusePlugin(source, `the operationId "${operationId}" is there already.`)
}

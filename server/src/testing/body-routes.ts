import type { TestApp } from './app.ts'

/** A route that reads a body: every one of them, of the core and of the plugins, for tests that hold for all. */
export interface BodyRoute {
  readonly method: string
  /** With 1 in place of each parameter: `/api/users/1`. */
  readonly url: string
  readonly isPublic: boolean
  readonly maxBytes: number
  readonly bodyIs: 'fields' | 'file' | 'unread form'
}

const bodyMethods = ['POST', 'PUT', 'PATCH', 'DELETE']

export function bodyRoutesOf(t: TestApp): BodyRoute[] {
  return t.app.routeTable.flatMap(({ method, url, config, schema }) => {
    const operation = (schema as { operationId?: string } | undefined)?.operationId
    if (operation === undefined || config === undefined) return []
    const { access, bodyIs = 'fields', maxBodyBytes = bodyIs === 'fields' ? 65_536 : 16_384 } = config
    return [method]
      .flat()
      .filter((one) => bodyMethods.includes(one))
      .map((one) => ({
        method: one,
        url: url.replaceAll(/:\w+/g, '1'),
        isPublic: access !== undefined && 'public' in access,
        maxBytes: maxBodyBytes,
        bodyIs,
      }))
  })
}

import type { FastifyInstance } from 'fastify'
import type * as Actors from '../../server/src/testing/actors.ts'
import { load, type Measure, withApp } from './measure.ts'

interface Guarded {
  readonly request: string
  /** Any one of these is enough. */
  readonly wanted: readonly string[]
}

/** Every route that requires a permission, with ids that do not exist. */
const guardedRoutes = (app: FastifyInstance): Guarded[] =>
  app.routeTable.flatMap(({ method, url, config }) => {
    const access = config?.access
    if (access === undefined || 'public' in access || typeof access.permission === 'symbol') return []
    const wanted = [access.permission].flat()
    return [method].flat().map((one) => ({ request: `${one} /${url.replaceAll(/:\w+/g, '999999')}`, wanted }))
  })

export const authorisation: Measure = {
  promise:
    'callers without the required permission get 401 or 403, whatever other permissions they have; callers with it are admitted',
  guards: {
    'the permission check': [
      {
        file: 'http/credentials.ts',
        find: 'if (!holdsAny(actor.permissions, needs)) throw errors.forbidden()',
        replace: '',
      },
    ],
    'the authentication check': [
      {
        file: 'http/credentials.ts',
        find: 'if (actor === null) throw errors.unauthenticated()',
        replace: 'if (actor === null) return',
      },
    ],
  },
  take: (stand) =>
    withApp(stand, async (t) => {
      const { createHolder } = await load<typeof Actors>(stand, 'testing/actors.ts')
      const all: string[] = (await t.call('GET /permissions')).body.data.map(({ name }: { name: string }) => name)
      const made = new Map<string, Promise<string>>()
      const keyFor = (permissions: string[]) => {
        const name = permissions.join()
        const key = made.get(name) ?? createHolder(t, permissions).then((holder) => holder.key)
        made.set(name, key)
        return key
      }
      const wrong: string[] = []
      let cells = 0
      const routes = guardedRoutes(t.app)
      for (const { request, wanted } of routes) {
        const others = all.filter((name) => !wanted.includes(name))
        const callers: [who: string, key: string | null, isRight: (status: number) => boolean][] = [
          ['nobody', null, (status) => status === 401],
          ['an unknown key', `gh_${'0'.repeat(43)}`, (status) => status === 401],
          ['nothing', await keyFor([]), (status) => status === 403],
          ['everything else', await keyFor(others), (status) => status === 403],
        ]
        for (const name of wanted) {
          callers.push([name, await keyFor([name]), (status) => ![401, 403].includes(status) && status < 500])
        }
        for (const [who, key, isRight] of callers) {
          cells++
          const { status } = await t.call(request, { key, body: {} })
          if (!isRight(status)) wrong.push(`${request} with ${who}: ${status}`)
        }
      }
      const figure = `${routes.length} routes, ${cells} cells, ${wrong.length} wrong${wrong[0] === undefined ? '' : ` (${wrong[0]})`}`
      return { figure, holds: wrong.length === 0 && cells > 150 }
    }),
}

import type { Route } from '@gatehouse/plugin-kit'
import type { HTTPMethods } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { startTestApp } from '../testing/app.ts'
import { loadedNotes, notes } from './notes.fixture.ts'

const paths = ['/{a}', '/{a}/{b}', '/{a}/{b}/{c}', '/{a}/{b}/{c}/{d}', '/users/{a}/{b}', '/users/{a}/factors/{b}/{c}']
const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const
const catchAll = methods.flatMap((method) =>
  paths.map(
    (path, n): Route => ({
      method,
      path,
      operationId: `any${n}${method}`,
      summary: 'Any path',
      access: 'public',
      answer: 'success',
      handle: async () => {},
    }),
  ),
)

it('routes of a plugin that match any path take none from the core, whose wrong methods stay 405', async () => {
  const start = async (routes: Route[]) => {
    const t = await startTestApp(null, {}, { plugins: [loadedNotes({ ...notes, routes: () => routes })] })
    onTestFinished(t.close)
    return t.app
  }
  const [plain, caught] = await Promise.all([start([]), start(catchAll)])
  const asked = plain.routeTable.flatMap(({ method, url }) =>
    [method].flat().map((one) => ({ method: one as HTTPMethods, url: url.replaceAll(/:\w+/g, '1') })),
  )
  const ofApi = asked.filter(({ url }) => url.startsWith('/api') && !url.includes('*'))
  expect(ofApi.length).toBeGreaterThan(500)
  for (const request of ofApi) {
    const [before, after] = await Promise.all([plain.inject(request), caught.inject(request)])
    expect({ ...request, status: after.statusCode }).toEqual({ ...request, status: before.statusCode })
  }
  expect((await caught.inject('/api/anything')).json()).toEqual({ success: true })
})

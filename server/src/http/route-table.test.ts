import type { HTTPMethods } from 'fastify'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createCredentials } from '../features/credentials/credentials.service.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { anyCredential, guardRoutes } from './credentials.ts'
import { createServer } from './server.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const methodsOf = ({ method }: { method: HTTPMethods | HTTPMethods[] }): HTTPMethods[] => [method].flat()

/** Every method and path that answers without a credential. Methods that a path answers with 405 are not included. */
async function publicRoutes(): Promise<string[]> {
  const open = t.app.routeTable
    .filter(({ config }) => config?.access !== undefined && 'public' in config.access)
    .flatMap((route) => methodsOf(route).map((method) => `${method} /${route.url.replace(/(?<=.)\/$/, '')}`))
  const answers = await Promise.all(open.map((request) => t.call(request.replaceAll(/:\w+/g, '1'), { key: null })))
  const found = open.filter((_, index) => answers[index]?.status !== 405).map((request) => request.replace(' //', ' /'))
  return [...new Set(found)].toSorted()
}

describe('the route table', () => {
  it('declares for every route who may call it', () => {
    expect(t.app.routeTable.length).toBeGreaterThan(50)
    for (const { method, url, config } of t.app.routeTable) {
      const access = config?.access
      const wanted = access === undefined || 'public' in access ? [] : [access.permission].flat()
      const declared = access !== undefined && ('public' in access ? access.public === true : wanted.length > 0)
      expect({ method, url, declared }).toEqual({ method, url, declared: true })
    }
  })

  it('names only existing permissions', async () => {
    const known = (await t.call('GET /permissions?per_page=100')).body.data.map(({ name }: { name: string }) => name)
    const wanted = t.app.routeTable.flatMap(({ config }) => {
      const access = config?.access
      return access === undefined || 'public' in access ? [] : [access.permission].flat()
    })
    for (const permission of new Set(wanted)) if (permission !== anyCredential) expect(known).toContain(permission)
  })

  // asvs: 6.3.4
  it('makes exactly these routes public', async () => {
    const paths = [
      ...['/healthz', '/readyz', '/avatars/default.svg', '/api/openapi.json'],
      ...['/api/docs', '/api/docs/json', '/api/docs/yaml', '/api/docs/static/*', '/api/docs/static/index.html'],
      '/api/docs/static/swagger-initializer.js',
      ...['/', '/login', '/register', '/check-mail', '/verify-email', '/forgot-password', '/reset-password'],
      ...['/accept-invitation', '/add-factor', '/secure-account'],
      ...['/assets/*', '/favicon.svg', '/favicon.ico'],
    ]
    const reads = [
      ...paths,
      '/avatars/:name',
      '/flags/:name',
      '/api/meta',
      '/plugins/announcements/console.js',
      '/api/announcements/unsubscribe/:token',
    ].flatMap((path) => [`GET ${path}`, `HEAD ${path}`])
    const accounts = [
      ...['/api/login', '/api/login/2fa', '/api/register', '/api/password/remind', '/api/password/reset'],
      ...['/api/login/2fa/sms', '/api/login/passkey', '/api/login/passkey/options', '/api/password/reset/preview'],
      ...['/api/secure-account', '/api/secure-account/preview'],
      ...['/api/invitations/preview', '/api/invitations/accept'],
      ...['/api/email/verify', '/api/email/verify/preview', '/api/email/resend'],
      '/api/announcements/unsubscribe/:token',
    ].map((path) => `POST ${path}`)
    expect(await publicRoutes()).toEqual([...reads, ...accounts].toSorted())
  })

  it('requires exactly these permissions; if there are several, one of them', () => {
    const asked: Record<string, string[]> = {}
    for (const route of t.app.routeTable) {
      const access = route.config?.access
      if (access === undefined || 'public' in access) continue
      const wanted = access.permission === anyCredential ? 'any credential' : [access.permission].flat().join(' or ')
      asked[wanted] = [...(asked[wanted] ?? []), ...methodsOf(route).map((method) => `${method} ${route.url}`)]
    }
    const crud = (path: string) => [`GET ${path}`, `POST ${path}`, ...one(path)]
    const one = (path: string) => [`GET ${path}/:id`, ...write(path)]
    const write = (path: string) => ['PATCH', 'PUT', 'DELETE'].map((method) => `${method} ${path}/:id`)
    const expected: Record<string, string[]> = {
      'users.manage': [
        ...crud('/api/users'),
        ...['POST /api/users/invite', 'POST /api/users/:id/invite', 'POST /api/users/:id/password-reset'],
        ...['POST /api/users/:id/email-confirmation', 'POST /api/users/import', 'GET /api/users/export'],
        ...['POST /api/users/bulk', 'GET /api/jobs', 'GET /api/jobs/:id', 'DELETE /api/jobs/:id'],
        ...['GET /api/jobs/:id/errors', 'POST /api/jobs/:id/undo'],
        ...['GET /api/users/:id/sessions', 'DELETE /api/users/:id/sessions', 'GET /api/stats'],
        ...['POST /api/users/:id/avatar', 'PUT /api/users/:id/avatar/external', 'DELETE /api/users/:id/avatar'],
        ...['PUT /api/users/:id/2fa', 'POST /api/users/:id/2fa/verify', 'DELETE /api/users/:id/2fa'],
        ...['GET /api/users/:id/factors', 'DELETE /api/users/:id/factors/:factor'],
      ],
      'users.activity': [
        ...['GET /api/activity', 'GET /api/activity/export'],
        ...['GET /api/users/:id/activity', 'GET /api/users/:id/sign-ins'],
      ],
      'events.read': ['GET /api/events'],
      'webhooks.manage': [
        ...crud('/api/webhooks'),
        ...['rotate', 'test', 'replay'].map((action) => `POST /api/webhooks/:id/${action}`),
        ...['GET /api/webhooks/:id/attempts', 'GET /api/webhooks/:id/attempts/:attempt'],
        'POST /api/webhooks/:id/attempts/:attempt/retry',
      ],
      'roles.manage or users.manage': ['GET /api/roles', 'GET /api/roles/:id', 'GET /api/roles/:id/permissions'],
      'roles.manage': ['POST /api/roles', ...write('/api/roles'), 'PUT /api/roles/:id/permissions'],
      'permissions.manage or roles.manage': ['GET /api/permissions', 'GET /api/permissions/:id'],
      'permissions.manage': ['POST /api/permissions', ...write('/api/permissions')],
      'api-keys.manage': [...crud('/api/api-keys'), 'POST /api/api-keys/:id/rotate'],
      'settings.general': ['GET /metrics'],
      'settings.notifications': ['POST /api/deliveries/test'],
      'settings.auth or settings.general': ['GET /api/settings'],
      'settings.auth': ['PATCH /api/settings', 'PUT /api/settings'],
      'deliveries.view': [
        ...['GET /api/deliveries', 'GET /api/deliveries/:id', 'GET /api/deliveries/:id/preview'],
        'POST /api/deliveries/:id/retry',
      ],
      'announcements.manage': [
        ...['POST /api/announcements', ...write('/api/announcements'), 'POST /api/announcements/preview'],
        ...['GET', 'POST', 'DELETE'].map((method) => `${method} /api/announcements/:id/notifications`),
        'GET /api/announcements/recipients',
      ],
      'any credential': [
        ...['GET /api/announcements', 'GET /api/announcements/:id', 'POST /api/announcements/read'],
        ...['GET /api/announcements/subscription', 'PUT /api/announcements/subscription'],
        ...['GET /api/countries', 'GET /api/me', 'PATCH /api/me/details', 'PUT /api/me/details'],
        ...['PATCH /api/me/details/auth', 'PUT /api/me/details/auth'],
        ...['GET /api/me/permissions', 'GET /api/me/sessions', 'DELETE /api/me/sessions'],
        ...['GET /api/me/preferences', 'PUT /api/me/preferences', 'GET /api/me/stream'],
        ...['POST /api/me/avatar', 'PUT /api/me/avatar/external', 'DELETE /api/me/avatar'],
        ...['GET /api/me/2fa/countries', 'PUT /api/me/2fa', 'POST /api/me/2fa/verify', 'DELETE /api/me/2fa'],
        ...['GET /api/me/factors', 'DELETE /api/me/factors/:factor', 'POST /api/me/factors/totp'],
        ...['POST /api/me/factors/totp/:factor/verify', 'POST /api/me/factors/passkeys'],
        ...['POST /api/me/factors/passkeys/options', 'POST /api/me/recovery-codes', 'GET /api/me/sign-ins'],
        ...['POST /api/me/reauthenticate', 'POST /api/me/reauthenticate/options', 'POST /api/me/reauthenticate/sms'],
        ...['POST /api/logout', 'GET /api/sessions/:session', 'DELETE /api/sessions/:session'],
      ],
    }
    const withHead = (routes: string[]) => routes.flatMap((route) => [route, route.replace('GET ', 'HEAD ')])
    const sorted = (table: Record<string, string[]>) =>
      Object.fromEntries(Object.entries(table).map(([key, routes]) => [key, [...new Set(withHead(routes))].toSorted()]))
    expect(sorted(asked)).toEqual(sorted(expected))
  })

  it('accepts HEAD wherever it accepts GET, and PUT wherever it accepts PATCH', () => {
    const all = new Set(t.app.routeTable.flatMap((route) => methodsOf(route).map((method) => `${method} ${route.url}`)))
    for (const route of all) {
      if (route.startsWith('GET ')) expect(all).toContain(route.replace('GET', 'HEAD'))
      if (route.startsWith('PATCH ')) expect(all).toContain(route.replace('PATCH', 'PUT'))
    }
  })
})

describe('a guarded scope', () => {
  it('prevents the start if a route declares no access', async () => {
    const app = createServer(t.ctx.config, undefined)
    const started = app.register(async (guarded) => {
      guardRoutes(guarded, t.ctx, createCredentials(t.ctx))
      guarded.get('/forgotten', () => 'secret')
    })
    await expect(async () => started).rejects.toThrow('GET /forgotten declares no access')
    await app.close()
  })

  it('accepts a route that declares it', async () => {
    const app = createServer(t.ctx.config, undefined)
    await app.register(async (guarded) => {
      guardRoutes(guarded, t.ctx, createCredentials(t.ctx))
      guarded.get('/open', { config: { access: { public: true } } }, () => 'open')
      guarded.get('/closed', { config: { access: { permission: anyCredential } } }, () => 'closed')
    })
    const statuses = await Promise.all(['/open', '/closed'].map(async (url) => (await app.inject(url)).statusCode))
    expect(statuses).toEqual([200, 401])
    await app.close()
  })
})

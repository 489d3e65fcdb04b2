import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createHolder } from '../testing/actors.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { anyCredential } from './credentials.ts'

/** A route that needs a credential, and the permissions of which one is enough; none if any credential is enough. */
interface Guarded {
  readonly request: string
  readonly permissions: readonly string[]
}

/** The answers other than 200 to an API key and an empty body after the guard has admitted it. */
const refusedBehindTheGuard: Record<string, number> = {
  'POST //api/logout': 403, // an API key is not a session
  'POST //api/me/avatar': 415,
  'PUT //api/me/avatar/external': 422,
  'PATCH //api/me/details/auth': 422,
  'PUT //api/me/details/auth': 422,
  'PUT //api/me/2fa': 422,
  'POST //api/me/2fa/verify': 422,
  'DELETE //api/me/2fa': 422,
  'DELETE //api/me/factors/999999': 404,
  'POST //api/me/factors/totp': 422,
  'POST //api/me/factors/totp/999999/verify': 404,
  'POST //api/me/factors/passkeys/options': 422,
  'POST //api/me/factors/passkeys': 422,
  'POST //api/me/recovery-codes': 422,
  'POST //api/me/reauthenticate': 422,
  'POST //api/me/reauthenticate/options': 422,
  'POST //api/me/reauthenticate/sms': 422,
  'GET //api/announcements/999999': 404,
  'HEAD //api/announcements/999999': 404,
  'PUT //api/announcements/subscription': 422,
  'GET //api/sessions/999999': 404,
  'HEAD //api/sessions/999999': 404,
  'DELETE //api/sessions/999999': 404,
}

let t: TestApp
let guarded: Guarded[]
let allPermissions: string[]
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  await t.call('POST /permissions', { body: { name: 'custom' } })
  allPermissions = (await t.call('GET /permissions')).body.data.map(({ name }: { name: string }) => name)
  guarded = t.app.routeTable.flatMap(({ method, url, config }) => {
    const access = config?.access
    if (access === undefined || 'public' in access) return []
    const wanted = access.permission === anyCredential ? [] : [access.permission].flat()
    // A missing id: an admitted caller finds nothing, so that no route changes what the next ones need.
    const path = url.replaceAll(/:\w+/g, '999999')
    return [method].flat().map((one) => ({ request: `${one} /${path}`, permissions: wanted as string[] }))
  })
})
afterAll(() => t.close())

/** A limited key may not change its owner's account, whatever its permissions; a full key may. */
const changesOwnAccount = (request: string) => /^(POST|PUT|PATCH|DELETE) \/\/api\/me(\/|$)/.test(request)

/** Keys with exactly these permissions: a limited key of an administrator, and a full key of a user with such a role. */
const keys = new Map<string, Promise<string[]>>()
function keysFor(permissions: string[]): Promise<string[]> {
  const known = keys.get(permissions.join())
  if (known !== undefined) return known
  const made = Promise.all([t.createUser({ role_id: 1 }, permissions), createHolder(t, permissions)])
  const found = made.then((holders) => holders.map(({ key }) => key))
  keys.set(permissions.join(), found)
  return found
}

/** Calls every guarded route as `permissionsFor` says, and returns the unexpected answers. */
async function surprises(
  permissionsFor: (route: Guarded) => string[][],
  isExpected: (status: number, route: Guarded, keyIsLimited: boolean) => boolean,
): Promise<string[]> {
  const found: string[] = []
  for (const route of guarded) {
    for (const permissions of permissionsFor(route)) {
      for (const [index, key] of (await keysFor(permissions)).entries()) {
        const { status } = await t.call(route.request, { key, body: {} })
        if (!isExpected(status, route, index === 0)) found.push(`${route.request} with [${permissions}]: ${status}`)
      }
    }
  }
  return found
}

describe('every route that is not public', () => {
  it('is tested here', () => {
    expect(guarded.length).toBeGreaterThan(35)
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(guarded.some(({ request }) => request.startsWith(`${method} `))).toBe(true)
    }
  })

  it.each([
    ['no credential', null],
    ['a malformed credential', 'gh_short'],
    ['a credential that was never issued', `gh_${'0'.repeat(43)}`],
  ])('answers 401 to %s, before it reads the body', async (_, key) => {
    for (const { request } of guarded) {
      for (const body of [{}, 'not json']) {
        const { status, headers } = await t.call(request, { key, body })
        expect([request, status, headers['www-authenticate']]).toEqual([request, 401, 'Bearer'])
      }
    }
  })

  it('answers 403 to a credential without permissions, unless any credential is enough', async () => {
    const unexpected = await surprises(
      () => [[]],
      (status, { request, permissions }, keyIsLimited) =>
        permissions.length === 0 && !(keyIsLimited && changesOwnAccount(request))
          ? status === (refusedBehindTheGuard[request] ?? 200)
          : status === 403,
    )
    expect(unexpected).toEqual([])
  })

  // asvs: 8.2.1, 8.3.1
  it('answers 403 to a credential with every permission except the required ones', async () => {
    const unexpected = await surprises(
      ({ permissions }) =>
        permissions.length === 0 ? [] : [allPermissions.filter((name) => !permissions.includes(name))],
      (status) => status === 403,
    )
    expect(unexpected).toEqual([])
  })

  it('admits a credential with exactly the required permission', async () => {
    const unexpected = await surprises(
      ({ permissions }) => permissions.map((name) => [name]),
      (status) => status < 500 && status !== 401 && status !== 403,
    )
    expect(unexpected).toEqual([])
  })
})

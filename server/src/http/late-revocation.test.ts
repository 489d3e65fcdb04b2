import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { anonymous, systemActor } from '../core/context.ts'
import { createSession } from '../features/credentials/live-sessions.service.ts'
import { createOwner, password } from '../features/sessions/sessions-test-steps.ts'
import { dumpDatabase } from '../testing/accounts.ts'
import { createHolder } from '../testing/actors.ts'
import type { TestApp } from '../testing/app.ts'
import { startAvatarApp } from '../testing/avatars.ts'
import { formHeaders, formOf, pictureOf } from '../testing/images.ts'
import { type DescribedOperation, operations, sampleBody } from '../testing/openapi.ts'
import { holdBody } from '../testing/raw-http.ts'
import { newPhone, requestCode, turnOnTwoFactor } from '../testing/two-factor.ts'

/*
 * A request is admitted when its headers have arrived. Its body may arrive much later, and its sender may have been banned,
 * demoted or signed out by then. Every operation that needs a credential and may change something is tested: headers and
 * half of the body, the end of the credential, the rest.
 */

let t: TestApp
let picture: Buffer
/** Runs once, just before the next transaction. */
let beforeTransaction: (() => Promise<unknown>) | undefined
beforeAll(async () => {
  t = await startAvatarApp(inject('postgresUrl'))
  picture = await pictureOf(1)
  const { transaction } = t.ctx
  const racing: typeof transaction = async (actor, work) => {
    const meanwhile = beforeTransaction
    beforeTransaction = undefined
    await meanwhile?.()
    return transaction(actor, work)
  }
  Object.assign(t.ctx, { transaction: racing })
})
afterAll(() => t.close())

/** The sender of the slow request: an administrator. */
interface Attacker {
  readonly id: number
  readonly token: string
  readonly sessionId: string | null
  readonly keyId: number | null
}

async function signedIn(): Promise<Attacker> {
  const { id } = await createOwner(t, { role_id: 1 })
  const origin = { ip: '127.0.0.1', userAgent: null, requestId: null }
  const token = await t.ctx.transaction(anonymous(origin), (tx) => createSession(tx, id, origin))
  const { id: sessionId } = await t.ctx.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, token, sessionId, keyId: null }
}

async function withKey(): Promise<Attacker> {
  const { password_hash } = await createOwner(t)
  const { user, key } = await t.createUser({ role_id: 1, password_hash })
  const { id: keyId } = await t.ctx.db
    .selectFrom('api_keys')
    .select('id')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  return { id: user.id, token: key, sessionId: null, keyId }
}

interface Attempt {
  readonly id?: number | string
  readonly body?: Record<string, unknown>
}

const made = async (request: string, body: object): Promise<Attempt> => {
  const answer = await t.call(request, { body })
  return { id: answer.body.data.id }
}
let names = 0
const name = () => `late${++names}`
const victim = async (): Promise<Attempt> => ({ id: (await createOwner(t)).id })
const announcement = () => made('POST /announcements', { title: 'News', body: 'News' })
const ownPassword = { current_password: password }

/** The preconditions for the operation to succeed with a valid credential. */
const attempts: Record<string, (attacker: Attacker) => Promise<Attempt>> = {
  createUser: async () => ({ body: { email: `${name()}@example.com`, username: name(), role_id: 1 } }),
  updateUser: async () => ({ ...(await victim()), body: { first_name: 'Changed', email: `${name()}@example.com` } }),
  deleteUser: victim,
  uploadAvatar: victim,
  setExternalAvatar: victim,
  removeAvatar: victim,
  enableTwoFactor: async () => ({ ...(await victim()), body: newPhone().body }),
  verifyTwoFactor: async () => {
    const { id } = await createOwner(t)
    return { id, body: { token: await requestCode(t, id) } }
  },
  disableTwoFactor: async () => {
    const { id } = await createOwner(t)
    await turnOnTwoFactor(t, id)
    return { id }
  },
  endUserSessions: victim,
  endSession: async () => ({ id: (await signedIn()).sessionId as string }),
  createRole: async () => ({ body: { name: name() } }),
  updateRole: () => made('POST /roles', { name: name() }),
  deleteRole: () => made('POST /roles', { name: name() }),
  setRolePermissions: async () => ({
    ...(await made('POST /roles', { name: name() })),
    body: { permissions: ['users.manage'] },
  }),
  createPermission: async () => ({ body: { name: name() } }),
  updatePermission: () => made('POST /permissions', { name: name() }),
  deletePermission: () => made('POST /permissions', { name: name() }),
  createApiKey: async () => ({ body: { name: name(), permissions: null, expires_at: null } }),
  updateApiKey: async () => ({ id: (await createHolder(t, [])).keyId, body: { name: name(), permissions: [] } }),
  rotateApiKey: async ({ id, keyId }) => {
    if (keyId !== null) return { id: keyId }
    const own = await t.ctx.transaction(systemActor, async ({ db }) => {
      const row = { name: 'Own', name_key: 'own', key_hash: name(), created_at: '', updated_at: '' }
      return db
        .insertInto('api_keys')
        .values({ ...row, user_id: id })
        .returning('id')
        .executeTakeFirstOrThrow()
    })
    return { id: own.id }
  },
  revokeApiKey: async () => ({ id: (await createHolder(t, [])).keyId }),
  updateSettings: async () => ({ body: { 'password.min_length': 20 } }),
  retryDelivery: async () => {
    await t.call(`PATCH /users/${(await createOwner(t)).id}`, { body: { email: `${name()}@example.com` } })
    const { id } = await t.ctx.unguarded
      .updateTable('deliveries')
      .set({ status: 'failed' })
      .where('id', '=', ({ selectFrom }) => selectFrom('deliveries').select(({ fn }) => fn.max('id').as('id')))
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id }
  },
  sendTestMail: async () => ({}),
  setMyPreferences: async () => ({ body: { theme: 'dark' } }),
  updateMyDetails: async () => ({ body: { first_name: 'Changed' } }),
  updateMySignIn: async () => ({ body: { ...ownPassword, username: name(), email: `${name()}@example.com` } }),
  enableMyTwoFactor: async () => ({ body: { ...ownPassword, ...newPhone().body } }),
  verifyMyTwoFactor: async ({ id }) => ({ body: { token: await requestCode(t, id) } }),
  disableMyTwoFactor: async ({ id }) => {
    await turnOnTwoFactor(t, id)
    return { body: ownPassword }
  },
  uploadMyAvatar: async () => ({}),
  setMyExternalAvatar: async () => ({}),
  removeMyAvatar: async ({ id }) => {
    await t.call(`PUT /users/${id}/avatar/external`, { body: { url: 'https://example.com/a.png' } })
    return {}
  },
  endMySessions: async () => ({}),
  signOut: async () => ({}),
  createAnnouncement: async () => ({ body: { title: 'News', body: 'News', email_notifications: true } }),
  updateAnnouncement: announcement,
  deleteAnnouncement: announcement,
  startAnnouncementNotifications: announcement,
  cancelAnnouncementNotifications: () =>
    made('POST /announcements', { title: 'News', body: 'News', email_notifications: true }),
  readAnnouncements: async () => {
    await announcement()
    return {}
  },
  setAnnouncementSubscription: async () => ({ body: { subscribed: false } }),
}

/** They only read, or return what they are given. */
const harmless = new Set(['previewAnnouncement'])

const writing = operations.filter(({ method, security }) => method !== 'GET' && security === undefined)

const admin = async (request: string, body?: unknown): Promise<void> => {
  const { status, text } = await t.call(request, body === undefined ? {} : { body })
  expect(status, text).toBe(200)
}

/** Operations that every user may do, so a demotion does not prevent them. A limited key still changes nothing of its owner's account. */
const isForEverybody = ({ description, path }: DescribedOperation, means: string) =>
  description.endsWith('Needs any valid credential.') && !(means === 'had the key limited' && path.startsWith('/me'))

/** What happens to the sender in the meantime. A demotion does not prevent operations without a required permission. */
const ends: Record<
  string,
  { begin: () => Promise<Attacker>; end: (attacker: Attacker) => Promise<void>; demotes?: true }
> = {
  'was deleted': { begin: signedIn, end: ({ id }) => admin(`DELETE /users/${id}`) },
  'was banned': { begin: signedIn, end: ({ id }) => admin(`PATCH /users/${id}`, { status: 'Banned' }) },
  'was demoted': { begin: signedIn, end: ({ id }) => admin(`PATCH /users/${id}`, { role_id: 2 }), demotes: true },
  'was signed out': { begin: signedIn, end: ({ sessionId }) => admin(`DELETE /sessions/${sessionId}`) },
  'lost the key': { begin: withKey, end: ({ keyId }) => admin(`DELETE /api-keys/${keyId}`) },
  'had the key limited': {
    begin: withKey,
    end: ({ keyId }) => admin(`PATCH /api-keys/${keyId}`, { permissions: [] }),
    demotes: true,
  },
}

const bodyOf = (operation: DescribedOperation, attempt: Attempt): Buffer => {
  if ('multipart/form-data' in (operation.requestBody?.content ?? {}) && operation.operationId.includes('Avatar'))
    return formOf([{ name: 'file', bytes: picture, filename: 'a.png' }])
  return Buffer.from(JSON.stringify({ ...sampleBody(operation), ...attempt.body }))
}

/** Holds back half of a request, ends the sender's credential, and sends the rest. Returns the answer and whether anything changed. */
async function attack(operation: DescribedOperation, means: keyof typeof ends) {
  const { begin, end } = ends[means] as (typeof ends)[string]
  const attacker = await begin()
  const attempt = (await attempts[operation.operationId]?.(attacker)) ?? {}
  const isFile = operation.operationId.includes('pload')
  const held = await holdBody(
    t.app,
    `${operation.method} /api${operation.path.replace(/\{\w+\}/, String(attempt.id))}`,
    { authorization: `Bearer ${attacker.token}`, ...(isFile ? formHeaders : { 'content-type': 'application/json' }) },
    bodyOf(operation, attempt),
  )
  await end(attacker)
  const before = await dumpDatabase(t)
  const { status, body } = await held.finish()
  return { status, body, changed: (await dumpDatabase(t)) !== before }
}

/** The same with a request that arrives at once; the credential ends after all checks before the transaction. */
async function race(operation: DescribedOperation, means: keyof typeof ends) {
  const { begin, end } = ends[means] as (typeof ends)[string]
  const attacker = await begin()
  const attempt = (await attempts[operation.operationId]?.(attacker)) ?? {}
  const isFile = operation.operationId.includes('pload')
  let before: string | undefined
  beforeTransaction = async () => {
    await end(attacker)
    before = await dumpWithoutCounters()
  }
  const { status, text } = await t.call(
    `${operation.method} ${operation.path.replace(/\{\w+\}/, String(attempt.id))}`,
    {
      key: attacker.token,
      ...(isFile ? { headers: formHeaders } : {}),
      body: isFile ? bodyOf(operation, attempt) : bodyOf(operation, attempt).toString(),
    },
  )
  const isRun = beforeTransaction === undefined
  beforeTransaction = undefined
  return { status, text, isRun, changed: (await dumpWithoutCounters()) !== before }
}

/** Attempts are counted, codes used up and files stored before the transaction of the change. */
async function dumpWithoutCounters(): Promise<string> {
  const tables = JSON.parse(await dumpDatabase(t)) as object[][]
  const isCounter = (row: object) => 'expires_ms' in row || 'since_ms' in row
  return JSON.stringify(tables.filter((rows) => rows.length > 0 && !rows.some(isCounter)))
}

describe('a request whose credential ends just before its transaction', () => {
  it.each(writing.filter(({ operationId }) => !harmless.has(operationId) && operationId !== 'signOut'))(
    '$operationId changes nothing',
    async (operation) => {
      for (const [means, { demotes }] of Object.entries(ends)) {
        if (demotes === true && isForEverybody(operation, means)) continue
        const { status, text, isRun, changed } = await race(operation, means)
        expect([means, isRun, status, changed], text).toEqual([means, true, demotes === true ? 403 : 401, false])
      }
    },
  )
})

describe('a request whose body comes late', () => {
  it('is tested for every operation that may change something', () => {
    const known = [...Object.keys(attempts), ...harmless]
    expect(writing.map(({ operationId }) => operationId).filter((id) => !known.includes(id))).toEqual([])
  })

  // asvs: 8.3.1
  it.each(writing.filter(({ operationId }) => !harmless.has(operationId)))(
    '$operationId changes nothing for a user who was banned, deleted, demoted or signed out in the meantime',
    async (operation) => {
      for (const [means, { demotes }] of Object.entries(ends)) {
        if (demotes === true && isForEverybody(operation, means)) continue
        const { status, body, changed } = await attack(operation, means)
        expect([means, status, changed], body).toEqual([means, demotes === true ? 403 : 401, false])
      }
    },
  )

  it.each(['createUser', 'updateMyDetails', 'deleteAnnouncement', 'uploadAvatar'])(
    '%s succeeds if nothing happened in the meantime',
    async (operationId) => {
      const operation = operations.find((known) => known.operationId === operationId) as DescribedOperation
      ends['kept everything'] = { begin: signedIn, end: async () => {} }
      const { status, changed } = await attack(operation, 'kept everything')
      delete ends['kept everything']
      expect([status < 300, changed]).toEqual([true, true])
    },
  )
})

import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { anonymous, systemActor } from '../core/context.ts'
import { sequenceAll } from '../features/activity/sequencer.ts'
import { createSession } from '../features/credentials/live-sessions.service.ts'
import { createOwner, password } from '../features/sessions/sessions-test-steps.ts'
import { dumpDatabase } from '../testing/accounts.ts'
import { createHolder } from '../testing/actors.ts'
import type { TestApp } from '../testing/app.ts'
import { addPasskey, newCredential } from '../testing/authenticator.ts'
import { startAvatarApp } from '../testing/avatars.ts'
import { formHeaders, formOf, pictureOf } from '../testing/images.ts'
import { type DescribedOperation, operations, sampleBody } from '../testing/openapi.ts'
import { holdBody } from '../testing/raw-http.ts'
import { addTotp, newTotpSecret, totpCode } from '../testing/totp.ts'
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
  picture = await pictureOf(1)
})

/** So many share a database: every attack reads all of it twice, so it must not grow. */
const testsPerDatabase = 10
let tests = 0
beforeEach(async () => {
  if (tests++ % testsPerDatabase > 0) return
  await t?.close()
  t = await startAvatarApp(inject('postgresUrl'))
  const { transaction } = t.ctx
  const racing: typeof transaction = async (actor, work) => {
    const meanwhile = beforeTransaction
    beforeTransaction = undefined
    await meanwhile?.()
    return transaction(actor, work)
  }
  Object.assign(t.ctx, { transaction: racing })
})
afterAll(() => t?.close())

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
  readonly factor?: number
  readonly attempt?: number
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
const queuedJob = async (): Promise<Attempt> => {
  const { id } = await createOwner(t)
  const { body } = await t.call('POST /users/bulk', { body: { action: 'end_sessions', ids: [id], expected: 1 } })
  return { id: body.data.id }
}
const newWebhook = async (): Promise<number> =>
  (await t.call('POST /webhooks', { body: { url: 'https://example.com/late', events: ['*'] } })).body.data.id
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
  inviteUser: async () => ({ body: { email: `${name()}@example.com`, username: name(), role_id: 1 } }),
  sendInvitation: async () => {
    const body = { email: `${name()}@${name()}.example.com`, role_id: 2 }
    const { body: answer } = await t.call('POST /users/invite', { body })
    await t.ctx.unguarded.deleteFrom('tries').execute() // another mail may go out at once
    return { id: answer.data.id }
  },
  sendPasswordReset: victim,
  sendEmailConfirmation: async () => {
    const { id } = await createOwner(t)
    await t.call(`PATCH /users/${id}`, { body: { status: 'Unconfirmed' } })
    return { id }
  },
  importUsers: async () => ({}),
  changeManyUsers: async () => {
    const { id } = await createOwner(t)
    return { body: { action: 'end_sessions', ids: [id], expected: 1, filter: undefined } }
  },
  cancelJob: queuedJob,
  undoJob: async () => {
    const { id } = await createOwner(t)
    const made = await t.call('POST /users/bulk', { body: { action: 'ban', ids: [id], expected: 1 } })
    const job = made.body.data.id
    await t.ctx.unguarded.updateTable('jobs').set({ status: 'done' }).where('id', '=', job).execute()
    return { id: job }
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
  createWebhook: async () => ({ body: { url: 'https://example.com/new', events: ['*'] } }),
  updateWebhook: async () => ({ id: await newWebhook(), body: { description: 'Changed' } }),
  deleteWebhook: async () => ({ id: await newWebhook() }),
  rotateWebhook: async () => ({ id: await newWebhook() }),
  testWebhook: async () => ({ id: await newWebhook() }),
  retryWebhookAttempt: async () => {
    const id = await newWebhook()
    const times = { duration_ms: 1, created_at: '2026-01-15 12:00:00' }
    const { id: attempt } = await t.ctx.unguarded
      .insertInto('webhook_attempts')
      .values({ webhook_id: id, activity_id: 1, type: 'user.created', ...times })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, attempt }
  },
  replayWebhook: async () => {
    const body = { from: '2026-01-15 00:00:00', to: '2026-01-16 00:00:00' }
    return { id: await newWebhook(), body }
  },
  setMyPreferences: async () => ({ body: { theme: 'dark' } }),
  updateMyDetails: async () => ({ body: { first_name: 'Changed' } }),
  updateMySignIn: async () => ({ body: { ...ownPassword, username: name(), email: `${name()}@example.com` } }),
  enableMyTwoFactor: async () => ({ body: { ...ownPassword, ...newPhone().body } }),
  verifyMyTwoFactor: async ({ id }) => ({ body: { token: await requestCode(t, id) } }),
  disableMyTwoFactor: async ({ id }) => {
    await turnOnTwoFactor(t, id)
    return { body: ownPassword }
  },
  removeFactor: async () => {
    const { id } = await createOwner(t)
    return { id, factor: await addTotp(t, id) }
  },
  removeMyFactor: async ({ id }) => ({ factor: await addTotp(t, id), body: ownPassword }),
  createMyTotp: async () => ({ body: { ...ownPassword, name: 'Phone' } }),
  verifyMyTotp: async ({ id }) => {
    const secret = newTotpSecret()
    const factor = await addTotp(t, id, { secret, verified: 0 })
    return { factor, body: { token: totpCode(t, secret) } }
  },
  startMyPasskey: async () => ({ body: ownPassword }),
  createMyPasskey: async ({ id }) => ({ body: { credential: await newCredential(t, id), name: 'Laptop' } }),
  renewMyRecoveryCodes: async ({ id }) => {
    await addTotp(t, id)
    return { body: ownPassword }
  },
  reauthenticateMe: async () => ({ body: { ...ownPassword, credential: undefined } }),
  startReauthentication: async ({ id }) => {
    await addPasskey(t, id)
    return {}
  },
  sendReauthenticationCode: async ({ id }) => {
    await turnOnTwoFactor(t, id)
    return {}
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

/** They say that an API key is not a session. */
const ofSessions = new Set(['reauthenticateMe', 'startReauthentication', 'sendReauthenticationCode'])

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

const pathOf = ({ path }: DescribedOperation, { id, factor, attempt }: Attempt): string =>
  path
    .replace('{factor}', String(factor))
    .replace('{attempt}', String(attempt))
    .replace(/\{\w+\}/, String(id))

/** Routes that take a file instead of JSON. */
const typeOf = ({ operationId }: DescribedOperation): Record<string, string> | undefined =>
  operationId === 'importUsers'
    ? { 'content-type': 'text/csv' }
    : operationId.includes('pload')
      ? formHeaders
      : undefined

const bodyOf = (operation: DescribedOperation, attempt: Attempt): Buffer => {
  if (operation.operationId === 'importUsers') return Buffer.from(`email\n${name()}@example.com\n`)
  if ('multipart/form-data' in (operation.requestBody?.content ?? {}) && operation.operationId.includes('Avatar'))
    return formOf([{ name: 'file', bytes: picture, filename: 'a.png' }])
  return Buffer.from(JSON.stringify({ ...sampleBody(operation), ...attempt.body }))
}

/** Holds back half of a request, ends the sender's credential, and sends the rest. Returns the answer and whether anything changed. */
async function attack(operation: DescribedOperation, means: keyof typeof ends) {
  const { begin, end } = ends[means] as (typeof ends)[string]
  const attacker = await begin()
  const attempt = (await attempts[operation.operationId]?.(attacker)) ?? {}
  const type = typeOf(operation)
  const held = await holdBody(
    t.app,
    `${operation.method} /api${pathOf(operation, attempt)}`,
    { authorization: `Bearer ${attacker.token}`, ...(type ?? { 'content-type': 'application/json' }) },
    bodyOf(operation, attempt),
  )
  await end(attacker)
  await sequenceAll(t.ctx) // the order of events is nobody's change
  const before = await dumpDatabase(t)
  const { status, body } = await held.finish()
  return { status, body, changed: (await dumpDatabase(t)) !== before }
}

/** The same with a request that arrives at once; the credential ends after all checks before the transaction. */
async function race(operation: DescribedOperation, means: keyof typeof ends) {
  const { begin, end } = ends[means] as (typeof ends)[string]
  const attacker = await begin()
  const attempt = (await attempts[operation.operationId]?.(attacker)) ?? {}
  const type = typeOf(operation)
  let before: string | undefined
  beforeTransaction = async () => {
    await end(attacker)
    before = await dumpWithoutCounters()
  }
  const { status, text } = await t.call(`${operation.method} ${pathOf(operation, attempt)}`, {
    key: attacker.token,
    ...(type === undefined ? {} : { headers: type }),
    body: type !== undefined ? bodyOf(operation, attempt) : bodyOf(operation, attempt).toString(),
  })
  const isRun = beforeTransaction === undefined
  beforeTransaction = undefined
  return { status, text, isRun, changed: (await dumpWithoutCounters()) !== before }
}

/** Attempts are counted, codes used up and files stored before the transaction of the change. */
async function dumpWithoutCounters(): Promise<string> {
  const tables = JSON.parse(await dumpDatabase(t)) as object[][]
  const isCounter = (row: object) => 'expires_ms' in row || 'since_ms' in row || 'bytes' in row
  return JSON.stringify(tables.filter((rows) => rows.length > 0 && !rows.some(isCounter)))
}

describe('a request whose credential ends just before its transaction', () => {
  it.each(writing.filter(({ operationId }) => !harmless.has(operationId) && operationId !== 'signOut'))(
    '$operationId changes nothing',
    async (operation) => {
      for (const [means, { demotes }] of Object.entries(ends)) {
        if (demotes === true && isForEverybody(operation, means)) continue
        if (means.includes('the key') && ofSessions.has(operation.operationId)) continue
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

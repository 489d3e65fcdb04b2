import { anonymous, systemActor } from '../core/context.ts'
import { createSession } from '../features/credentials/live-sessions.service.ts'
import { createOwner, password } from '../features/sessions/sessions-test-steps.ts'
import { createHolder } from '../testing/actors.ts'
import type { TestApp } from '../testing/app.ts'
import { addPasskey, newCredential } from '../testing/authenticator.ts'
import { formHeaders, formOf } from '../testing/images.ts'
import { type DescribedOperation, sampleBody } from '../testing/openapi.ts'
import { addTotp, newTotpSecret, totpCode } from '../testing/totp.ts'
import { newPhone, requestCode, turnOnTwoFactor } from '../testing/two-factor.ts'

/** A valid request for every operation that may change something, and the administrator who sends it. */

/** The sender of the slow request: an administrator. */
export interface Attacker {
  readonly id: number
  readonly token: string
  readonly sessionId: string | null
  readonly keyId: number | null
}

export async function signedIn(t: TestApp): Promise<Attacker> {
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

export async function withKey(t: TestApp): Promise<Attacker> {
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

const made = async (t: TestApp, request: string, body: object): Promise<Attempt> => {
  const answer = await t.call(request, { body })
  return { id: answer.body.data.id }
}
let names = 0
const name = () => `late${++names}`
const victim = async (t: TestApp): Promise<Attempt> => ({ id: (await createOwner(t)).id })
const announcement = (t: TestApp) => made(t, 'POST /announcements', { title: 'News', body: 'News' })
const queuedJob = async (t: TestApp): Promise<Attempt> => {
  const { id } = await createOwner(t)
  const { body } = await t.call('POST /users/bulk', { body: { action: 'end_sessions', ids: [id], expected: 1 } })
  return { id: body.data.id }
}
const newWebhook = async (t: TestApp): Promise<number> =>
  (await t.call('POST /webhooks', { body: { url: 'https://example.com/late', events: ['*'] } })).body.data.id
const ownPassword = { current_password: password }

/** The preconditions for the operation to succeed with a valid credential. */
export const attempts: Record<string, (t: TestApp, attacker: Attacker) => Promise<Attempt>> = {
  createUser: async () => ({ body: { email: `${name()}@example.com`, username: name(), role_id: 1 } }),
  updateUser: async (t) => ({ ...(await victim(t)), body: { first_name: 'Changed', email: `${name()}@example.com` } }),
  deleteUser: victim,
  uploadAvatar: victim,
  setExternalAvatar: victim,
  removeAvatar: victim,
  enableTwoFactor: async (t) => ({ ...(await victim(t)), body: newPhone().body }),
  verifyTwoFactor: async (t) => {
    const { id } = await createOwner(t)
    return { id, body: { token: await requestCode(t, id) } }
  },
  disableTwoFactor: async (t) => {
    const { id } = await createOwner(t)
    await turnOnTwoFactor(t, id)
    return { id }
  },
  inviteUser: async () => ({ body: { email: `${name()}@example.com`, username: name(), role_id: 1 } }),
  sendInvitation: async (t) => {
    const body = { email: `${name()}@${name()}.example.com`, role_id: 2 }
    const { body: answer } = await t.call('POST /users/invite', { body })
    await t.ctx.unguarded.deleteFrom('tries').execute() // another mail may go out at once
    return { id: answer.data.id }
  },
  sendPasswordReset: victim,
  sendEmailConfirmation: async (t) => {
    const { id } = await createOwner(t)
    await t.call(`PATCH /users/${id}`, { body: { status: 'Unconfirmed' } })
    return { id }
  },
  importUsers: async () => ({}),
  changeManyUsers: async (t) => {
    const { id } = await createOwner(t)
    return { body: { action: 'end_sessions', ids: [id], expected: 1, filter: undefined } }
  },
  cancelJob: queuedJob,
  undoJob: async (t) => {
    const { id } = await createOwner(t)
    const made = await t.call('POST /users/bulk', { body: { action: 'ban', ids: [id], expected: 1 } })
    const job = made.body.data.id
    await t.ctx.unguarded.updateTable('jobs').set({ status: 'done', updated: 1 }).where('id', '=', job).execute()
    return { id: job }
  },
  endUserSessions: victim,
  endSession: async (t) => ({ id: (await signedIn(t)).sessionId as string }),
  createRole: async () => ({ body: { name: name() } }),
  updateRole: (t) => made(t, 'POST /roles', { name: name() }),
  deleteRole: (t) => made(t, 'POST /roles', { name: name() }),
  setRolePermissions: async (t) => ({
    ...(await made(t, 'POST /roles', { name: name() })),
    body: { permissions: ['users.manage'] },
  }),
  createPermission: async () => ({ body: { name: name() } }),
  updatePermission: (t) => made(t, 'POST /permissions', { name: name() }),
  deletePermission: (t) => made(t, 'POST /permissions', { name: name() }),
  createApiKey: async () => ({ body: { name: name(), permissions: null, expires_at: null } }),
  updateApiKey: async (t) => ({ id: (await createHolder(t, [])).keyId, body: { name: name(), permissions: [] } }),
  rotateApiKey: async (t, { id, keyId }) => {
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
  revokeApiKey: async (t) => ({ id: (await createHolder(t, [])).keyId }),
  updateSettings: async () => ({ body: { 'password.min_length': 20 } }),
  retryDelivery: async (t) => {
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
  updateWebhook: async (t) => ({ id: await newWebhook(t), body: { description: 'Changed' } }),
  deleteWebhook: async (t) => ({ id: await newWebhook(t) }),
  rotateWebhook: async (t) => ({ id: await newWebhook(t) }),
  testWebhook: async (t) => ({ id: await newWebhook(t) }),
  retryWebhookAttempt: async (t) => {
    const id = await newWebhook(t)
    const times = { duration_ms: 1, created_at: '2026-01-15 12:00:00' }
    const { id: attempt } = await t.ctx.unguarded
      .insertInto('webhook_attempts')
      .values({ webhook_id: id, activity_id: 1, type: 'user.created', ...times })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, attempt }
  },
  replayWebhook: async (t) => {
    const body = { from: '2026-01-15 00:00:00', to: '2026-01-16 00:00:00' }
    return { id: await newWebhook(t), body }
  },
  setMyPreferences: async () => ({ body: { theme: 'dark' } }),
  updateMyDetails: async () => ({ body: { first_name: 'Changed' } }),
  updateMySignIn: async () => ({ body: { ...ownPassword, username: name(), email: `${name()}@example.com` } }),
  enableMyTwoFactor: async () => ({ body: { ...ownPassword, ...newPhone().body } }),
  verifyMyTwoFactor: async (t, { id }) => ({ body: { token: await requestCode(t, id) } }),
  disableMyTwoFactor: async (t, { id }) => {
    await turnOnTwoFactor(t, id)
    return { body: ownPassword }
  },
  removeFactor: async (t) => {
    const { id } = await createOwner(t)
    return { id, factor: await addTotp(t, id) }
  },
  removeMyFactor: async (t, { id }) => ({ factor: await addTotp(t, id), body: ownPassword }),
  createMyTotp: async () => ({ body: { ...ownPassword, name: 'Phone' } }),
  verifyMyTotp: async (t, { id }) => {
    const secret = newTotpSecret()
    const factor = await addTotp(t, id, { secret, verified: 0 })
    return { factor, body: { token: totpCode(t, secret) } }
  },
  startMyPasskey: async () => ({ body: ownPassword }),
  createMyPasskey: async (t, { id }) => ({ body: { credential: await newCredential(t, id), name: 'Laptop' } }),
  renewMyRecoveryCodes: async (t, { id }) => {
    await addTotp(t, id)
    return { body: ownPassword }
  },
  reauthenticateMe: async () => ({ body: { ...ownPassword, credential: undefined } }),
  startReauthentication: async (t, { id }) => {
    await addPasskey(t, id)
    return {}
  },
  sendReauthenticationCode: async (t, { id }) => {
    await turnOnTwoFactor(t, id)
    return {}
  },
  uploadMyAvatar: async () => ({}),
  setMyExternalAvatar: async () => ({}),
  removeMyAvatar: async (t, { id }) => {
    await t.call(`PUT /users/${id}/avatar/external`, { body: { url: 'https://example.com/a.png' } })
    return {}
  },
  endMySessions: async () => ({}),
  signOut: async () => ({}),
  createAnnouncement: async () => ({ body: { title: 'News', body: 'News', email_notifications: true } }),
  updateAnnouncement: announcement,
  deleteAnnouncement: announcement,
  startAnnouncementNotifications: announcement,
  cancelAnnouncementNotifications: (t) =>
    made(t, 'POST /announcements', { title: 'News', body: 'News', email_notifications: true }),
  readAnnouncements: async (t) => {
    await announcement(t)
    return {}
  },
  setAnnouncementSubscription: async () => ({ body: { subscribed: false } }),
}

export const pathOf = ({ path }: DescribedOperation, { id, factor, attempt }: Attempt): string =>
  path
    .replace('{factor}', String(factor))
    .replace('{attempt}', String(attempt))
    .replace(/\{\w+\}/, String(id))

/** Routes that take a file instead of JSON. */
export const typeOf = ({ operationId }: DescribedOperation): Record<string, string> | undefined =>
  operationId === 'importUsers'
    ? { 'content-type': 'text/csv' }
    : operationId.includes('pload')
      ? formHeaders
      : undefined

export const bodyOf = (operation: DescribedOperation, attempt: Attempt, picture: Buffer): Buffer => {
  if (operation.operationId === 'importUsers') return Buffer.from(`email\n${name()}@example.com\n`)
  if ('multipart/form-data' in (operation.requestBody?.content ?? {}) && operation.operationId.includes('Avatar'))
    return formOf([{ name: 'file', bytes: picture, filename: 'a.png' }])
  return Buffer.from(JSON.stringify({ ...sampleBody(operation), ...attempt.body }))
}

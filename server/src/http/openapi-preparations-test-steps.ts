import { sequenceAll } from '../features/activity/sequencer.ts'
import { createOwner, login, password, signIn } from '../features/sessions/sessions-test-steps.ts'
import { newcomer, oldPassword, registerUnconfirmed, requestResetToken } from '../testing/accounts.ts'
import { runPluginJobs, type TestApp } from '../testing/app.ts'
import { addPasskey, newCredential } from '../testing/authenticator.ts'
import { runJobs } from '../testing/jobs.ts'
import { codeIn, messageTo, tokenIn } from '../testing/messages.ts'
import { addTotp, newTotpSecret, totpCode } from '../testing/totp.ts'
import { newPhone, requestCode, turnOnTwoFactor } from '../testing/two-factor.ts'
import { type Request, urlencoded } from './openapi-test-steps.ts'

/** What has to exist before an operation can succeed. */

/** An object of every collection that the caller may read, change and delete: `/users` → its id. */
export type Ids = Map<string, number | string>

/** A signed-in user, with the login token as their key. */
async function signedIn(t: TestApp) {
  const user = await createOwner(t)
  return { user, key: await signIn(t, user) }
}

async function publish(t: TestApp, email_notifications: boolean): Promise<number> {
  return (await t.call('POST /announcements', { body: { title: 'News', body: 'News', email_notifications } })).body.data
    .id
}

/** The token of a security mail. */
async function secureToken(t: TestApp): Promise<string> {
  const { id, email } = await createOwner(t)
  await turnOnTwoFactor(t, id)
  return tokenIn(await messageTo(t, email, 'two-factor-on'))
}

/** In the form that a mail contains. */
async function unsubscribeToken(t: TestApp): Promise<string> {
  await publish(t, true)
  await runPluginJobs(t)
  const mails = t.ctx.unguarded
    .selectFrom('deliveries')
    .select('headers')
    .where('template', '=', 'announcements.published')
  const { headers } = await mails.limit(1).executeTakeFirstOrThrow()
  return /unsubscribe\/([\w.-]+)/.exec(headers ?? '')?.[1] ?? ''
}

const oneUser = async (t: TestApp) => ({ ids: [(await createOwner(t)).id], expected: 1 })

/** Somebody who registered, and to whom another mail may go out at once. */
async function waiting(t: TestApp) {
  const { user } = await registerUnconfirmed(t)
  await t.ctx.unguarded.deleteFrom('tries').execute()
  return user
}

async function invitationToken(t: TestApp): Promise<string> {
  const { email } = newcomer()
  await t.call('POST /users/invite', { body: { email, role_id: 2 } })
  return tokenIn(await messageTo(t, email, 'invitation'))
}
/** An attempt to send the event 1 to a new webhook. */
async function webhookAttempt(t: TestApp, enabled = true): Promise<Request> {
  const id = await newWebhook(t, enabled)
  await sequenceAll(t.ctx)
  const row = {
    webhook_id: id,
    activity_id: 1,
    type: 'user.created',
    duration_ms: 1,
    created_at: '2026-01-15 12:00:00',
  }
  const { id: attempt } = await t.ctx.unguarded
    .insertInto('webhook_attempts')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, attempt }
}

const newWebhook = async (t: TestApp, enabled: boolean): Promise<number> =>
  (await t.call('POST /webhooks', { body: { url: 'https://example.com/hook', events: ['*'], enabled } })).body.data.id

/** What a webhook that is switched off does not do. */
export const refusedByDisabled: Record<string, (t: TestApp) => Promise<Request>> = {
  testWebhook: async (t) => ({ id: await newWebhook(t, false) }),
  retryWebhookAttempt: (t) => webhookAttempt(t, false),
}

/** The preconditions of operations that no example can meet: tokens, and names that must be new. */
export const preparations: Record<
  string,
  (t: TestApp, ids: Ids) => Promise<Request & { body?: Record<string, unknown> }>
> = {
  signIn: async (t) => ({ body: { username: (await createOwner(t)).email, password } }),
  signInWithCode: async (t) => {
    const user = await createOwner(t)
    const { e164 } = await turnOnTwoFactor(t, user.id)
    t.clock.advance({ minutes: 1 })
    const { challenge } = (await login(t, user.email)).body
    const token = codeIn(await messageTo(t, e164, 'two-factor-login'))
    return { body: { challenge, token, method: 'sms', credential: undefined } }
  },
  sendSignInCode: async (t) => {
    const user = await createOwner(t)
    await turnOnTwoFactor(t, user.id)
    return { body: { challenge: (await login(t, user.email)).body.challenge } }
  },
  signInWithPasskey: async (t) => {
    const { authenticator } = await addPasskey(t, (await createOwner(t)).id)
    const { challenge, options } = (await t.call('POST /login/passkey/options', { key: null })).body
    return { body: { challenge, credential: authenticator.get(options) } }
  },
  createMyTotp: async (t) => ({ options: { key: (await signedIn(t)).key }, body: { current_password: password } }),
  verifyMyTotp: async (t) => {
    const { user, key } = await signedIn(t)
    const secret = newTotpSecret()
    const factor = await addTotp(t, user.id, { secret, verified: 0 })
    return { factor, options: { key }, body: { token: totpCode(t, secret) } }
  },
  startMyPasskey: async (t) => ({ options: { key: (await signedIn(t)).key }, body: { current_password: password } }),
  createMyPasskey: async (t) => {
    const { user, key } = await signedIn(t)
    return { options: { key }, body: { credential: await newCredential(t, user.id) } }
  },
  renewMyRecoveryCodes: async (t) => {
    const { user, key } = await signedIn(t)
    await addTotp(t, user.id)
    return { options: { key }, body: { current_password: password } }
  },
  removeMyFactor: async (t) => {
    const { user, key } = await signedIn(t)
    return { factor: await addTotp(t, user.id), options: { key }, body: { current_password: password } }
  },
  listFactors: async (t) => {
    const { id } = await createOwner(t)
    await addTotp(t, id)
    return { id }
  },
  removeFactor: async (t) => {
    const { id } = await createOwner(t)
    return { id, factor: await addTotp(t, id) }
  },
  reauthenticateMe: async (t) => ({
    options: { key: (await signedIn(t)).key },
    body: { current_password: password, challenge: undefined, credential: undefined },
  }),
  startReauthentication: async (t) => {
    const { user, key } = await signedIn(t)
    await addPasskey(t, user.id)
    return { options: { key } }
  },
  sendReauthenticationCode: async (t) => {
    const { user, key } = await signedIn(t)
    await turnOnTwoFactor(t, user.id)
    return { options: { key } }
  },
  listWebhookAttempts: (t) => webhookAttempt(t),
  getWebhookAttempt: (t) => webhookAttempt(t),
  retryWebhookAttempt: (t) => webhookAttempt(t),
  previewSecureAccount: async (t) => ({ body: { token: await secureToken(t) } }),
  secureAccount: async (t) => ({ body: { token: await secureToken(t) } }),
  listUserSignIns: async (t) => ({ id: (await signedIn(t)).user.id }),
  listMySignIns: async (t) => ({ options: { key: (await signedIn(t)).key } }),
  inviteUser: async () => {
    const { username, email } = newcomer()
    return { body: { username, email } }
  },
  sendInvitation: async (t) => ({ id: (await waiting(t)).id }),
  sendPasswordReset: async (t) => ({ id: (await createOwner(t)).id }),
  sendEmailConfirmation: async (t) => ({ id: (await waiting(t)).id }),
  previewInvitation: async (t) => ({ body: { token: await invitationToken(t) } }),
  acceptInvitation: async (t) => ({ body: { token: await invitationToken(t), username: newcomer().username } }),
  changeManyUsers: async (t) => ({ body: { ...(await oneUser(t)), filter: undefined } }),
  undoJob: async (t) => {
    const { body } = await t.call('POST /users/bulk', { body: { action: 'ban', ...(await oneUser(t)) } })
    await runJobs(t)
    return { id: body.data.id }
  },
  cancelJob: async (t) => {
    const { body } = await t.call('POST /users/bulk', { body: { action: 'ban', ...(await oneUser(t)) } })
    return { id: body.data.id }
  },
  signOut: async (t) => ({ options: { key: (await signedIn(t)).key } }),
  registerAccount: async () => ({ body: newcomer() }),
  confirmEmail: async (t) => ({ body: { token: (await registerUnconfirmed(t)).token, password: oldPassword } }),
  previewEmailConfirmation: async (t) => ({ body: { token: (await registerUnconfirmed(t)).token } }),
  previewPasswordReset: async (t) => {
    const { email } = await createOwner(t)
    return { body: { email, token: await requestResetToken(t, email) } }
  },
  resetPassword: async (t) => {
    const { email } = await createOwner(t)
    return { body: { email, token: await requestResetToken(t, email) } }
  },
  updateMySignIn: async (t) => {
    const { username, email } = newcomer()
    return { options: { key: (await signedIn(t)).key }, body: { current_password: password, username, email } }
  },
  enableMyTwoFactor: async (t) => ({
    options: { key: (await signedIn(t)).key },
    body: { current_password: password, ...newPhone().body },
  }),
  verifyMyTwoFactor: async (t) => {
    const { user, key } = await signedIn(t)
    return { options: { key }, body: { token: await requestCode(t, user.id) } }
  },
  disableMyTwoFactor: async (t) => {
    const { user, key } = await signedIn(t)
    await turnOnTwoFactor(t, user.id)
    return { options: { key }, body: { current_password: password } }
  },
  disableTwoFactor: async (t) => {
    const { id } = await createOwner(t)
    await turnOnTwoFactor(t, id)
    return { id }
  },
  verifyTwoFactor: async (t) => {
    const { id } = await createOwner(t)
    return { id, body: { token: await requestCode(t, id) } }
  },
  enableTwoFactor: async (t) => ({ id: (await createOwner(t)).id, body: newPhone().body }),
  previewDelivery: async (t) => {
    await t.ctx.outbox.deliverDue() // it may be queued for a retry, and is not shown then
    return {}
  },
  retryDelivery: async (t, ids) => {
    // As after two days of a mail server that refuses it.
    const id = Number(ids.get('/deliveries'))
    await t.ctx.unguarded.updateTable('deliveries').set({ status: 'failed' }).where('id', '=', id).execute()
    return { id }
  },
  listUserSessions: async (t) => ({ id: (await signedIn(t)).user.id }),
  startAnnouncementNotifications: async (t) => ({ id: await publish(t, false) }),
  showUnsubscribePage: async (t) => ({ id: await unsubscribeToken(t) }),
  unsubscribeByLink: async (t) => ({
    id: await unsubscribeToken(t),
    options: urlencoded('List-Unsubscribe=One-Click'),
  }),
  streamMyEvents: async (t) => {
    const { body } = await t.call('GET /me/stream')
    return { options: { headers: { 'last-event-id': String(Math.max(0, body.meta.last_event_id - 10)) } } }
  },
  listMySessions: async (t) => ({ options: { key: (await signedIn(t)).key } }),
}

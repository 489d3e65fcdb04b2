import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { sequenceAll } from '../features/activity/sequencer.ts'
import {
  createOwner,
  handleOf,
  login,
  password,
  signIn,
  signInWithCookie,
} from '../features/sessions/sessions-test-steps.ts'
import { newcomer, oldPassword, registerUnconfirmed, requestResetToken } from '../testing/accounts.ts'
import { type Answer, createTestApp, runJobs, type TestApp } from '../testing/app.ts'
import { addPasskey, newCredential } from '../testing/authenticator.ts'
import { startAvatarApp } from '../testing/avatars.ts'
import { pictureOf } from '../testing/images.ts'
import { importFile, runJobs as runLongJobs } from '../testing/jobs.ts'
import { codeIn, messageTo, tokenIn } from '../testing/messages.ts'
import { type DescribedOperation, parametersOf, sampleBody } from '../testing/openapi.ts'
import { addTotp, newTotpSecret, totpCode } from '../testing/totp.ts'
import { newPhone, requestCode, turnOnTwoFactor } from '../testing/two-factor.ts'
import {
  changes,
  collectionOf,
  creations,
  deletions,
  expectAsDescribed,
  filtersOf,
  form,
  isFree,
  jsonOperations,
  publicly,
  type Request,
  reads,
  successOf,
  takesFile,
  takesForm,
  urlencoded,
  wrongFields,
} from './openapi-test-steps.ts'

/** Calls every operation as documented, to get each of its answers, and compares them with the document. */

let t: TestApp
/** An object of every collection that the caller may read, change and delete: `/users` → its id. */
const ids = new Map<string, number | string>()
let picture: Buffer
beforeAll(async () => {
  t = await startAvatarApp(inject('postgresUrl'))
  picture = await pictureOf(1)
  const owner = await createOwner(t)
  ids.set('/sessions', await handleOf(t, await signIn(t, owner)))
  await requestResetToken(t, owner.email)
  ids.set('/jobs', (await importFile(t, 'email\nwrong\n')).job.id)
  ids.set('/deliveries', (await messageTo(t, owner.email, 'reset-password')).id)
  ownFactor = await addTotp(t, 1, { verified: 0 })
})
afterAll(() => t.close())

/** Factors of the administrator, who sends what is not said otherwise. */
let ownFactor: number

const call = (
  { method, path }: DescribedOperation,
  { id, factor = id === 999_999 ? id : ownFactor, attempt = 1, query = '', options = {} }: Request,
  app = t,
): Promise<Answer> => {
  const target = path
    .replace('{factor}', String(factor))
    .replace('{attempt}', String(attempt))
    .replace(/\{\w+\}/, String(id))
  return app.call(`${method} ${target}${query}`, options)
}

/** What the documentation page sends if nothing is filled in: every example. */
function sampleRequest(operation: DescribedOperation): Request {
  const parameters = parametersOf(operation, 'query').filter(({ example }) => example !== undefined)
  const query = new URLSearchParams(parameters.map(({ name, example }): [string, string] => [name, String(example)]))
  const body = takesFile(operation) ? undefined : sampleBody(operation)
  const options = takesFile(operation) ? form(picture) : body === undefined ? {} : { body }
  return { id: ids.get(collectionOf(operation.path)), query: `?${query}`, options }
}

/** A signed-in user, with the login token as their key. */
async function signedIn() {
  const user = await createOwner(t)
  return { user, key: await signIn(t, user) }
}

async function publish(email_notifications: boolean): Promise<number> {
  return (await t.call('POST /announcements', { body: { title: 'News', body: 'News', email_notifications } })).body.data
    .id
}

/** The token of a security mail. */
async function secureToken(): Promise<string> {
  const { id, email } = await createOwner(t)
  await turnOnTwoFactor(t, id)
  return tokenIn(await messageTo(t, email, 'two-factor-on'))
}

/** In the form that a mail contains. */
async function unsubscribeToken(): Promise<string> {
  await publish(true)
  await runJobs(t)
  const mails = t.ctx.unguarded
    .selectFrom('deliveries')
    .select('headers')
    .where('template', '=', 'announcements.published')
  const { headers } = await mails.limit(1).executeTakeFirstOrThrow()
  return /unsubscribe\/([\w.-]+)/.exec(headers ?? '')?.[1] ?? ''
}

const oneUser = async () => ({ ids: [(await createOwner(t)).id], expected: 1 })

/** Somebody who registered, and to whom another mail may go out at once. */
async function waiting() {
  const { user } = await registerUnconfirmed(t)
  await t.ctx.unguarded.deleteFrom('tries').execute()
  return user
}

async function invitationToken(): Promise<string> {
  const { email } = newcomer()
  await t.call('POST /users/invite', { body: { email, role_id: 2 } })
  return tokenIn(await messageTo(t, email, 'invitation'))
}
/** An attempt to send the event 1 to a new webhook. */
async function webhookAttempt(): Promise<Request> {
  const id = await newWebhook(true)
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

const newWebhook = async (enabled: boolean): Promise<number> =>
  (await t.call('POST /webhooks', { body: { url: 'https://example.com/hook', events: ['*'], enabled } })).body.data.id

/** What a webhook that is switched off does not do. */
const ofEnabled = new Set(['testWebhook', 'retryWebhookAttempt'])

/** The preconditions of operations that no example can meet: tokens, and names that must be new. */
const preparations: Record<string, () => Promise<Request & { body?: Record<string, unknown> }>> = {
  signIn: async () => ({ body: { username: (await createOwner(t)).email, password } }),
  signInWithCode: async () => {
    const user = await createOwner(t)
    const { e164 } = await turnOnTwoFactor(t, user.id)
    t.clock.advance({ minutes: 1 })
    const { challenge } = (await login(t, user.email)).body
    const token = codeIn(await messageTo(t, e164, 'two-factor-login'))
    return { body: { challenge, token, method: 'sms', credential: undefined } }
  },
  sendSignInCode: async () => {
    const user = await createOwner(t)
    await turnOnTwoFactor(t, user.id)
    return { body: { challenge: (await login(t, user.email)).body.challenge } }
  },
  signInWithPasskey: async () => {
    const { authenticator } = await addPasskey(t, (await createOwner(t)).id)
    const { challenge, options } = (await t.call('POST /login/passkey/options', { key: null })).body
    return { body: { challenge, credential: authenticator.get(options) } }
  },
  createMyTotp: async () => ({ options: { key: (await signedIn()).key }, body: { current_password: password } }),
  verifyMyTotp: async () => {
    const { user, key } = await signedIn()
    const secret = newTotpSecret()
    const factor = await addTotp(t, user.id, { secret, verified: 0 })
    return { factor, options: { key }, body: { token: totpCode(t, secret) } }
  },
  startMyPasskey: async () => ({ options: { key: (await signedIn()).key }, body: { current_password: password } }),
  createMyPasskey: async () => {
    const { user, key } = await signedIn()
    return { options: { key }, body: { credential: await newCredential(t, user.id) } }
  },
  renewMyRecoveryCodes: async () => {
    const { user, key } = await signedIn()
    await addTotp(t, user.id)
    return { options: { key }, body: { current_password: password } }
  },
  removeMyFactor: async () => {
    const { user, key } = await signedIn()
    return { factor: await addTotp(t, user.id), options: { key }, body: { current_password: password } }
  },
  listFactors: async () => {
    const { id } = await createOwner(t)
    await addTotp(t, id)
    return { id }
  },
  removeFactor: async () => {
    const { id } = await createOwner(t)
    return { id, factor: await addTotp(t, id) }
  },
  reauthenticateMe: async () => ({
    options: { key: (await signedIn()).key },
    body: { current_password: password, challenge: undefined, credential: undefined },
  }),
  startReauthentication: async () => {
    const { user, key } = await signedIn()
    await addPasskey(t, user.id)
    return { options: { key } }
  },
  sendReauthenticationCode: async () => {
    const { user, key } = await signedIn()
    await turnOnTwoFactor(t, user.id)
    return { options: { key } }
  },
  listWebhookAttempts: webhookAttempt,
  getWebhookAttempt: webhookAttempt,
  retryWebhookAttempt: webhookAttempt,
  previewSecureAccount: async () => ({ body: { token: await secureToken() } }),
  secureAccount: async () => ({ body: { token: await secureToken() } }),
  listUserSignIns: async () => ({ id: (await signedIn()).user.id }),
  listMySignIns: async () => ({ options: { key: (await signedIn()).key } }),
  inviteUser: async () => {
    const { username, email } = newcomer()
    return { body: { username, email } }
  },
  sendInvitation: async () => ({ id: (await waiting()).id }),
  sendPasswordReset: async () => ({ id: (await createOwner(t)).id }),
  sendEmailConfirmation: async () => ({ id: (await waiting()).id }),
  previewInvitation: async () => ({ body: { token: await invitationToken() } }),
  acceptInvitation: async () => ({ body: { token: await invitationToken(), username: newcomer().username } }),
  changeManyUsers: async () => ({ body: { ...(await oneUser()), filter: undefined } }),
  undoJob: async () => {
    const { body } = await t.call('POST /users/bulk', { body: { action: 'ban', ...(await oneUser()) } })
    await runLongJobs(t)
    return { id: body.data.id }
  },
  cancelJob: async () => {
    const { body } = await t.call('POST /users/bulk', { body: { action: 'ban', ...(await oneUser()) } })
    return { id: body.data.id }
  },
  signOut: async () => ({ options: { key: (await signedIn()).key } }),
  registerAccount: async () => ({ body: newcomer() }),
  confirmEmail: async () => ({ body: { token: (await registerUnconfirmed(t)).token, password: oldPassword } }),
  previewEmailConfirmation: async () => ({ body: { token: (await registerUnconfirmed(t)).token } }),
  previewPasswordReset: async () => {
    const { email } = await createOwner(t)
    return { body: { email, token: await requestResetToken(t, email) } }
  },
  resetPassword: async () => {
    const { email } = await createOwner(t)
    return { body: { email, token: await requestResetToken(t, email) } }
  },
  updateMySignIn: async () => {
    const { username, email } = newcomer()
    return { options: { key: (await signedIn()).key }, body: { current_password: password, username, email } }
  },
  enableMyTwoFactor: async () => ({
    options: { key: (await signedIn()).key },
    body: { current_password: password, ...newPhone().body },
  }),
  verifyMyTwoFactor: async () => {
    const { user, key } = await signedIn()
    return { options: { key }, body: { token: await requestCode(t, user.id) } }
  },
  disableMyTwoFactor: async () => {
    const { user, key } = await signedIn()
    await turnOnTwoFactor(t, user.id)
    return { options: { key }, body: { current_password: password } }
  },
  disableTwoFactor: async () => {
    const { id } = await createOwner(t)
    await turnOnTwoFactor(t, id)
    return { id }
  },
  verifyTwoFactor: async () => {
    const { id } = await createOwner(t)
    return { id, body: { token: await requestCode(t, id) } }
  },
  enableTwoFactor: async () => ({ id: (await createOwner(t)).id, body: newPhone().body }),
  previewDelivery: async () => {
    await t.ctx.outbox.deliverDue() // it may be queued for a retry, and is not shown then
    return {}
  },
  retryDelivery: async () => {
    // As after two days of a mail server that refuses it.
    const id = Number(ids.get('/deliveries'))
    await t.ctx.unguarded.updateTable('deliveries').set({ status: 'failed' }).where('id', '=', id).execute()
    return { id }
  },
  listUserSessions: async () => ({ id: (await signedIn()).user.id }),
  startAnnouncementNotifications: async () => ({ id: await publish(false) }),
  showUnsubscribePage: async () => ({ id: await unsubscribeToken() }),
  unsubscribeByLink: async () => ({ id: await unsubscribeToken(), options: urlencoded('List-Unsubscribe=One-Click') }),
  streamMyEvents: async () => {
    const { body } = await t.call('GET /me/stream')
    return { options: { headers: { 'last-event-id': String(Math.max(0, body.meta.last_event_id - 10)) } } }
  },
  listMySessions: async () => ({ options: { key: (await signedIn()).key } }),
}

async function succeed(operation: DescribedOperation): Promise<Answer> {
  const sample = sampleRequest(operation)
  const { body, options, ...prepared } = (await preparations[operation.operationId]?.()) ?? {}
  const sampleFields = sample.options?.body
  const fields = body === undefined ? {} : { body: { ...(sampleFields as Record<string, unknown>), ...body } }
  const answer = await call(operation, {
    ...sample,
    ...prepared,
    options: { ...publicly(operation), ...sample.options, ...options, ...fields },
  })
  expect(answer.status, answer.text).toBe(successOf(operation))
  expectAsDescribed(operation, answer)
  return answer
}

describe('with the examples of the document', () => {
  it.each(creations)('$operationId answers as described', async (operation) => {
    const { body } = await succeed(operation)
    if (body.data.id !== undefined && operation.operationId !== 'inviteUser')
      ids.set(collectionOf(operation.path), body.data.id)
  })

  it.each([...changes, ...reads])('$operationId answers as described', async (operation) => {
    const { body } = await succeed(operation)
    if (Array.isArray(body?.data)) expect(body.data.length).toBeGreaterThan(0)
  })
})

/** How to get each error. */
const provocations: Record<string, (operation: DescribedOperation) => Request | Promise<Request>> = {
  400: (operation) => {
    if (operation.method === 'GET') return { query: '?include=nothing' }
    return { options: { body: takesFile(operation) ? '--broken' : '{' } }
  },
  401: () => ({ options: { key: null } }),
  // If any credential is enough, the request of a browser from another site is still refused.
  403: async ({ description }) => {
    if (!description.endsWith('Needs any valid credential.')) return { options: { key: (await t.createUser()).key } }
    const cookie = await signInWithCookie(t, await createOwner(t))
    return { options: { key: null, headers: { cookie, 'sec-fetch-site': 'cross-site' } } }
  },
  404: () => ({ id: 999_999 }),
  413: (operation) => {
    const tooMuch = 'x'.repeat(1024 * 1024 + 1)
    if (takesForm(operation)) return { options: urlencoded(tooMuch) }
    return { options: takesFile(operation) ? form(Buffer.alloc(5 * 1024 * 1024 + 1)) : { body: tooMuch } }
  },
  415: () => ({ options: { body: '<xml/>', headers: { 'content-type': 'application/xml' } } }),
  422: async (operation) => {
    if (operation.operationId === 'sendPasswordReset') return { id: (await t.createUser({ status: 'Banned' })).user.id }
    if (ofEnabled.has(operation.operationId)) return { id: await newWebhook(false) }
    if (operation.method === 'GET') {
      return { query: `?${new URLSearchParams(filtersOf(operation).map((name): [string, string] => [name, '\0']))}` }
    }
    return {
      options: takesFile(operation)
        ? form(Buffer.from('no picture'))
        : { body: isFree(operation) ? [1] : wrongFields(operation) },
    }
  },
}

const errorCases = jsonOperations.flatMap((operation) =>
  Object.keys(provocations).map((status) => ({ ...operation, status, isDescribed: status in operation.responses })),
)

describe('what fails', () => {
  it.each(errorCases.filter(({ isDescribed }) => isDescribed))(
    '$operationId answers $status as described',
    async (operation) => {
      const answer = await provoke(operation)
      expect(answer.status, answer.text).toBe(Number(operation.status))
      expectAsDescribed(operation, answer)
    },
  )

  it.each(errorCases.filter(({ isDescribed }) => !isDescribed))(
    '$operationId never answers $status, which is not described',
    async (operation) => {
      expect((await provoke(operation)).status).not.toBe(Number(operation.status))
    },
  )

  const provoke = async (operation: DescribedOperation & { status: string }) => {
    const sample = sampleRequest(operation)
    const request = (await provocations[operation.status]?.(operation)) ?? {}
    // A deletion that is not refused would leave nothing for the later cases.
    const harmless = operation.method === 'DELETE' && !operation.responses[operation.status] ? { id: 999_999 } : {}
    const headers = { ...sample.options?.headers, ...request.options?.headers }
    const options = { ...publicly(operation), ...sample.options, ...request.options, headers }
    return call(operation, { ...sample, ...harmless, ...request, options })
  }

  it('answers 429 as described, on every operation', async () => {
    const limited = await createTestApp(inject('postgresUrl'), { GATEHOUSE_RATE_LIMIT: '1/hour' })
    const callLimited = (operation: DescribedOperation) => {
      const { options, ...sample } = sampleRequest(operation)
      return call(operation, { ...sample, options: { ...publicly(operation), ...options } }, limited)
    }
    await limited.call('GET /countries')
    await limited.call('GET /meta', { key: null })
    for (const operation of jsonOperations) {
      const answer = await callLimited(operation)
      expect(answer.status).toBe(429)
      expectAsDescribed(operation, answer)
    }
  })
})

describe('at the end', () => {
  it.each(deletions)('$operationId answers as described', async (operation) => {
    await succeed(operation)
  })
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createOwner, password } from '../features/sessions/sessions-test-steps.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { addPasskey } from '../testing/authenticator.ts'
import { type DescribedOperation, operations, sampleBody } from '../testing/openapi.ts'
import {
  expectAsDescribed,
  form,
  jsonOperations,
  publicly,
  takesFile,
  takesForm,
  urlencoded,
} from './openapi-test-steps.ts'

/** Refusals that come from neither the access nor the fields of a request are in the OpenAPI document, too. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const targetOf = ({ method, path }: DescribedOperation, id = 1): string =>
  `${method} ${path.replaceAll(/\{\w+\}/g, String(id))}`
const operation = (id: string): DescribedOperation =>
  operations.find(({ operationId }) => operationId === id) as DescribedOperation

describe('an Idempotency-Key that was used for another request', () => {
  const posts = jsonOperations.filter(({ method }) => method === 'POST')

  it.each(posts)('is a described 422 of $operationId', async (post) => {
    const key = { 'idempotency-key': randomUUID() }
    // Nothing has this id, so that nothing is done; a file is only looked at for somebody who is there.
    const send = (id: number, content: string) => {
      const sent = takesFile(post)
        ? form(Buffer.from(content))
        : takesForm(post)
          ? urlencoded(content)
          : { body: { content } }
      const target = targetOf(post, takesFile(post) ? 1 : id)
      return t.call(target, { ...publicly(post), ...sent, headers: { ...sent.headers, ...key } })
    }
    await send(999_998, 'first')
    const answer = await send(999_999, 'second')
    expect(answer.body).toMatchObject({ code: 'idempotency_key_reused' })
    expectAsDescribed(post, answer)
  })
})

describe('a feature that is switched off', () => {
  const features: Record<string, readonly string[]> = {
    'registration.enabled': ['registerAccount'],
    'password_reset.enabled': [
      'remindPassword',
      'resetPassword',
      'previewPasswordReset',
      'sendPasswordReset',
      'changeManyUsers',
    ],
    'two_factor.enabled': [
      'enableMyTwoFactor',
      'verifyMyTwoFactor',
      'createMyTotp',
      'verifyMyTotp',
      'startMyPasskey',
      'createMyPasskey',
      'enableTwoFactor',
      'verifyTwoFactor',
    ],
  }
  const cases = Object.entries(features).flatMap(([setting, ids]) => ids.map((id) => ({ setting, id })))

  it.each(cases)('is a described 404 of $id', async ({ setting, id }) => {
    const off = operation(id)
    await t.call('PATCH /settings', { body: { [setting]: false } })
    const more =
      id === 'changeManyUsers' ? { action: 'send_password_reset', ids: [1], expected: 1, filter: undefined } : {}
    const body = { ...(sampleBody(off) as object), current_password: password, ...more }
    const answer = await t.call(targetOf(off), { ...publicly(off), body })
    await t.call('PATCH /settings', { body: { [setting]: true } })
    expect(answer.status, answer.text).toBe(404)
    expectAsDescribed(off, answer)
  })
})

describe('a public operation', () => {
  it.each(['Banned', 'Unconfirmed'])('describes the 403 of an account that is %s', async (status) => {
    const owner = await createOwner(t)
    const { authenticator } = await addPasskey(t, owner.id)
    await t.call(`PATCH /users/${owner.id}`, { body: { status } })
    const withPassword = await t.call('POST /login', { key: null, body: { username: owner.email, password } })
    expect(withPassword.status).toBe(403)
    expectAsDescribed(operation('signIn'), withPassword)
    const { challenge, options } = (await t.call('POST /login/passkey/options', { key: null })).body
    const body = { challenge, credential: authenticator.get(options) }
    const withPasskey = await t.call('POST /login/passkey', { key: null, body })
    expect(withPasskey.status).toBe(403)
    expectAsDescribed(operation('signInWithPasskey'), withPasskey)
  })

  it.each(['signIn', 'signInWithPasskey', 'confirmEmail'])(
    'describes the 403 of a cookie for a page of another site: %s',
    async (id) => {
      const answer = await t.call(targetOf(operation(id)), {
        key: null,
        body: { cookie: true },
        headers: { 'sec-fetch-site': 'cross-site' },
      })
      expect(answer.status).toBe(403)
      expectAsDescribed(operation(id), answer)
    },
  )
})

it('the role of new accounts is a described 422 of deleteRole, where `User` has administrator permissions', async () => {
  const role = await t.createRole('New accounts', [])
  await t.call('PATCH /settings', { body: { 'registration.default_role_id': role } })
  await t.call('PUT /roles/2/permissions', { body: { permissions: ['users.manage'] } })
  const answer = await t.call(targetOf(operation('deleteRole'), role))
  expect(answer.body).toMatchObject({ code: 'role_of_registration' })
  expectAsDescribed(operation('deleteRole'), answer)
})

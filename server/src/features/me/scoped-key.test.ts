import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createAccount, newPassword, oldPassword, rowOf, signIn } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { type DescribedOperation, operations, sampleBody } from '../../testing/openapi.ts'
import { newPhone } from '../../testing/two-factor.ts'

/* A key with a limited scope is meant for another program, which must not get control of the account. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

/** An administrator, with a key that is limited to `permissions`. */
async function scoped(permissions: string[]) {
  const { user, key: whole } = await createAccount(t, { role_id: 1 })
  const { body } = await t.call('POST /api-keys', { key: whole, body: { name: 'Limited', permissions } })
  return { user, whole, key: body.data.key as string }
}

const own = operations.filter(({ method, path }) => method !== 'GET' && /^\/me(\/|$)/.test(path))
const self = operations.filter(({ method, path }) => method !== 'GET' && /^\/users\/\{id\}(\/|$)/.test(path))
/** An upload is refused before its body is read. */
const bodyOf = (operation: DescribedOperation) =>
  operation.operationId.startsWith('upload') ? {} : sampleBody(operation)
const proof = { current_password: oldPassword, password: newPassword, password_confirmation: newPassword }

describe.each([[[]], [['users.manage']]])('a key with the permissions %j', (permissions) => {
  it.each(own)('$method $path changes nothing: 403', async (operation) => {
    const { user, key } = await scoped(permissions)
    const before = await rowOf(t, user.id)
    const body = { ...bodyOf(operation), ...newPhone().body, ...proof }
    for (const sent of [body, { ...body, current_password: 'not it' }, {}]) {
      const answer = await t.call(`${operation.method} ${operation.path}`, { key, body: sent })
      expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
    }
    expect(await rowOf(t, user.id)).toEqual(before)
  })

  it.each(self)('$method $path of its owner changes nothing: 403', async (operation) => {
    const { user, key } = await scoped(permissions)
    const before = await rowOf(t, user.id)
    const body = { ...bodyOf(operation), ...newPhone().body, ...proof }
    const answer = await t.call(`${operation.method} ${operation.path.replace('{id}', String(user.id))}`, { key, body })
    expect(answer.status).toBe(403)
    expect(await rowOf(t, user.id)).toEqual(before)
  })

  it('reads everything of /me', async () => {
    const { user, key } = await scoped(permissions)
    for (const path of ['/me', '/me/permissions', '/me/sessions']) {
      expect((await t.call(`GET ${path}`, { key })).status, path).toBe(200)
      expect((await t.call(`HEAD ${path}`, { key })).status, path).toBe(200)
    }
    expect((await t.call('GET /me', { key })).body.data.id).toBe(user.id)
  })

  it('ends no session of its owner, on either path', async () => {
    const { user, key } = await scoped(permissions)
    const session = (await signIn(t, user.email)).body.token
    const { data } = (await t.call('GET /me/sessions', { key: session })).body
    expect((await t.call(`DELETE /sessions/${data[0].id}`, { key })).status).toBe(403)
    expect((await t.call('DELETE /me/sessions', { key })).status).toBe(403)
    expect((await t.call('GET /me', { key: session })).status).toBe(200)
  })

  it('locks nobody out: its wrong passwords are not checked', async () => {
    const { whole, key } = await scoped(permissions)
    const wrong = { ...proof, current_password: 'not it' }
    for (let time = 0; time < 8; time++) {
      expect((await t.call('PATCH /me/details/auth', { key, body: wrong })).status).toBe(403)
    }
    expect((await t.call('PATCH /me/details/auth', { key: whole, body: proof })).status).toBe(200)
  })
})

it('there are operations of both kinds to try', () => {
  expect(own.map(({ operationId }) => operationId)).toContain('updateMySignIn')
  expect(own.length).toBeGreaterThanOrEqual(9)
  expect(self.length).toBeGreaterThanOrEqual(9)
})

it('a key without a list changes its owner’s account, and a limited one other accounts', async () => {
  const { whole, key } = await scoped(['users.manage'])
  const { user: other } = await t.createUser()
  expect((await t.call('PATCH /me/details', { key: whole, body: { first_name: 'Ada' } })).status).toBe(200)
  expect((await t.call(`PATCH /users/${other.id}`, { key, body: { first_name: 'Ada' } })).status).toBe(200)
})

it('a key that is limited during its request changes nothing', async () => {
  const { user, whole } = await scoped([])
  const { transaction } = t.ctx
  const limited: typeof transaction = async (actor, work) => {
    Object.assign(t.ctx, { transaction })
    const { body } = await t.call(`GET /api-keys?filter[user_id]=${user.id}`)
    const { id } = body.data.find(({ permissions }: { permissions: unknown }) => permissions === null)
    await t.call(`PATCH /api-keys/${id}`, { body: { permissions: [] } })
    return transaction(actor, work)
  }
  Object.assign(t.ctx, { transaction: limited })
  expect((await t.call('PATCH /me/details', { key: whole, body: { first_name: 'Late' } })).status).toBe(403)
  expect((await rowOf(t, user.id)).first_name).toBe(null)
})

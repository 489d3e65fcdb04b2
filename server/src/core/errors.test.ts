import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type CallOptions, startTestApp, type TestApp } from '../testing/app.ts'
import { Draft } from './draft.ts'
import { defineErrors, errorCatalogue, ServiceError } from './errors.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const refusalOf = (draft: Draft<object>): unknown => {
  try {
    return draft.accept()
  } catch (error) {
    return error
  }
}

describe('declared errors', () => {
  it('have a readable code, a status of the contract, and a sentence', () => {
    const wrong = [...errorCatalogue].filter(
      ([code, [status, message]]) =>
        !/^[a-z]+(_[a-z]+)*$/.test(code) ||
        ![400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 500, 503].includes(status) ||
        !/^([A-Z]|2FA ).*\.$/.test(message),
    )
    expect(wrong).toEqual([])
    expect(errorCatalogue.size).toBeGreaterThan(20)
  })

  it('are declared once: a second declaration of a code prevents the start', () => {
    expect(() => defineErrors({ not_found: [404, 'Nothing here.'] })).toThrow('not_found')
    expect(errorCatalogue.get('not_found')).toEqual([404, 'Resource not found.'])
  })

  it('keep their code and status when a service makes the message clearer', () => {
    const { test_refusal: refuse } = defineErrors({ test_refusal: [403, 'No.'] })
    expect(refuse('No, not at night.')).toMatchObject({
      code: 'test_refusal',
      status: 403,
      message: 'No, not at night.',
    })
    expect(refuse()).toMatchObject({ message: 'No.' })
    errorCatalogue.delete('test_refusal')
  })
})

describe('the code of an invalid body', () => {
  const taken = new ServiceError('name_taken', 422, 'Taken.')
  const short = new ServiceError('name_short', 422, 'Short.')

  it.each<[name: string, code: string, rejections: [field: string, why: string | ServiceError][]]>([
    ['one special reason', 'name_taken', [['name', taken]]],
    [
      'the same reason at two fields',
      'name_taken',
      [
        ['name', taken],
        ['alias', taken],
      ],
    ],
    [
      'two special reasons',
      'validation_failed',
      [
        ['name', taken],
        ['name', short],
      ],
    ],
    [
      'a special reason and a plain one',
      'validation_failed',
      [
        ['name', taken],
        ['email', 'Wrong.'],
      ],
    ],
    [
      'plain reasons',
      'validation_failed',
      [
        ['name', 'Wrong.'],
        ['email', 'Wrong.'],
      ],
    ],
  ])('for %s is %s', (_, code, rejections) => {
    const draft = new Draft<object>({})
    for (const [field, why] of rejections) draft.reject(field, why)
    const fields = new Set(rejections.map(([field]) => field))
    expect(refusalOf(draft)).toMatchObject({ code, status: 422, message: 'The given data was invalid.' })
    expect(Object.keys((refusalOf(draft) as ServiceError).fields ?? {})).toEqual([...fields])
  })
})

describe('what the API answers', () => {
  const password = 'four horses at the gate'
  const user = { email: 'new@example.com', role_id: 2, password, password_confirmation: password }
  const withPassword = (text: string) => ({ ...user, password: text, password_confirmation: text })

  it.each<[code: string, request: string, options?: CallOptions]>([
    ['user_email_taken', 'POST /users', { body: { ...user, email: 'ADMIN@example.com' } }],
    ['password_too_common', 'POST /users', { body: withPassword('password123') }],
    ['password_is_account_name', 'POST /users', { body: withPassword('new@example.com') }],
    ['role_name_taken', 'POST /roles', { body: { name: 'user' } }],
    ['permission_name_taken', 'POST /permissions', { body: { name: 'users.manage' } }],
    ['validation_failed', 'POST /users', { body: { ...withPassword('password123'), email: 'admin@example.com' } }],
    ['user_is_yourself', 'DELETE /users/1'],
    ['role_built_in', 'DELETE /roles/1'],
    ['permission_built_in', 'DELETE /permissions/1'],
    ['unknown_include', 'GET /users?include=nothing'],
    ['unknown_sort', 'GET /users?sort=password'],
    ['unknown_filter', 'GET /users?filter[password]=x'],
    ['invalid_cursor', 'GET /users?cursor=x'],
    ['malformed_request', 'POST /users', { body: '{' }],
    ['unauthenticated', 'GET /users', { key: null }],
    ['not_found', 'GET /users/0'],
    ['method_not_allowed', 'DELETE /users'],
    ['unsupported_media_type', 'POST /users', { body: 'x', headers: { 'content-type': 'text/plain' } }],
  ])('%s has the status and is in the catalogue', async (code, request, options) => {
    const { status, body } = await t.call(request, options)
    expect(body.code).toBe(code)
    expect(errorCatalogue.get(code)?.[0]).toBe(status)
  })
})

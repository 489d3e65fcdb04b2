import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import { createTestApp } from '../testing/app.ts'

describe('an error', () => {
  it('has a message and a stable code', async () => {
    const t = await createTestApp(inject('postgresUrl'))
    const cases = [
      ['GET /users?sort=x', 400, 'unknown_sort'],
      ['GET /users?include=x', 400, 'unknown_include'],
      ['GET /roles/999999?include=x', 400, 'unknown_include'], // the role is not even looked up
      ['GET /users?filter[x]=1', 400, 'unknown_filter'],
      ['GET /users?cursor=x', 400, 'invalid_cursor'],
      ['DELETE /users/1', 403, 'user_is_yourself'],
      ['GET /users/999', 404, 'not_found'],
      ['DELETE /users', 405, 'method_not_allowed'],
      ['POST /users', 422, 'validation_failed'],
    ] as const
    for (const [request, status, code] of cases) {
      const answer = await t.call(request, { body: {} })
      expect(answer, request).toMatchObject({ status, body: { code, message: expect.stringMatching(/\S/) } })
      expect(Object.keys(answer.body)).toEqual(['message', 'code', ...(status === 422 ? ['errors'] : [])])
    }
  })
})

describe('an internal error', () => {
  const password = 'correct horse battery'
  const user = { first_name: 'New', email: 'new@example.com', role_id: 2, password, password_confirmation: password }

  // asvs: 13.4.2, 16.5.1
  it.each([
    ['alter table users rename column first_name to renamed', ['GET /users', 'POST /users', 'PATCH /users/2']],
    [
      'alter table activity rename to gone',
      ['GET /activity', 'POST /roles', 'GET /users/1/activity', 'DELETE /users/2'],
    ],
    ['drop table user_counts', ['GET /users', 'GET /roles', 'POST /users', 'DELETE /users/2']],
    ['drop table users_search', ['GET /users?filter[search]=user', 'POST /users', 'PATCH /users/2']],
  ])('is 500 and reveals no details: %s', async (statement, requests) => {
    const t = await createTestApp(inject('postgresUrl'))
    await t.createUser()
    await sql.raw(statement).execute(t.ctx.unguarded)
    const answers: object[] = []
    for (const request of requests) {
      const body = request.endsWith('roles') ? { name: 'New' } : user
      const answer = await t.call(request, request.startsWith('GET') ? {} : { body })
      answers.push({ request, status: answer.status, body: answer.body })
    }
    const body = { message: 'Something went wrong on the server.', code: 'internal_error' }
    expect(answers).toEqual(requests.map((request) => ({ request, status: 500, body })))
    expect((await t.call('GET /countries')).status).toBe(200)
  })
})

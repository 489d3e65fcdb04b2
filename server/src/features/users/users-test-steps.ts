import type { Answer, TestApp } from '../../testing/app.ts'
import type { UserRow } from '../accounts/users.table.ts'

/** Helpers for the tests of users. */

export const goodPassword = 'a quiet harbour at dawn'

/** Every way to write a user's fields. */
export const writes = ['POST', 'PATCH', 'PUT'] as const
export type Write = (typeof writes)[number]

let made = 0

/** A valid body for POST /users, for a new account; `undefined` leaves a field out. */
export const userBody = (fields: object = {}) => ({
  email: `made${++made}@example.com`,
  password: goodPassword,
  password_confirmation: goodPassword,
  role_id: 2,
  ...fields,
})

/** Writes the fields of a user: in the body that creates them, or over an existing one. */
export async function write(t: TestApp, method: Write, fields: object): Promise<Answer> {
  if (method === 'POST') return t.call('POST /users', { body: userBody(fields) })
  const { user } = await t.createUser()
  return t.call(`${method} /users/${user.id}`, { body: fields })
}

export const readRow = (t: TestApp, id: number): Promise<UserRow> =>
  t.ctx.unguarded.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** The audit rows of a user, oldest first. */
export const readAudit = (t: TestApp, id: number) =>
  t.ctx.unguarded
    .selectFrom('activity')
    .select(['event', 'actor_id', 'details'])
    .where('subject_type', '=', 'user')
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute()

/** Status, code and failing fields of a refusal, for comparison at one glance. */
export const refusal = ({ status, body }: Answer) => ({
  status,
  code: body?.code,
  fields: Object.keys(body?.errors ?? {}).sort(),
})

export const invalid = (field: string, code = 'validation_failed') => ({ status: 422, code, fields: [field] })

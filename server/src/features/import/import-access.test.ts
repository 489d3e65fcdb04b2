import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { rowOf } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { countsOf, importFile, runJobs, sendFile } from '../../testing/jobs.ts'
import { until } from '../../testing/until.ts'

/* Whom an import may change, and what. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const query = '?on_conflict=update'
const hash = '$2y$10$uHCQWS0dapFs/qKDFWVovOl/dFYNHFKmRMc1loViKHGQBae0vs/Ky'
let helpers = 0
const createHelper = async (scope: string[] | null = null) => {
  const role = await t.createRole(`Help desk ${++helpers}`, ['users.manage', 'api-keys.manage'])
  return { role, ...(await t.createUser({ role_id: role }, scope)) }
}

/** Keeps the row of a user locked until the returned function is called. */
async function holdRow(id: number): Promise<() => Promise<void>> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = t.ctx.unguarded.transaction().execute(async (db) => {
    await db.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
    held.resolve()
    await released.promise
  })
  await held.promise
  return async () => {
    released.resolve()
    await holding
  }
}

const isWaiting = async () => {
  const { rows } = await sql`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(t.ctx.unguarded)
  return rows.length > 0
}

// On SQLite, writing transactions exclude each other from their start.
it.skipIf(inject('postgresUrl') === null).each([
  ['password', 'password_hash', hash],
  ['role', 'role', 'User'],
])('changes no %s of a user who is promoted while the batch waits for another row', async (_what, column, value) => {
  const { role, key } = await createHelper()
  const [first, promoted] = [(await t.createUser()).user, (await t.createUser({ role_id: role })).user]
  const file = `email,first_name,${column}\n${first.email},Changed,\n${promoted.email},Changed,${value}\n`
  const { body } = await sendFile(t, file, { query, key })
  const release = await holdRow(first.id)
  const running = runJobs(t)
  await until(isWaiting, 'the batch waits')
  expect((await t.call(`PATCH /users/${promoted.id}`, { body: { role_id: 1 } })).status).toBe(200)
  const before = await rowOf(t, promoted.id)
  await release()
  await running
  expect(countsOf((await t.call(`GET /jobs/${body.data.id}`)).body.data)).toMatchObject({ updated: 1, failed: 1 })
  const errors = (await t.call(`GET /jobs/${body.data.id}/errors`)).body.data
  expect(errors).toMatchObject([{ line: 3, field: 'email', code: 'user_above_you' }])
  expect(await rowOf(t, promoted.id)).toEqual(before)
  expect((await rowOf(t, first.id)).first_name).toBe('Changed')
})

it.each(['', '&dry_run=1'])('changes nothing of its author by a key with a list of permissions%s', async (more) => {
  const { user, key } = await createHelper(['users.manage', 'api-keys.manage'])
  const { user: other } = await t.createUser()
  const before = await rowOf(t, user.id)
  const row = (email: string) => `${email},Imported,+44 1,1990-01-01,2\n`
  const file = `email,first_name,phone,birthday,role_id\n${row(user.email)}${row(other.email)}`
  const { job, errors } = await importFile(t, file, { query: `${query}${more}`, key })
  expect(countsOf(job)).toMatchObject({ updated: 1, failed: 1 })
  expect(errors).toMatchObject([{ line: 2, field: 'email', code: 'forbidden' }])
  expect(await rowOf(t, user.id)).toEqual(before)
})

it('changes the profile of its author by a key without a list', async () => {
  const { user, key } = await createHelper()
  const { job } = await importFile(t, `email,first_name\n${user.email},Imported\n`, { query, key })
  expect(countsOf(job)).toMatchObject({ updated: 1, failed: 0 })
})

it('keeps finding a user of whose username only the case changes', async () => {
  const { user } = await t.createUser({ username: 'case-of-a-name' })
  const file = `email,username\n${user.email},Case-Of-A-Name\n`
  expect(countsOf((await importFile(t, file, { query })).job)).toMatchObject({ updated: 1 })
  const found = (await t.call('GET /users?filter[search]=case-of-a-name')).body.data
  expect(found).toMatchObject([{ id: user.id, username: 'Case-Of-A-Name' }])
})

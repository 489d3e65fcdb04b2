import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createOwner, login, password, signIn } from '../../features/sessions/sessions-test-steps.ts'
import { remind } from '../../testing/accounts.ts'
import { createTestApp, type TestApp } from '../../testing/app.ts'
import { newPhone, requestCode } from '../../testing/two-factor.ts'
import { until } from '../../testing/until.ts'

/** The bytes of the database's file and of its log, as they are on the disk. */
function bytesOf({ database: { address } }: TestApp): Buffer {
  if (address.kind !== 'sqlite') throw new Error('this is about SQLite')
  const files = ['', '-wal'].map((end) => `${address.path}${end}`)
  return Buffer.concat(files.filter(existsSync).map((file) => readFileSync(file)))
}

it('nothing of a deleted user is left in the bytes of the database and of its log', async () => {
  const t = await createTestApp(null)
  const user = await createOwner(t, {
    email: 'wilhelmina.grace@canary.example',
    username: 'wilhelmina-the-canary',
    first_name: 'Wilhelmina Canary',
    address: '12 Canary Wharf',
    phone: '+44 20 7946 0999',
  })
  await signIn(t, user, { device_name: 'The canary of Wilhelmina' })
  await login(t, user.email, { password: `not ${password}` })
  await remind(t, user.email)
  const phone = newPhone()
  await requestCode(t, user.id, phone)
  await t.call(`PATCH /users/${user.id}`, { body: { last_name: 'Canary of old' } })
  await t.call(`PATCH /users/${user.id}`, { body: { last_name: 'Canary of new' } })

  const stored = await t.ctx.unguarded
    .selectFrom('users')
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .innerJoin('api_keys', 'api_keys.user_id', 'users.id')
    .innerJoin('tokens', 'tokens.user_id', 'users.id')
    .select(['email', 'username', 'first_name', 'address', 'phone', 'password_hash'])
    .select(['sessions.token_hash as session', 'sessions.id as handle', 'key_hash', 'tokens.token_hash as token'])
    .where('users.id', '=', user.id)
    .executeTakeFirstOrThrow()
  const values = [...Object.values(stored).map(String), phone.e164, 'Canary of old', 'Canary of new']
  const found = () => {
    const bytes = bytesOf(t)
    return values.filter((value) => bytes.includes(value))
  }
  expect(found()).toEqual(values)

  expect((await t.call(`DELETE /users/${user.id}`)).status).toBe(200)
  await until(() => found().length === 0, 'the files to be clean', 10_000).catch(() => {})
  expect(found()).toEqual([])
})

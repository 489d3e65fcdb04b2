import { expect, inject, it, onTestFinished } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/app.ts'
import { refuseUpdates } from '../../testing/refuse-updates.ts'
import { hashingCost, hashPassword } from '../passwords/passwords.service.ts'
import { createOwner, login, password } from '../sessions/sessions-test-steps.ts'

/** A hash as another installation made it: a sign-in replaces it. */
async function foreignHash(): Promise<string> {
  const { timeCost } = hashingCost
  hashingCost.timeCost = timeCost + 1
  return hashPassword(password).finally(() => {
    hashingCost.timeCost = timeCost
  })
}

const reserved = async ({ ctx }: TestApp) =>
  ctx.unguarded.selectFrom('tries').select(['name', 'count', 'reserved']).where('reserved', '>', 0).execute()

it('a right password whose hash cannot be replaced holds nothing back from the next sign-in', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const user = await createOwner(t, { password_hash: await foreignHash() })
  const allow = await refuseUpdates(t, 'password_hash', 'users')
  for (let times = 0; times < 5; times++) expect((await login(t, user.email)).status).toBe(500)
  expect(await reserved(t)).toEqual([])
  await allow()
  expect((await login(t, user.email)).status).toBe(200)
})

it('a current password that cannot be checked holds nothing back', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const { key } = await t.createUser({ password_hash: await hashPassword(password) })
  const { memoryCost } = hashingCost
  onTestFinished(() => void Object.assign(hashingCost, { memoryCost }))
  hashingCost.memoryCost = 1 // Argon2 refuses so little
  const rename = () =>
    t.call('PATCH /me/details/auth', { key, body: { username: 'renamed', current_password: password } })
  expect((await rename()).status).toBe(500)
  expect(await reserved(t)).toEqual([])
  hashingCost.memoryCost = memoryCost
  expect((await rename()).status).toBe(200)
})

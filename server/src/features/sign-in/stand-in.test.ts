import { afterAll, beforeAll, beforeEach, expect, inject, it, vi } from 'vitest'
import type { TestApp } from '../../testing/app.ts'

/*
 * Hashes of other software take longer than ours, so how long an unknown name takes must not be that of our hash: then every
 * name that takes longer would be an imported account.
 */

// A copy of the server of its own, which notes what hash a password is compared with.
vi.resetModules()
const compared: string[] = []
vi.doMock('../passwords/foreign-hashes.ts', async (importActual) => {
  const actual = await importActual<typeof import('../passwords/foreign-hashes.ts')>()
  const verifyForeignHash = (hash: string, password: string) => {
    compared.push(hash)
    return actual.verifyForeignHash(hash, password)
  }
  return { ...actual, verifyForeignHash }
})
const { startTestApp } = await import('../../testing/app.ts')
const { rowOf, signIn } = await import('../../testing/accounts.ts')

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(async () => {
  await t.close()
  vi.doUnmock('../passwords/foreign-hashes.ts')
  vi.resetModules()
})
beforeEach(() => {
  t.clock.advance({ minutes: 11 })
  compared.length = 0
})

const password = 'Grüße aus Köln 42'
const foreign = '$pbkdf2-sha256$29000$rLU2RihlDKHUOufc29t7Lw$wcQLVh6lpDP7eaNCQ9s97s4yEM9FsliWLfDomcfzS64'
let names = 0
const unknown = () => `nobody${++names}@example.com`

/** The share of unknown names whose password is compared with a foreign hash. */
async function shareOf(tried: readonly string[]): Promise<number> {
  compared.length = 0
  for (const name of tried) {
    expect((await signIn(t, name, 'wrong')).body.code).toBe('invalid_credentials')
    t.clock.advance({ minutes: 11 })
  }
  return compared.length / tried.length
}

it('without accounts of other software, no unknown name is compared with a foreign hash', async () => {
  expect(await shareOf(Array.from({ length: 10 }, unknown))).toBe(0)
})

it('an unknown name takes as long as some account, the same one each time, and is never right', async () => {
  const imported = await Promise.all(Array.from({ length: 63 }, () => t.createUser({ password_hash: foreign })))
  const names = Array.from({ length: 40 }, unknown)
  const first = await shareOf(names)
  expect(first).toBeGreaterThan(0.5)
  for (const name of names.slice(0, 10)) {
    compared.length = 0
    expect((await signIn(t, name, 'wrong')).status).toBe(422)
    const once = compared.length
    t.clock.advance({ minutes: 11 })
    expect((await signIn(t, name, password)).status, 'the password of whose hash it is').toBe(422)
    expect(compared.length).toBe(2 * once)
    t.clock.advance({ minutes: 11 })
  }
  // As accounts turn to our hashes, unknown names do.
  const ids = imported.map(({ user }) => user.id)
  await t.ctx.unguarded.updateTable('users').set({ password_hash: 'none' }).where('id', 'in', ids).execute()
  expect(await shareOf(names)).toBe(0)
})

it('an account whose attempts are used up still takes as long as before, even for the right password', async () => {
  const { user } = await t.createUser({ password_hash: foreign, username: 'used-up' })
  for (let time = 0; time < 5; time++) await signIn(t, user.email, 'wrong')
  compared.length = 0
  expect((await signIn(t, 'used-up', password)).body.code).toBe('invalid_credentials')
  expect(compared).toEqual([foreign])
  expect((await rowOf(t, user.id)).password_hash).toBe(foreign)
  t.clock.advance({ minutes: 11 })
  expect((await signIn(t, user.email, password)).status).toBe(200)
})

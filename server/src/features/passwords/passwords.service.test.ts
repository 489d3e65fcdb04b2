import { expect, it, vi } from 'vitest'

// Of its own: `testing/app.ts` makes hashing cheap, and another file of this process may have loaded it.
vi.resetModules()
const { hashingCost, hashPassword, verifyInPlace, verifyPassword } = await import('./passwords.service.ts')

// asvs: 11.4.2
it('passwords are hashed by Argon2id with 19 MiB and two passes, each with a salt of its own', async () => {
  const [one, other] = [await hashPassword('quiet harbour'), await hashPassword('quiet harbour')]
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(one).not.toBe(other)
  expect([await verifyPassword(one, 'quiet harbour'), await verifyPassword(one, 'quiet harbor')]).toEqual([true, false])
})

it('a check for an unknown name works again after a failure to hash what it is compared with', async () => {
  const { memoryCost } = hashingCost
  hashingCost.memoryCost = 1 // Argon2 refuses so little
  await expect(verifyInPlace(undefined, 'quiet harbour')).rejects.toThrow()
  hashingCost.memoryCost = memoryCost
  expect(await verifyInPlace(undefined, 'quiet harbour')).toBe(false)
})

import { hashRaw } from '@node-rs/argon2'
import { expect, it } from 'vitest'
import { hashingCost, inPlace } from '../../passwords/passwords.service.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'

it('recovery codes are hashed in line with passwords, so that a thread stays free for files', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const place = { path: ['inside', 'inside', 'inside'], isFamiliar: true } as const
  const holders = Array.from({ length: 8 }, () => inPlace(place, () => held)) // more than there are places
  let isMade = false
  const made = makeRecoveryCodes(null).finally(() => {
    isMade = true
  })
  for (let hashes = 0; hashes < 20; hashes++) await hashRaw('as long as twenty codes take', hashingCost)
  expect(isMade).toBe(false)
  release()
  await Promise.all(holders)
  expect((await made).hashes).toHaveLength(10)
})

import { availableParallelism } from 'node:os'
import { expect, inject, it } from 'vitest'
import { createTestApp } from '../../testing/app.ts'
import { hashPassword } from '../passwords/passwords.service.ts'
import { createOwner, login } from './sessions-test-steps.ts'

/** More hashing than there is room for, until it is stopped: whatever is done, another one waits. */
function startFlood(): () => Promise<void> {
  let stopped = false
  const keepHashing = async () => {
    while (!stopped) await hashPassword('a password in the flood').catch(() => new Promise(setImmediate))
  }
  const swimmers = Array.from({ length: 80 * availableParallelism() }, keepHashing)
  return async () => {
    stopped = true
    await Promise.all(swimmers)
  }
}

it('a flood of passwords is refused with 503, known and unknown names alike, and nothing of it stays when it is over', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const user = await createOwner(t)
  const wrong = { password: 'not the password' }
  const stop = startFlood()
  // The first unknown name that this process meets: what stands in for its hash would be made now.
  const refused = [await login(t, 'nobody@example.com', wrong), await login(t, user.email, wrong)]
  await stop()
  expect(refused.map(({ status, body, headers }) => [status, body.code, headers['retry-after']])).toEqual([
    [503, 'overloaded', '2'],
    [503, 'overloaded', '2'],
  ])
  const names = ['nobody@example.com', user.email]
  const later = await Promise.all(names.map((name) => login(t, name, wrong)))
  expect(later.map(({ status }) => status)).toEqual([422, 422])
  expect((await login(t, user.email)).status).toBe(200)
})

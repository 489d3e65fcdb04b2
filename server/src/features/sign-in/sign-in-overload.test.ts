import { availableParallelism } from 'node:os'
import { afterAll, expect, inject, it, vi } from 'vitest'
import type { QueuePlace } from '../../core/fair-queue.ts'
import type { TestApp } from '../../testing/app.ts'

// A copy of the server of its own: nobody has signed in yet, and for the other files of this process hashing stays cheap.
vi.resetModules()
afterAll(() => void vi.resetModules())
const { createTestApp, shippedHashingCost } = await import('../../testing/app.ts')
const { hashingCost, hashPassword } = await import('../passwords/passwords.service.ts')
const { createOwner, login } = await import('../sessions/sessions-test-steps.ts')

Object.assign(hashingCost, shippedHashingCost)

const wrong = { password: 'not the password' }
const stranger = { ip: '203.0.113.7' }
const home = { ip: '198.51.100.9' }

const from = (ip: string): QueuePlace => ({ path: [`${ip}/24`, ip, 'somebody'], isFamiliar: false })

/** Keeps more hashing in the queue than there is room for, from these addresses, until it is stopped. */
function startFlood(places: readonly QueuePlace[]): () => Promise<void> {
  let stopped = false
  const keepHashing = async (index: number) => {
    const place = places[index % places.length]
    while (!stopped) await hashPassword('a password in the flood', place).catch(() => new Promise(setImmediate))
  }
  const swimmers = Array.from({ length: 80 * availableParallelism() }, (_, index) => keepHashing(index))
  return async () => {
    stopped = true
    await Promise.all(swimmers)
  }
}

const counters = (t: TestApp) => t.ctx.unguarded.selectFrom('tries').selectAll().orderBy('name').execute()

it('a flood of passwords is refused with 503, for known and unknown names, and has no lasting effect', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const user = await createOwner(t)
  // From so many networks that each has one place, so nobody has more than a newcomer.
  const stop = startFlood(Array.from({ length: 80 * availableParallelism() }, (_, index) => from(`10.0.${index}.1`)))
  // The first unknown name of this copy: otherwise the dummy hash would be created now.
  const refused = [
    await login(t, 'nobody@example.com', wrong, stranger),
    await login(t, user.email, wrong, stranger),
    await login(t, user.email, {}, stranger),
  ]
  const counted = await counters(t)
  await stop()
  const answer = [503, 'overloaded', '2']
  expect(refused.map(({ status, body, headers }) => [status, body.code, headers['retry-after']])).toEqual([
    answer,
    answer,
    answer,
  ])
  expect(counted, 'a password that was not checked is not counted').toEqual([])
  const names = ['nobody@example.com', user.email]
  const later = await Promise.all(names.map((name) => login(t, name, wrong, stranger)))
  expect(later.map(({ status }) => status)).toEqual([422, 422])
  expect((await login(t, user.email, {}, stranger)).status).toBe(200)
})

// asvs: 15.2.2
it('the owner signs in during a flood from six addresses, from any network', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const user = await createOwner(t)
  const stop = startFlood(Array.from({ length: 6 }, (_, index) => from(`203.0.113.${index + 1}`)))
  const statuses: number[] = []
  for (const place of [stranger, home, home]) statuses.push((await login(t, user.email, {}, place)).status)
  await stop()
  expect(statuses).toEqual([200, 200, 200])
})

it('the owner signs in from a familiar network during a flood from more networks than there are places', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const user = await createOwner(t)
  expect((await login(t, user.email, {}, home)).status).toBe(200)
  const stop = startFlood(Array.from({ length: 80 * availableParallelism() }, (_, index) => from(`10.0.${index}.1`)))
  const statuses: number[] = []
  for (let time = 0; time < 3; time++) statuses.push((await login(t, user.email, {}, home)).status)
  await stop()
  expect(statuses).toEqual([200, 200, 200])
})

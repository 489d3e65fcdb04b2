import type { Kysely } from 'kysely'
import { expect, inject, it } from 'vitest'
import { insertBatch } from '../../cli/seed-batch.ts'
import { syntheticUsers } from '../../cli/synthetic-users.ts'
import { systemActor } from '../../core/context.ts'
import { isFamiliarNetwork } from '../../security/sign-in-guard/networks.ts'
import { createTestApp, type TestApp } from '../../testing/app.ts'
import { up } from './0008-sign-in-limits.ts'

/** Takes back what the migration made, and runs it on what is there. */
async function runAgain(t: TestApp): Promise<void> {
  await t.ctx.transaction(systemActor, async ({ db }) => {
    await db.schema.dropTable('sign_in_networks').execute()
    await db.schema.alterTable('tries').dropColumn('reserved').execute()
    await up(db as unknown as Kysely<never>)
  })
}

let made = 0
const sessionOf = (user_id: number, ip_address: string | null, last_activity = '2026-01-15 10:00:00') => ({
  id: `session ${++made}`,
  user_id,
  token_hash: `hash ${made}`,
  ip_address,
  user_agent: null,
  browser: null,
  platform: null,
  device: null,
  last_activity,
  created_at: '2026-01-01 00:00:00',
})

const networksOf = (t: TestApp) =>
  t.ctx.db.selectFrom('sign_in_networks').select(['user_id', 'last_used_ms']).orderBy('user_id').execute()

it('knows the networks of every live session afterwards, each for its own user', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const { user: ada } = await t.createUser()
  const { user: bob } = await t.createUser()
  await t.ctx.unguarded
    .insertInto('sessions')
    .values([
      sessionOf(ada.id, '203.0.113.7', '2026-01-14 10:00:00'),
      sessionOf(ada.id, '203.0.113.7', '2026-01-15 11:30:00'),
      sessionOf(ada.id, '2001:db8:1:2:3:4:5:6', '2026-01-13 00:00:00'),
      sessionOf(bob.id, '198.51.100.9'),
      sessionOf(bob.id, null),
    ])
    .execute()
  await runAgain(t)
  const known = (userId: number, network: string) => isFamiliarNetwork(t.ctx.db, userId, network)
  expect(await known(ada.id, '203.0.113.7')).toBe(true)
  expect(await known(ada.id, '2001:db8:1:2')).toBe(true)
  expect(await known(bob.id, '198.51.100.9')).toBe(true)
  expect(await known(bob.id, '203.0.113.7')).toBe(false)
  expect(await known(ada.id, '198.51.100.9')).toBe(false)
  expect(
    (await networksOf(t)).map(({ user_id, last_used_ms }) => [user_id, new Date(last_used_ms).toISOString()]),
  ).toEqual(
    expect.arrayContaining([
      [ada.id, '2026-01-15T11:30:00.000Z'], // the later use of two
      [ada.id, '2026-01-13T00:00:00.000Z'],
      [bob.id, '2026-01-15T10:00:00.000Z'],
    ]),
  )
  expect(await networksOf(t)).toHaveLength(3)
})

it('keeps the fifty that were used last, however many sessions one of them has', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const { user } = await t.createUser()
  const often = Array.from({ length: 60 }, () => sessionOf(user.id, '203.0.113.54', '2026-01-15 11:00:00'))
  await t.ctx.unguarded.insertInto('sessions').values(often).execute()
  const minute = (number: number) => String(number).padStart(2, '0')
  const sessions = Array.from({ length: 55 }, (_, number) =>
    sessionOf(user.id, `203.0.113.${number}`, `2026-01-15 10:${minute(number)}:00`),
  )
  await t.ctx.unguarded.insertInto('sessions').values(sessions).execute()
  await runAgain(t)
  const isKnown = await Promise.all(
    sessions.map((_, number) => isFamiliarNetwork(t.ctx.db, user.id, `203.0.113.${number}`)),
  )
  expect(isKnown).toEqual([...Array(5).fill(false), ...Array(50).fill(true)])
})

it('misses nobody where there are more users than one batch takes', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const count = 2_001
  const people = [...syntheticUsers({ count, randomSeed: 1, now: t.clock.now() })]
  await t.ctx.transaction(systemActor, async ({ db }) => {
    await insertBatch(db, people.slice(0, 1_000), 'none')
    await insertBatch(db, people.slice(1_000, 2_000), 'none')
    await insertBatch(db, people.slice(2_000), 'none')
    const users = await db.selectFrom('users').select('id').where('id', '!=', 1).orderBy('id').execute()
    const sessions = users.map(({ id }) => sessionOf(id, '203.0.113.7'))
    for (let start = 0; start < sessions.length; start += 500) {
      await db
        .insertInto('sessions')
        .values(sessions.slice(start, start + 500))
        .execute()
    }
  })
  await runAgain(t)
  const ids = (await networksOf(t)).map(({ user_id }) => user_id)
  expect([ids.length, new Set(ids).size]).toEqual([count, count])
})

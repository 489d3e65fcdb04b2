import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { toTimestamp } from './core/time.ts'
import { rowsOf } from './db/rows.ts'
import { noHash, signRetired } from './features/activity/chain.ts'
import { moveAnchor } from './features/activity/retire.ts'
import { startTestApp, type TestApp } from './testing/app.ts'
import { asNdjson, ndjson, sendFile } from './testing/jobs.ts'
import { longestTurnMs } from './testing/processor-time.ts'

/*
 * Rare requests that do much work in a large database must not block the event loop on SQLite: another thread does the work, or
 * it is done in pieces. PostgreSQL does this work in its own processes.
 */

/** The longest turn of the event loop, in milliseconds. Each of these blocked it for longer once. */
const allowedMs = 60

let t: TestApp
/** The user of all that happened. */
let id: number

/** A statement on the rows `n` with the numbers `i` from 1 on. */
const fill = (count: number, statement: RawBuilder<unknown>) =>
  sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count}) ${statement}`.execute(
    t.ctx.unguarded,
  )

beforeAll(async () => {
  if (inject('postgresUrl') !== null) return
  t = await startTestApp(null)
  id = (await t.createUser()).user.id
  const at = toTimestamp(t.clock.now())
  await fill(
    300_000,
    sql`insert into activity (event, actor_id, subject_type, subject_id, created_at)
      select 'user.updated', 1, 'user', ${id}, ${at} from n`,
  )
  await sql`insert into activity_chain (position, activity_id, hash, user)
    select id + 1000, id, '', '{}' from activity where event = 'user.updated'`.execute(t.ctx.unguarded)
})
afterAll(() => t?.close())

async function expectShortTurns(work: () => Promise<unknown>): Promise<void> {
  expect(await longestTurnMs(work)).toBeLessThan(allowedMs)
}

// asvs: 15.2.2
describe.runIf(inject('postgresUrl') === null)('nobody waits for', () => {
  it.each([
    ['what happened to a user', () => `/users/${id}/activity`],
    ['their sign-ins', () => `/users/${id}/sign-ins`],
  ])('a long list of %s', async (_, path) => {
    await expectShortTurns(async () => expect((await t.call(`GET ${path()}`)).status).toBe(200))
  })

  it('a webhook that has much to send', async () => {
    const body = { url: 'https://example.com/hook', events: ['user.updated'] }
    const webhook = (await t.call('POST /webhooks', { body })).body.data.id
    const moveCursor = (cursor: number) =>
      t.ctx.unguarded.updateTable('webhook_queues').set({ cursor }).where('webhook_id', '=', webhook).execute()
    const count = () =>
      t.ctx.unguarded
        .selectFrom('webhook_messages')
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()

    await moveCursor(1_000_000)
    await expectShortTurns(async () => {
      const range = { from: '2026-01-01 00:00:00', to: '2026-12-31 00:00:00' }
      expect((await t.call(`POST /webhooks/${webhook}/replay`, { body: range })).body).toEqual({
        data: { messages: 300_000 },
      })
    })
    await sql`delete from webhook_messages`.execute(t.ctx.unguarded)

    await moveCursor(0)
    await expectShortTurns(() => t.call(`PATCH /webhooks/${webhook}`, { body: { enabled: false } }))
    expect(await count()).toEqual({ count: 300_000 })

    await expectShortTurns(() => t.call(`DELETE /webhooks/${webhook}`))
    expect(await count()).toEqual({ count: 0 })
  })

  it('a list whose matches lie far from the start of its sort, or whose first values are the same', async () => {
    const made = toTimestamp(t.clock.now())
    const count = 300_000
    await fill(
      count,
      sql`insert into users (email, email_canonical, password_hash, role_id, status, first_name_key, last_name_key, created_at, updated_at)
        select i, i, '', 2, 'Active', i, i, case when i > ${count / 2} then ${made} else '2020-01-01 00:00:00' end, printf('%019d', i) from n`,
    )
    await sql`insert into user_counts (role_id, status, slot, count) values (2, 'Active', 15, ${count})`.execute(
      t.ctx.unguarded,
    )
    for (const [query, total] of [
      [`sort=updated_at&filter[created_from]=${made}`, count / 2 + 2],
      ['sort=status,-first_name', count + 2],
    ] as const) {
      await expectShortTurns(async () =>
        expect((await t.call(`GET /users?${query}`)).body.meta).toMatchObject({ total }),
      )
    }
  })

  it('a permission that many API keys are limited to', async () => {
    const permission = (await t.call('POST /permissions', { body: { name: 'reports.read' } })).body.data.id
    const names = () =>
      sql<{ permissions: string; count: number }>`
      select permissions, count(*) as count from api_keys where permissions is not null group by permissions`.execute(
        t.ctx.unguarded,
      )
    await fill(
      50_000,
      sql`insert into api_keys (user_id, name, name_key, prefix, key_hash, permissions, created_at, updated_at)
        select 1, 'Key', 'key', 'gh_0', 'hash ' || i, '["users.view","reports.read"]', '', '' from n`,
    )
    await expectShortTurns(() => t.call(`PATCH /permissions/${permission}`, { body: { name: 'reports.view' } }))
    expect((await names()).rows).toEqual([{ permissions: '["users.view","reports.view"]', count: 50_000 }])
    await expectShortTurns(() => t.call(`DELETE /permissions/${permission}`))
    expect((await names()).rows).toEqual([{ permissions: '["users.view"]', count: 50_000 }])
  })

  it('the end of a long dry run', async () => {
    const sent = await sendFile(t, ndjson({ email: 'ada@example.com' }), { ...asNdjson, query: '?dry_run=1' })
    const job = sent.body.data.id
    await fill(150_000, sql`insert into job_drafts select ${job}, 'user' || i, 'name' || i, 'new' from n`)
    await expectShortTurns(async () => expect((await t.call(`DELETE /jobs/${job}`)).status).toBe(200))
    expect(await t.ctx.unguarded.selectFrom('job_drafts').select('state').limit(1).execute()).toEqual([])
  })

  it('a user to whom much has happened', async () => {
    await expectShortTurns(async () => expect((await t.call(`DELETE /users/${id}`)).status).toBe(200))
    const kept = t.ctx.unguarded.selectFrom('activity_chain').select('position').where('user', 'is not', null)
    expect(await kept.where('position', '>', 1_000).limit(1).execute()).toEqual([])
  })

  it('sign-ins that are kept for longer than the rest of the activity', async () => {
    await t.call('PATCH /settings', { body: { 'sign_ins.retention_days': 3_650 } })
    await fill(
      300_000,
      sql`insert into activity (event, subject_type, created_at) select 'user.signed_in', 'user', '2024-01-01 00:00:00' from n`,
    )
    const cleaner = t.ctx.jobs.runners.find(({ name }) => name === 'maintenance.activity')
    await expectShortTurns(async () => cleaner?.drain())
    const kept = t.ctx.db.selectFrom('activity').select('id').where('event', '=', 'user.signed_in').limit(1)
    expect(await kept.execute()).toHaveLength(1)
  })

  it('the start of the audit log, of which much is not kept any more', async () => {
    const { unguarded: db, sealer } = t.ctx
    await sql`delete from activity_chain`.execute(db)
    const links: object[] = []
    for (let position = 1, previous = noHash; position <= 100_000; position++) {
      const link = { position, hash: `hash ${position}` }
      links.push({ ...link, activity_id: -position, retired: signRetired(sealer, previous, link) })
      previous = link.hash
    }
    const columns = { position: 'integer', hash: 'text', activity_id: 'integer', retired: 'text' } as const
    await sql`insert into activity_chain (position, hash, activity_id, retired) select * from ${rowsOf(db, columns, links)}`.execute(
      db,
    )
    await expectShortTurns(() => moveAnchor(t.ctx))
    expect(await db.selectFrom('activity_chain').select('position').execute()).toEqual([])
  })
})

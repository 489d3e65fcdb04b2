import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { JobRunner } from '../../core/jobs.ts'
import { toTimestamp } from '../../core/time.ts'
import { createTestApp, startTestApp, type TestApp } from '../../testing/app.ts'
import { cutAddress } from './retention.ts'
import { moveAnchor, retireRows } from './retire.ts'
import { sequenceAll } from './sequencer.ts'
import { verifyActivity } from './verify.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  await t.ctx.unguarded.deleteFrom('activity').execute()
})
afterAll(() => t.close())

const rows = (app = t) =>
  app.ctx.db.selectFrom('activity').select(['event', 'ip_address', 'user_agent']).orderBy('id').execute()

async function note(daysAgo: number, event: string, ip: string, app = t): Promise<void> {
  const at = new Date(app.clock.now().getTime() - daysAgo * 86_400_000)
  await app.ctx.unguarded
    .insertInto('activity')
    .values({
      event,
      actor_id: 1,
      api_key_id: null,
      subject_type: 'user',
      subject_id: 1,
      details: null,
      ip_address: ip,
      user_agent: 'curl/8',
      request_id: null,
      created_at: toTimestamp(at),
    })
    .execute()
}

const cleaner = (app = t) => app.ctx.jobs.runners.find(({ name }) => name === 'maintenance.activity') as JobRunner

it('the activity is kept as long as the settings say; addresses are truncated to their network after 30 days', async () => {
  await note(400, 'user.created', '192.0.2.1')
  await note(364, 'user.updated', '192.0.2.2')
  await note(100, 'user.signed_in', '192.0.2.3')
  await note(91, 'user.banned', '2001:db8:1:2:3:4:5:6')
  await note(80, 'user.signed_in', '2001:db8::7')
  await note(31, 'user.deleted', '::ffff:198.51.100.9')
  await note(29, 'user.updated', '192.0.2.4')
  const job = cleaner()
  await job.drain()
  expect(await rows()).toEqual([
    { event: 'user.updated', ip_address: '192.0.2.0/24', user_agent: null },
    { event: 'user.banned', ip_address: '2001:db8:1::/48', user_agent: null },
    { event: 'user.signed_in', ip_address: '2001:db8:0::/48', user_agent: null },
    { event: 'user.deleted', ip_address: '198.51.100.0/24', user_agent: null },
    { event: 'user.updated', ip_address: '192.0.2.4', user_agent: 'curl/8' },
  ])
  await t.call('PATCH /settings', { body: { 'activity.retention_days': 60, 'sign_ins.retention_days': 70 } })
  t.clock.advance({ minutes: 3 * 24 * 60 })
  await job.drain()
  expect((await rows()).map(({ event, ip_address }) => `${event} ${ip_address}`)).toEqual([
    'user.deleted 198.51.100.0/24',
    'user.updated 192.0.2.0/24',
    'settings.updated 127.0.0.1',
  ])
})

it('sign-ins are kept as long as their own setting says, also where that is longer; the log can still be proved', async () => {
  const app = await createTestApp(inject('postgresUrl'))
  const { user } = await app.createUser()
  await app.call('POST /login', { key: null, body: { username: user.email, password: 'wrong' } })
  await app.call('PATCH /settings', { body: { 'activity.retention_days': 31, 'sign_ins.retention_days': 90 } })
  const after = async (days: number) => {
    app.clock.advance({ days })
    await sequenceAll(app.ctx)
    await cleaner(app).drain()
    expect((await verifyActivity(app.ctx)).problems).toEqual([])
    return (await rows(app)).map(({ event }) => event)
  }
  expect(await after(32)).toEqual(['user.sign_in_failed'])
  expect(await after(59)).toEqual([])
})

it('after an update from 0.1.0, which kept everything, there is a day to choose longer periods', async () => {
  const app = await createTestApp(inject('postgresUrl'))
  await app.ctx.unguarded.deleteFrom('activity').execute()
  await sql`update kysely_migration set timestamp = ${app.clock.now().toISOString()}`.execute(app.ctx.unguarded)
  await note(500, 'user.created', '192.0.2.1', app)
  await note(400, 'user.signed_in', '192.0.2.1', app)
  const kept = async () => {
    await cleaner(app).drain()
    return (await rows(app)).map(({ event, ip_address }) => `${event} ${ip_address}`)
  }
  app.clock.advance({ hours: 23 })
  expect(await kept()).toEqual(['user.created 192.0.2.0/24', 'user.signed_in 192.0.2.0/24'])
  await app.call('PATCH /settings', { body: { 'activity.retention_days': 3_650 } })
  app.clock.advance({ hours: 2 })
  expect(await kept()).toEqual(['user.created 192.0.2.0/24', 'settings.updated 127.0.0.1'])
})

it('an entry of a clock far behind or ahead cuts no young address, and keeps no old one whole', async () => {
  const app = await createTestApp(inject('postgresUrl'))
  await app.ctx.unguarded.deleteFrom('activity').execute()
  await note(-400, 'user.created', '192.0.2.1', app)
  await note(5, 'user.updated', '192.0.2.2', app)
  await note(40, 'user.updated', '192.0.2.3', app)
  await note(5, 'user.updated', '192.0.2.4', app)
  await cleaner(app).drain()
  expect((await rows(app)).map(({ ip_address }) => ip_address)).toEqual([
    '192.0.2.0/24',
    '192.0.2.2',
    '192.0.2.0/24',
    '192.0.2.4',
  ])
  app.clock.advance({ days: 26 })
  await cleaner(app).drain()
  expect((await rows(app)).map(({ ip_address }) => ip_address)).toEqual(Array(4).fill('192.0.2.0/24'))
})

it.each([
  ['10.1.2.3', '10.1.2.0/24'],
  ['::1', '0:0:0::/48'],
  ['2001:db8:aa:bb:cc:dd:ee:ff', '2001:db8:aa::/48'],
  ['fe80::1', 'fe80:0:0::/48'],
  ['192.0.2.7:50001', '192.0.2.0/24'],
  ['[2001:db8:1:2::3]:50001', '2001:db8:1::/48'],
])('%s is cut to %s', (whole, cut) => expect(cutAddress(whole)).toBe(cut))

it.runIf(inject('postgresUrl'))('a node that moves the anchor late does not move it back', async () => {
  const app = await createTestApp(inject('postgresUrl'))
  for (let made = 0; made < 8; made++) await app.createRole(`role ${made}`, [])
  await sequenceAll(app.ctx)
  const links = await app.ctx.db.selectFrom('activity_chain').select('activity_id').orderBy('position').execute()
  const ids = links.map(({ activity_id }) => activity_id)
  await retireRows(app.ctx, ids.slice(0, 4))
  const hasRead = Promise.withResolvers<void>()
  const mayGoOn = Promise.withResolvers<void>()
  const unguarded = app.ctx.unguarded.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!result.rows.some((row) => 'retired' in row)) return result
      hasRead.resolve()
      await mayGoOn.promise
      return result
    },
  })
  const late = moveAnchor({ ...app.ctx, unguarded })
  await hasRead.promise
  await retireRows(app.ctx, ids.slice(4, 6))
  await moveAnchor(app.ctx)
  mayGoOn.resolve()
  await late
  expect((await verifyActivity(app.ctx)).problems).toEqual([])
  await retireRows(app.ctx, ids.slice(6))
  await moveAnchor(app.ctx)
  expect(await app.ctx.db.selectFrom('activity_chain').select('position').execute()).toEqual([])
  expect((await verifyActivity(app.ctx)).problems).toEqual([])
})

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import type { JobRunner } from '../../core/jobs.ts'
import { createSealer } from '../../core/sealing.ts'
import { createTestApp, startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import { whileLocked } from '../../testing/lock-waits.ts'
import { nextHash, noHash } from './chain.ts'
import { sequence, sequenceAll } from './sequencer.ts'
import { type Problem, verifyActivity } from './verify.ts'

/** SQLite has one writer: nothing is committed late. */
const isSqlite = inject('postgresUrl') === null

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const newRole = (name: string, app = t, key = app.adminKey) =>
  app.call('POST /roles', { key, body: { name, description: 'ä "quoted" \u2028' } })
const chainOf = (app = t) => app.ctx.db.selectFrom('activity_chain').selectAll().orderBy('position').execute()
const problemsOf = async (app = t): Promise<readonly Problem[]> => (await verifyActivity(app.ctx)).problems

describe('the order of the log', () => {
  it('has every committed row once, without gaps, whichever node gives the places', async () => {
    const other = await startNode(t)
    await Promise.all(
      Array.from({ length: 30 }, (_, at) => newRole(`Order ${at}`, at % 2 === 0 ? t : other, t.adminKey)),
    )
    await Promise.all([sequenceAll(t.ctx), sequenceAll(other.ctx), sequenceAll(t.ctx)])
    const chain = await chainOf()
    const ids = (await t.ctx.db.selectFrom('activity').select('id').orderBy('id').execute()).map(({ id }) => id)
    expect(chain.map(({ position }) => position)).toEqual(ids.map((_, at) => at + 1))
    expect(chain.map(({ activity_id }) => activity_id).toSorted((a, b) => a - b)).toEqual(ids)
  })

  it.skipIf(isSqlite)('waits for another node that gives places, where everything has to have one', async () => {
    const head = "select from activity_marks where name = 'head' for update"
    const { given } = await whileLocked(t.database.url, head, async (untilWaiting) => {
      await newRole('Beside another node')
      expect(await sequence(t.ctx)).toBe(false)
      const given = sequenceAll(t.ctx)
      await Promise.race([given, untilWaiting(1)])
      return { given }
    })
    await given
    expect(await t.ctx.db.selectFrom('activity_pending').select('activity_id').execute()).toEqual([])
  })

  it.skipIf(isSqlite)('gives a row that is committed late a later place, and skips none', async () => {
    const slow = await t.ctx.unguarded.startTransaction().execute()
    const row = { event: 'role.updated', subject_type: 'role', subject_id: 7001, created_at: '2026-01-15 12:00:00' }
    const { id } = await slow.insertInto('activity').values(row).returning('id').executeTakeFirstOrThrow()
    await slow.insertInto('activity_pending').values({ activity_id: id, due_ms: 0 }).execute()
    await newRole('Committed first')
    await sequenceAll(t.ctx)
    await slow.commit().execute()
    await sequenceAll(t.ctx)
    const [last, before] = (await chainOf()).toReversed()
    expect(last?.activity_id).toBeLessThan(before?.activity_id ?? 0)
    expect(await problemsOf()).toEqual([])
  })

  it('does nothing where nothing is new', async () => {
    await sequenceAll(t.ctx)
    expect(await sequence(t.ctx)).toBe(false)
  })

  it('leaves a row that counts until its minute is over', async () => {
    const wrong = { username: 'admin@example.com', password: 'not the right one' }
    await t.call('POST /login', { key: null, body: wrong })
    await sequenceAll(t.ctx)
    const last = async () => (await t.ctx.db.selectFrom('activity').selectAll().orderBy('id', 'desc').execute())[0]
    const row = await last()
    expect(row).toMatchObject({ event: 'user.sign_in_failed' })
    expect((await chainOf()).at(-1)?.activity_id).toBeLessThan(row?.id ?? 0)
    await t.call('POST /login', { key: null, body: wrong })
    expect(JSON.parse((await last())?.details ?? '')).toMatchObject({ count: 2 })
    t.clock.advance({ seconds: 60 })
    await sequenceAll(t.ctx)
    expect((await chainOf()).at(-1)?.activity_id).toBe(row?.id)
    expect(await problemsOf()).toEqual([])
  })
})

describe('GET /activity/export', () => {
  const linesOf = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))

  // asvs: 16.4.2
  it('lets anybody compute the chain from its lines', async () => {
    await newRole('Exported')
    const answer = await t.call('GET /activity/export')
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    const lines = linesOf(answer.text)
    expect(lines.at(-1)).toMatchObject({ event: 'role.created', ip_address: '127.0.0.1' })
    let previous = noHash
    for (const { hash, ip_address: _, user_agent: __, ...row } of lines) {
      previous = createHash('sha256')
        .update(`${previous}\n${JSON.stringify(row)}`)
        .digest('hex')
      expect(hash).toBe(previous)
    }
  })

  it('takes the filters of the list', async () => {
    const { text } = await t.call('GET /activity/export?filter[event]=role.created&filter[actor]=1')
    expect(new Set(linesOf(text).map(({ event }) => event))).toEqual(new Set(['role.created']))
    expect((await t.call('GET /activity/export?filter[nothing]=1')).status).toBe(400)
    expect((await t.call('GET /activity/export?format=xml')).body.errors.format).toHaveLength(1)
  })

  it('has one order and no pages: a sort or cursor is refused, not ignored', async () => {
    const { body } = await t.call('GET /activity?per_page=1')
    for (const [query, code] of [
      ['sort=-id', 'unknown_sort'],
      [`cursor=${body.meta.next_cursor}`, 'invalid_cursor'],
    ])
      expect(await t.call(`GET /activity/export?${query}`)).toMatchObject({ status: 400, body: { code } })
  })

  it('is CSV where that is asked for, in which no cell begins like a formula', async () => {
    await t.call('POST /roles', { body: { name: 'Formula' }, headers: { 'user-agent': '=HYPERLINK("x")' } })
    const { text, headers } = await t.call('GET /activity/export?format=csv&filter[event]=role.created')
    const [head, ...rows] = text.trimEnd().split('\r\n')
    expect(headers['content-type']).toContain('text/csv')
    expect(head).toMatch(/^id,event,.*,hash$/)
    expect(rows.at(-1)).toContain(`"'=HYPERLINK(""x"")"`)
  })
})

describe('verify', () => {
  let app: TestApp
  let ids: number[]
  beforeEach(async () => {
    app = await createTestApp(inject('postgresUrl'))
    for (const name of ['One', 'Two', 'Three', 'Four']) await newRole(name, app)
    await sequenceAll(app.ctx)
    ids = (await chainOf(app)).map(({ activity_id }) => activity_id)
    expect(await problemsOf(app)).toEqual([])
  })
  const run = (query: ReturnType<typeof sql>) => query.execute(app.ctx.unguarded)
  const id = (at: number): number => ids.at(at) as number
  const retain = async () => {
    const job = app.ctx.jobs.runners.find(({ name }) => name === 'maintenance.activity') as JobRunner
    await job.drain()
  }

  it.each(['event', 'details', 'created_at', 'request_id', 'subject_type'])('finds a changed %s', async (column) => {
    await run(sql`update activity set ${sql.ref(column)} = '{"x":1}' where id = ${id(-3)}`)
    expect(await problemsOf(app)).toEqual([{ kind: 'changed', id: id(-3), position: ids.length - 2 }])
  })

  it('finds a deleted row', async () => {
    await run(sql`delete from activity where id = ${id(-2)}`)
    expect(await problemsOf(app)).toEqual([{ kind: 'missing', id: id(-2), position: ids.length - 1 }])
  })

  it('finds a deleted row that was passed off as removed by retention', async () => {
    await run(sql`delete from activity where id = ${id(-2)}`)
    await run(sql`update activity_chain set retired = 'forged' where activity_id = ${id(-2)}`)
    expect(await problemsOf(app)).toMatchObject([{ kind: 'missing', id: id(-2) }])
  })

  it('finds a row deleted together with its link', async () => {
    await run(sql`delete from activity where id = ${id(-2)}`)
    await run(sql`delete from activity_chain where activity_id = ${id(-2)}`)
    expect(await problemsOf(app)).toEqual([{ kind: 'missing', id: null, position: ids.length - 1 }])
  })

  it('finds swapped rows', async () => {
    await run(sql`update activity set id = 900 where id = ${id(-2)}`)
    await run(sql`update activity set id = ${id(-2)} where id = ${id(-3)}`)
    await run(sql`update activity set id = ${id(-3)} where id = 900`)
    expect(await problemsOf(app)).toMatchObject([{ kind: 'changed', id: id(-3) }])
  })

  it('finds an added row', async () => {
    await run(sql`insert into activity (id, event, subject_type, created_at) values (901, 'x', 'y', 'z')`)
    expect(await problemsOf(app)).toEqual([{ kind: 'added', id: 901, position: null }])
    await newRole('Later', app)
    await sequenceAll(app.ctx)
    expect(await problemsOf(app)).toEqual([{ kind: 'added', id: 901, position: null }])
  })

  it('finds a cut tail, with its links or without', async () => {
    await run(sql`delete from activity where id >= ${id(-2)}`)
    expect(await problemsOf(app)).toMatchObject([{ kind: 'missing', id: id(-2) }])
    await run(sql`delete from activity_chain where activity_id >= ${id(-2)}`)
    expect(await problemsOf(app)).toEqual([{ kind: 'cut', id: null, position: ids.length - 1 }])
    const last = (await chainOf(app)).at(-1)
    await run(sql`update activity_marks set position = ${last?.position}, hash = ${last?.hash} where name = 'head'`)
    expect(await problemsOf(app)).toMatchObject([{ kind: 'rewritten' }])
  })

  it('finds a chain that was rewritten from a changed row on', async () => {
    await run(sql`update activity set event = 'role.deleted' where id = ${id(-3)}`)
    await run(sql`delete from activity_chain`)
    await run(sql`insert into activity_pending (activity_id, due_ms) select id, 0 from activity`)
    await run(sql`update activity_marks set position = 0, hash = ${noHash} where name = 'head'`)
    const forged = createSealer(Buffer.alloc(32))
    await sequenceAll({ ...app.ctx, sealer: forged })
    expect(await problemsOf(app)).toMatchObject([{ kind: 'rewritten' }])
  })

  it('finds a cut tail also after the service has gone on from a head that was set back', async () => {
    await run(sql`delete from activity where id >= ${id(-2)}`)
    await run(sql`delete from activity_chain where activity_id >= ${id(-2)}`)
    const last = (await chainOf(app)).at(-1)
    await run(sql`update activity_marks set position = ${last?.position}, hash = ${last?.hash} where name = 'head'`)
    await newRole('Later', app)
    await sequenceAll(app.ctx)
    expect(await problemsOf(app)).toMatchObject([{ kind: 'rewritten' }])
  })

  it('finds a log that the service was made to begin again', async () => {
    await run(sql`update activity set event = 'role.deleted' where id = ${id(-3)}`)
    await run(sql`delete from activity_chain`)
    await run(sql`insert into activity_pending (activity_id, due_ms) select id, 0 from activity`)
    await run(sql`update activity_marks set position = 0, hash = ${noHash}, signature = null where name = 'head'`)
    await sequenceAll(app.ctx)
    expect(await problemsOf(app)).toMatchObject([{ kind: 'rewritten' }])
  })

  it('finds that the whole log is gone, with its marks', async () => {
    for (const table of ['activity', 'activity_chain', 'activity_marks'])
      await run(sql`delete from ${sql.table(table)}`)
    expect(await problemsOf(app)).toMatchObject([{ kind: 'rewritten' }])
  })

  it('removes no row by retention whose date was changed, and none before it', async () => {
    await run(sql`update activity set created_at = '2020-01-01 00:00:00' where id = ${id(-1)}`)
    await retain()
    expect(await problemsOf(app)).toEqual([{ kind: 'changed', id: id(-1), position: ids.length }])
    expect(await chainOf(app)).toHaveLength(ids.length)
  })

  it('leaves no anchor after rows that were passed off as removed by retention', async () => {
    await run(sql`delete from activity where id <= ${id(-3)}`)
    await run(sql`update activity_chain set retired = 'forged' where activity_id <= ${id(-3)}`)
    await retain()
    expect(await problemsOf(app)).toMatchObject([{ kind: 'missing', position: 1 }])
  })

  it('finds a row whose date and link were changed before one that retention had removed', async () => {
    await app.call('POST /login', { key: null, body: { username: 'admin@example.com', password: 'wrong' } })
    app.clock.advance({ days: 91 })
    await sequenceAll(app.ctx)
    await retain()
    expect(await verifyActivity(app.ctx)).toMatchObject({ problems: [], retired: 1 })
    await run(sql`update activity set created_at = '2020-01-01 00:00:00' where id = ${id(-1)}`)
    const [before, link] = (await chainOf(app)).slice(ids.length - 2)
    const row = await app.ctx.db.selectFrom('activity').selectAll().where('id', '=', id(-1)).executeTakeFirstOrThrow()
    const forged = nextHash(before?.hash ?? '', row)
    await run(sql`update activity_chain set hash = ${forged} where position = ${link?.position}`)
    await retain()
    expect(await problemsOf(app)).toHaveLength(1)
  })

  it('holds after retention has removed rows from the start and between, which leaves a signed anchor', async () => {
    await run(sql`update activity set created_at = '2020-01-01 00:00:00' where id = ${id(-4)}`)
    expect(await problemsOf(app)).toHaveLength(1)
    await run(sql`update activity set created_at = '2026-01-15 12:00:00' where id = ${id(-4)}`)
    app.clock.advance({ days: 91 })
    await app.call('POST /login', { key: null, body: { username: 'admin@example.com', password: 'wrong' } })
    app.clock.advance({ days: 1 })
    await newRole('Between', app)
    await sequenceAll(app.ctx)
    app.clock.advance({ days: 100 })
    await retain()
    expect(await verifyActivity(app.ctx)).toMatchObject({ problems: [], retired: 1 })
    app.clock.advance({ days: 174 })
    await newRole('New', app)
    await sequenceAll(app.ctx)
    await retain()
    const chain = await chainOf(app)
    expect(chain[0]?.position).toBeGreaterThan(1)
    expect(await problemsOf(app)).toEqual([])
    await run(sql`update activity_marks set hash = ${noHash} where name = 'anchor'`)
    expect(await problemsOf(app)).toMatchObject([{ kind: 'rewritten' }])
  })
})

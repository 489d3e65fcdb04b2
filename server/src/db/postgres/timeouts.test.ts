import { once } from 'node:events'
import { createServer } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { ConfigError, parseConfig } from '../../config.ts'
import { createTestDatabase } from '../../testing/databases.ts'
import type { RootDb } from '../database.ts'
import { isCollision, isUnavailable } from '../failures.ts'
import { openDatabase } from '../open.ts'
import { parseHosts } from './address.ts'

describe('timeouts in the address', () => {
  const parse = (parameters: string) => parseHosts(`postgres://db.test/gatehouse?${parameters}`)

  it('are read with units, or as libpq and PostgreSQL mean them, and are not sent to the server', () => {
    const given =
      'connect_timeout=5&statement_timeout=1500&lock_timeout=50ms&idle_in_transaction_session_timeout=1min&answer_timeout=4s'
    const { timeouts, urls } = parse(given)
    expect(timeouts).toEqual({ connectMs: 5_000, statementMs: 1_500, lockMs: 50, idleMs: 60_000, answerMs: 4_000 })
    expect(urls).toEqual(['postgres://db.test/gatehouse'])
  })

  it('have defaults', () => {
    const expected = { connectMs: 3_000, statementMs: 20_000, lockMs: 100, idleMs: 20_000, answerMs: 2_000 }
    expect(parse('').timeouts).toEqual(expected)
  })

  it.each([
    'connect_timeout=0',
    'statement_timeout=never',
    'lock_timeout=1ms',
    'answer_timeout=2h',
    'statement_timeout=61min',
  ])('%s is refused by its name', (given) => {
    const [name] = given.split('=')
    const config = () => parseConfig({ GATEHOUSE_DATABASE_URL: `postgres://db.test/gatehouse?${given}` })
    expect(config).toThrow(ConfigError)
    expect(config).toThrow(`(${name} is a time from 10ms to 60min, for example ${name}=5s)`)
  })
})

describe.runIf(inject('postgresUrl'))('on PostgreSQL', () => {
  async function open(parameters: string): Promise<RootDb> {
    const { url, remove } = await createTestDatabase(inject('postgresUrl'))
    const db = openDatabase({ kind: 'postgres', url: `${url}?${parameters}` }, () => {})
    onTestFinished(async () => {
      await db.destroy()
      await remove()
    })
    return db
  }
  const sleep = sql`select pg_sleep(20)`
  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error) => error,
    )

  it('statement_timeout ends reads and the statements of transactions', async () => {
    const db = await open('statement_timeout=200ms')
    const failures = [failureOf(sleep.execute(db)), failureOf(db.transaction().execute((tx) => sleep.execute(tx)))]
    for (const failure of await Promise.all(failures)) expect(isUnavailable(failure)).toBe(true)
    expect((await sql`select 1`.execute(db)).rows).toHaveLength(1)
  })

  it('work that lifts it for its transaction takes its time', async () => {
    const db = await open('statement_timeout=100ms')
    await db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx)
      await sql`select pg_sleep(0.5)`.execute(tx)
    })
    expect(await failureOf(db.transaction().execute((tx) => sleep.execute(tx)))).toMatchObject({ code: '57014' })
  })

  it('lock_timeout ends the wait for a lock', async () => {
    const db = await open('lock_timeout=50ms')
    await db.transaction().execute(async (tx) => {
      await sql`lock table roles`.execute(tx)
      const failure = await failureOf(db.transaction().execute((other) => sql`lock table roles`.execute(other)))
      expect(failure).toMatchObject({ code: '55P03' })
      expect(isCollision(failure)).toBe(true)
    })
  })

  it('connect_timeout ends the wait for a server that accepts and says nothing', async () => {
    const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as { port: number }
    const url = `postgres://postgres@127.0.0.1:${port}/gatehouse?connect_timeout=200ms`
    const db = openDatabase({ kind: 'postgres', url }, () => {})
    onTestFinished(() => db.destroy())
    const begun = performance.now()
    expect(isUnavailable(await failureOf(sql`select 1`.execute(db)))).toBe(true)
    expect(performance.now() - begun).toBeLessThan(2_000)
  })
})

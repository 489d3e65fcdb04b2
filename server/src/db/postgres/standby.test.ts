import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { adminQuery, databaseUrl, makeTemplate } from '../../testing/databases.ts'
import { type PostgresServer, password, startPostgres } from '../../testing/postgres-server.ts'
import { until } from '../../testing/until.ts'
import { findReplicas } from '../direct.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** A primary and a standby that follows it, both real and of this file alone. */
describe.runIf(inject('postgresUrl'))('with a standby', () => {
  const folders = [
    mkdtempSync(join(tmpdir(), 'gatehouse-primary-')),
    mkdtempSync(join(tmpdir(), 'gatehouse-standby-')),
  ] as const
  const flags = ['-c', 'fsync=off', '-c', 'max_connections=60']
  let primary: PostgresServer
  let standby: PostgresServer
  const hostOf = ({ port }: PostgresServer) => `127.0.0.1:${port}`
  const urlOf = (server: PostgresServer, name = 'gatehouse') =>
    databaseUrl(`postgres://postgres:${password}@${hostOf(server)}/postgres`, name)

  beforeAll(async () => {
    const first = await startPostgres(folders[0], flags)
    await adminQuery(urlOf(first, 'postgres'), 'create database gatehouse')
    await makeTemplate({ kind: 'postgres', url: urlOf(first) })
    await first.stop()
    cpSync(join(folders[0], 'data'), join(folders[1], 'data'), { recursive: true })
    chmodSync(join(folders[1], 'data'), 0o700)
    writeFileSync(join(folders[1], 'data/standby.signal'), '')
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'nobody', join(folders[1], 'data')])
    primary = await startPostgres(folders[0], flags)
    const source = `host=127.0.0.1 port=${primary.port} user=postgres password=${password}`
    standby = await startPostgres(folders[1], [...flags, '-c', `primary_conninfo=${source}`])
  })
  afterAll(async () => {
    await standby.stop()
    await primary.stop()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  /** A database of a test's own, on the primary; the standby gets it. */
  async function createDatabase(): Promise<string> {
    const name = `test_${randomBytes(8).toString('hex')}`
    await adminQuery(urlOf(primary, 'postgres'), `create database ${name} template gatehouse`)
    return name
  }

  async function start(url: string, readUrl?: string): Promise<TestApp> {
    const settings = {
      GATEHOUSE_DATABASE_URL: url,
      ...(readUrl === undefined ? {} : { GATEHOUSE_DATABASE_READ_URL: readUrl }),
    }
    const database = { address: { kind: 'postgres', url }, url, remove: async () => {} } as const
    const t = await startTestApp(urlOf(primary), settings, database)
    onTestFinished(t.close)
    return t
  }

  async function onStandby<Row>(sql: string): Promise<Row[]> {
    const client = new pg.Client(urlOf(standby))
    await client.connect()
    const { rows } = await client.query(sql)
    await client.end()
    return rows as Row[]
  }

  it('writes go to the host that takes them, whichever comes first in the address', async () => {
    const url = `postgres://postgres:${password}@${hostOf(standby)},${hostOf(primary)}/${await createDatabase()}?target_session_attrs=read-write`
    const t = await start(url)
    const { status } = await t.call('POST /roles', { body: { name: 'Many hosts' } })
    expect(status).toBe(201)
    expect((await t.call('GET /roles')).body.meta.total).toBe(3)
  })

  it('who wrote sees it at once, others what the replica has, until it is too far behind', async () => {
    const name = await createDatabase()
    const t = await start(urlOf(primary, name), urlOf(standby, name))
    const states = () => findReplicas(t.ctx.db)?.states() ?? []
    const { key } = await t.createUser({ role_id: 1 })
    const count = async (as = key) => (await t.call('GET /roles', { key: as })).body.meta.total
    const before = await count(t.adminKey)
    await until(async () => (await count()) === before && states()[0]?.isUsed, 'the replica to be used')

    await onStandby('select pg_wal_replay_pause()')
    expect((await t.call('POST /roles', { body: { name: 'Late' } })).status).toBe(201)
    expect(await count(t.adminKey)).toBe(before + 1)
    expect(await count()).toBe(before) // from the replica, which has not seen it
    expect((await t.call('GET /stats', { key })).status).toBe(200)
    await until(async () => (await count()) === before + 1, 'the replica to be left')
    expect(states()[0]?.isUsed).toBe(false)
    expect(states()[0]?.lagSeconds).toBeGreaterThan(5)

    await onStandby('select pg_wal_replay_resume()')
    await until(async () => (await count()) === before + 1 && states()[0]?.isUsed, 'the replica to be used again')
  })

  it('reads go to the database itself while the replica is away', async () => {
    const t = await start(urlOf(primary, await createDatabase()), 'postgres://postgres@127.0.0.1:1/gatehouse')
    expect((await t.call('GET /users')).status).toBe(200)
    expect(findReplicas(t.ctx.db)?.states()).toMatchObject([{ host: '127.0.0.1:1', isUsed: false }])
  })

  it('a server that is frozen is 503 within 5 seconds, for reads and writes, and works again afterwards', async () => {
    const t = await start(urlOf(primary, await createDatabase()))
    expect((await t.call('GET /users')).status).toBe(200)
    const children = readFileSync(`/proc/${primary.pid}/task/${primary.pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .map(Number)
    const all = [primary.pid, ...children]
    const signal = (name: NodeJS.Signals) => {
      for (const pid of all) process.kill(pid, name)
    }
    signal('SIGSTOP')
    try {
      const requests = [
        'GET /users',
        'GET /users?filter[search]=a',
        'GET /stats',
        'GET /me',
        'POST /roles',
        '//readyz',
      ].map(async (request) => {
        const begun = performance.now()
        const { status } = await t.call(
          request.startsWith('//') ? `GET ${request}` : request,
          request.startsWith('P') ? { body: { name: 'Frozen', first_name: 'Frozen' } } : {},
        )
        return { request, status, isSoon: performance.now() - begun < 5_500 }
      })
      for (const answer of await Promise.all(requests)) expect(answer).toMatchObject({ status: 503, isSoon: true })
    } finally {
      signal('SIGCONT')
    }
    await until(
      async () => (await t.call('POST /roles', { body: { name: `Thawed ${performance.now()}` } })).status === 201,
    )
  })
})

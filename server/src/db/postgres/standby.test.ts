import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { checkReplicas } from '../../cli/doctor/database.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { freeze, type PostgresPair, processesOf, queryOnce, startPair } from '../../testing/postgres-pair.ts'
import { password } from '../../testing/postgres-server.ts'
import { until } from '../../testing/until.ts'
import { findReplicas } from '../direct.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.runIf(inject('postgresUrl'))('with a standby', () => {
  let pair: PostgresPair
  beforeAll(async () => {
    pair = await startPair()
  })
  afterAll(() => pair.stop())

  const onStandby = (sql: string) => queryOnce(pair.urlOf(pair.standby), sql)
  const onPrimary = <Row>(sql: string) => queryOnce<Row>(pair.urlOf(pair.primary), sql)

  async function start(url: string, readUrl?: string): Promise<TestApp> {
    const settings = {
      GATEHOUSE_DATABASE_URL: url,
      ...(readUrl === undefined ? {} : { GATEHOUSE_DATABASE_READ_URL: readUrl }),
    }
    const database = { address: { kind: 'postgres', url }, url, remove: async () => {} } as const
    const t = await startTestApp(pair.urlOf(pair.primary), settings, { database })
    onTestFinished(t.close)
    return t
  }

  /** An address of both, the standby first. */
  const urlOfBoth = (name: string) =>
    `postgres://postgres:${password}@${pair.hostOf(pair.standby)},${pair.hostOf(pair.primary)}/${name}?target_session_attrs=read-write`

  it('writes go to the host that takes them, whichever comes first in the address', async () => {
    const t = await start(urlOfBoth(await pair.createDatabase()))
    const { status } = await t.call('POST /roles', { body: { name: 'Many hosts' } })
    expect(status).toBe(201)
    expect((await t.call('GET /roles')).body.meta.total).toBe(3)
  })

  it('a host that takes no writes is kept for reads where any will do', async () => {
    const name = await pair.createDatabase()
    const hosts = `127.0.0.1:1,${pair.hostOf(pair.primary)}`
    const t = await start(`postgres://postgres:${password}@${hosts}/${name}?target_session_attrs=any`)
    await onPrimary(`alter database ${name} set default_transaction_read_only = on`)
    await onPrimary(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    await until(async () => (await t.call('GET /roles')).status === 200, 'reads to go on')
    for (let nth = 0; nth < 5; nth++) {
      const refused = await t.call('POST /roles', { body: { name: `Refused ${nth}` } })
      expect(refused).toMatchObject({ status: 503 })
      const reads = ['GET /roles', 'GET /users/1', 'GET /users?filter[search]=a', 'GET /stats']
      const answers = await Promise.all(reads.map((read) => t.call(read)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    }
  })

  it('who wrote sees it at once, others what the replica has, until it is too far behind', async () => {
    const name = await pair.createDatabase()
    const t = await start(pair.urlOf(pair.primary, name), pair.urlOf(pair.standby, name))
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

  it('whoever asked for a mail sees it at once, though nothing in the audit log says so', async () => {
    const name = await pair.createDatabase()
    const t = await start(pair.urlOf(pair.primary, name), pair.urlOf(pair.standby, name))
    const isUsed = () => findReplicas(t.ctx.db)?.states()[0]?.isUsed
    await until(async () => (await t.call('GET /roles')).status === 200 && isUsed(), 'the replica to be used')
    await onStandby('select pg_wal_replay_pause()')
    try {
      const { id } = (await t.call('POST /deliveries/test')).body.data
      const { data } = (await t.call('GET /deliveries')).body
      expect(data.map((delivery: { id: number }) => delivery.id)).toContain(id)
      expect(isUsed()).toBe(true)
    } finally {
      await onStandby('select pg_wal_replay_resume()')
    }
  })

  it('reads go to the database itself while the replica is away', async () => {
    const url = pair.urlOf(pair.primary, await pair.createDatabase())
    const t = await start(url, 'postgres://postgres@127.0.0.1:1/gatehouse')
    expect((await t.call('GET /users')).status).toBe(200)
    const unknown = { host: '127.0.0.1:1', isUsed: false, lagSeconds: Number.POSITIVE_INFINITY }
    expect(findReplicas(t.ctx.db)?.states()).toEqual([unknown])
  })

  it('the state of a replica is known before it is read from', async () => {
    const name = await pair.createDatabase()
    const readUrl = pair.urlOf(pair.standby, name)
    const t = await start(pair.urlOf(pair.primary, name), readUrl)
    await until(() => findReplicas(t.ctx.db)?.states()[0]?.isUsed, 'the replica to be watched')
    expect(await checkReplicas({ databaseReadUrl: readUrl })).toMatchObject([{ check: 'replica', state: 'ok' }])
  })

  it('reads go to the database itself while the replica is frozen', async () => {
    const name = await pair.createDatabase()
    const t = await start(pair.urlOf(pair.primary, name), pair.urlOf(pair.standby, name))
    const isUsed = () => findReplicas(t.ctx.db)?.states()[0]?.isUsed
    await until(async () => (await t.call('GET /users')).status === 200 && isUsed(), 'the replica to be used')
    const thaw = freeze(processesOf(pair.standby))
    try {
      expect(await t.call('GET /users')).toMatchObject({ status: 200 })
      expect(isUsed()).toBe(false)
      expect(findReplicas(t.ctx.db)?.states()[0]?.lagSeconds).toBe(Number.POSITIVE_INFINITY)
      expect((await t.call('GET /users?filter[search]=a')).status).toBe(200)
    } finally {
      thaw()
    }
    await until(async () => (await t.call('GET /users')).status === 200 && isUsed(), 'the replica to be used again')
  })

  it('a server that is frozen is 503 within 5 seconds, for reads and writes, and works again afterwards', async () => {
    const t = await start(pair.urlOf(pair.primary, await pair.createDatabase()))
    expect((await t.call('GET /users')).status).toBe(200)
    const thaw = freeze(processesOf(pair.primary))
    try {
      const requests = [
        'GET /users',
        'GET /users?filter[search]=a',
        'GET /stats',
        'GET /me',
        'GET /users/export',
        'POST /roles',
        '//readyz',
      ].map(async (request) => {
        const begun = performance.now()
        const { status } = await t.call(
          request.startsWith('//') ? `GET ${request}` : request,
          request.startsWith('P') ? { body: { name: 'Frozen', first_name: 'Frozen' } } : {},
        )
        return { request, status, isSoon: performance.now() - begun < 5_000 }
      })
      for (const answer of await Promise.all(requests)) expect(answer).toMatchObject({ status: 503, isSoon: true })
    } finally {
      thaw()
    }
    await until(
      async () => (await t.call('POST /roles', { body: { name: `Thawed ${performance.now()}` } })).status === 201,
    )
  })

  // Background work may be the first to meet the frozen connection: then no request fails, and nothing is shown.
  it('a connection on which nothing is answered any more is given up, though others work', { retry: 2 }, async () => {
    const t = await start(pair.urlOf(pair.primary, await pair.createDatabase()))
    const write = (name: string) => t.call('POST /roles', { body: { name } })
    const committed = `select pid from pg_stat_activity where application_name = 'gatehouse' and query like '%commit'`
    let idle: { pid: number }[] = []
    await until(async () => {
      // Again each time: background work may have used the connection for something else since.
      expect((await write(`Before ${performance.now()}`)).status).toBe(201)
      idle = await onPrimary<{ pid: number }>(committed)
      return idle.length > 0
    }, 'a connection that has committed')
    const thaw = freeze(idle.map(({ pid }) => pid))
    try {
      const statuses = new Set<number>()
      for (let nth = 0; nth < 5 && !statuses.has(503); nth++) {
        const begun = performance.now()
        // So many at once need every connection of the pool, also the frozen ones.
        const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => write(`Meanwhile ${nth} ${index}`)))
        expect(performance.now() - begun).toBeLessThan(5_000)
        for (const { status } of answers) statuses.add(status)
      }
      expect(statuses).toEqual(new Set([201, 503]))
      expect((await write('After')).status).toBe(201)
    } finally {
      thaw()
    }
  })

  async function setSynchronous(names: string): Promise<void> {
    await onPrimary(`alter system set synchronous_standby_names = '${names}'`)
    await onPrimary('select pg_reload_conf()')
    const state = names === '' ? 'async' : 'sync'
    const states = `select 1 from pg_stat_replication where sync_state = '${state}'`
    await until(async () => (await onPrimary(states)).length === 1, `the standby to be ${state}`)
  }

  it('a commit that no synchronous standby has is not acknowledged, however long that takes', async () => {
    const t = await start(`${pair.urlOf(pair.primary, await pair.createDatabase())}?statement_timeout=1s`)
    await setSynchronous('*')
    const thaw = freeze(processesOf(pair.standby))
    try {
      expect((await t.call('POST /roles', { body: { name: 'Nowhere else' } })).status).toBe(503)
    } finally {
      thaw()
      await setSynchronous('')
    }
  })

  it('goes on with the standby when it becomes the primary, and has lost no acknowledged write', async () => {
    const t = await start(urlOfBoth(await pair.createDatabase()))
    await setSynchronous('*')
    const acknowledged: string[] = []
    const write = async (name: string) => {
      const { status } = await t.call('POST /roles', { body: { name } })
      if (status === 201) acknowledged.push(name)
      return status
    }
    for (let nth = 0; nth < 20; nth++) expect(await write(`Before ${nth}`)).toBe(201)
    process.kill(pair.primary.pid, 'SIGQUIT') // an immediate shutdown: like a crash
    const between = ['a', 'b', 'c', 'd'].map((name) => write(`Between ${name}`))
    for (const status of await Promise.all(between)) expect([201, 503]).toContain(status)
    await onStandby('select pg_promote()')
    let nth = 0
    await until(async () => (await write(`After ${nth++}`)) === 201, 'writes to work again')
    const { data } = (await t.call('GET /roles?per_page=100')).body
    expect(data.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(acknowledged))
  })
})

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import Sqlite from 'better-sqlite3'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createTestApp, startTestApp, type TestApp } from '../testing/app.ts'
import { adminQuery, createTestDatabase, endConnections, type TestDatabase } from '../testing/databases.ts'

const postgresUrl = inject('postgresUrl')

/** A TCP proxy in front of the database that can be stopped and restarted on the same port. */
interface Cable {
  readonly port: number
  readonly pull: () => Promise<void>
  readonly plug: () => Promise<void>
  /** Drops all data without closing connections. */
  readonly cut: () => void
}

async function createCable(to: URL): Promise<Cable> {
  const open = new Set<Socket>()
  const link = (socket: Socket) => {
    const other = connect(Number(to.port), to.hostname)
    for (const [end, peer] of [
      [socket, other],
      [other, socket],
    ] as const) {
      open.add(end)
      end
        .on('error', () => {})
        .on('close', () => {
          open.delete(end)
          peer.destroy()
        })
    }
    socket.pipe(other).pipe(socket)
  }
  let server: Server
  let port = 0
  const plug = async () => {
    server = createServer(link).listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as { port: number }).port
  }
  const pull = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of open) socket.destroy()
    await closed
  }
  const cut = () => {
    for (const socket of open) socket.unpipe().resume()
  }
  await plug()
  return { port, pull, plug, cut }
}

async function expectUnavailable(t: TestApp, request: string, body?: object): Promise<void> {
  const answer = await t.call(request, body === undefined ? {} : { body })
  expect({ request, status: answer.status, body: answer.body }).toEqual({
    request,
    status: 503,
    body: { message: 'The service is not available at the moment. Please try again.', code: 'unavailable' },
  })
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
}

describe.skipIf(postgresUrl === null)('a PostgreSQL that lets nobody in', () => {
  it('is 503 with Retry-After, and the service goes on as soon as it does', async () => {
    const t = await createTestApp(postgresUrl)
    const name = new URL(t.database.url).pathname.slice(1)
    const allowConnections = (value: boolean) =>
      adminQuery(String(postgresUrl), `alter database "${name}" with allow_connections ${value}`)
    await allowConnections(false)
    onTestFinished(() => allowConnections(true))
    await endConnections(String(postgresUrl), t.database.url)
    for (let times = 0; times < 3; times++) await expectUnavailable(t, 'GET /users') // with and without a broken connection
    await expectUnavailable(t, 'POST /roles', { name: 'Nobody' })
    await allowConnections(true)
    while ((await t.call('GET /users')).status !== 200);
  })
})

describe.skipIf(postgresUrl === null)('an unavailable PostgreSQL', () => {
  const startBehindCable = async () => {
    const behind = await createTestDatabase(postgresUrl)
    const cable = await createCable(new URL(behind.url))
    const url = new URL(behind.url)
    url.host = `127.0.0.1:${cable.port}`
    const database: TestDatabase = { ...behind, address: { kind: 'postgres', url: url.href } }
    const t = await startTestApp(postgresUrl, {}, { database })
    onTestFinished(async () => {
      await cable.pull().catch(() => {})
      await t.close()
      await behind.remove()
    })
    return { t, cable }
  }

  // asvs: 16.5.2
  it('is 503 with Retry-After on every route except the health check, and works again by itself', async () => {
    const { t, cable } = await startBehindCable()
    const password = 'correct horse battery'
    const user = { email: 'new@example.com', role_id: 2, password, password_confirmation: password }
    await cable.pull()
    for (const request of ['GET /users', 'GET /users/1', 'GET /countries', 'DELETE /users/1']) {
      await expectUnavailable(t, request)
    }
    expect(await t.call('GET //readyz')).toMatchObject({
      status: 503,
      body: { status: 'unavailable', reason: 'database_away' },
    })
    await expectUnavailable(t, 'POST /users', user)
    expect((await t.call('GET //healthz', { key: null })).status).toBe(200)
    expect((await t.call('GET /users', { key: null })).status).toBe(401)
    await cable.plug()
    expect((await t.call('POST /users', { body: user })).status).toBe(201)
    expect((await t.call('GET //readyz', { key: null })).status).toBe(200)
    expect((await t.call('GET /users')).body.meta.total).toBe(2)
  })

  it('may fail in the middle of requests: each is answered, none is half done', async () => {
    const { t, cable } = await startBehindCable()
    const requests = Array.from({ length: 30 }, (_, index) =>
      t.call('POST /roles', { body: { name: `Role ${index}` } }),
    )
    await requests[0]
    await cable.pull()
    const statuses = (await Promise.all(requests)).map((answer) => answer.status)
    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([])
    await cable.plug()
    const { total } = (await t.call('GET /roles')).body.meta
    // A commit whose answer was lost also counts; acknowledged ones are there in any case.
    expect(total).toBeGreaterThanOrEqual(2 + statuses.filter((status) => status === 201).length)
    expect((await t.call('GET /activity?filter[event]=role.created')).body.meta.total).toBe(total - 2)
  })

  it('may vanish silently: requests do not wait for ever, and the next ones work', async () => {
    const { t, cable } = await startBehindCable()
    expect((await t.call('GET /users/1')).status).toBe(200)
    cable.cut()
    const statuses = await Promise.all([1, 2, 3].map(async () => (await t.call('GET /users/1')).status))
    expect(statuses).toEqual([503, 503, 503])
    expect((await t.call('GET /users/1')).status).toBe(200)
  })

  it('may close all of our connections: the next requests work or are 503, and then they work', async () => {
    const t = await createTestApp(postgresUrl)
    await Promise.all(Array.from({ length: 20 }, () => t.call('GET /users')))
    await endConnections(String(postgresUrl), t.database.url)
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await t.call('GET /users')).status))
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect((await t.call('GET /users')).status).toBe(200)
  })
})

describe.skipIf(postgresUrl !== null)('an SQLite file that another process keeps locked', () => {
  it('serves reads, and is writable as soon as it is free', async () => {
    const t = await createTestApp(null)
    const other = new Sqlite(t.database.url.slice('sqlite:'.length))
    other.exec('begin immediate')
    expect((await t.call('GET /users')).status).toBe(200)
    other.exec('rollback')
    other.close()
    expect((await t.call('POST /roles', { body: { name: 'Later' } })).status).toBe(201)
  })
})

it('a change that others were in the way of at every attempt is 503 with Retry-After', async () => {
  const t = await createTestApp(postgresUrl)
  const { transaction } = t.ctx
  const fail = () => Promise.reject(Object.assign(new Error('deadlock detected'), { code: '40P01', severity: 'ERROR' }))
  Object.assign(t.ctx, { transaction: fail })
  await expectUnavailable(t, 'POST /roles', { name: 'Wanted' })
  Object.assign(t.ctx, { transaction })
  expect((await t.call('POST /roles', { body: { name: 'Wanted' } })).status).toBe(201)
})

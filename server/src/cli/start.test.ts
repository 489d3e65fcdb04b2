import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from '@gatehouse/plugin-kit/testing'
import { sql } from 'kysely'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { openDatabase } from '../db/open.ts'
import { verifyPassword } from '../features/passwords/passwords.service.ts'
import { itOnce } from '../testing/it-once.ts'
import { firstOf } from '../testing/long-form.ts'
import {
  createInstallation,
  createMigrated,
  type Installation,
  newKey,
  root,
  type ServerProcess,
} from '../testing/server-process.ts'
import { until } from '../testing/until.ts'

const isPostgres = inject('postgresUrl') !== null

async function install(settings?: Record<string, string>): Promise<Installation> {
  const place = await createInstallation(inject('postgresUrl'), settings)
  onTestFinished(place.remove)
  return place
}

/** For tests that are not about the first start. */
async function installMigrated(settings?: Record<string, string>): Promise<Installation> {
  const place = await createMigrated(inject('postgresUrl'), settings)
  onTestFinished(place.remove)
  return place
}

/** The installation's database, opened from outside. */
function lookInto(place: Installation) {
  const db = openDatabase(place.database.address, () => {})
  onTestFinished(() => db.destroy())
  return db
}

const countOf = async (place: Installation, table: 'users' | 'api_keys' | 'activity'): Promise<number> => {
  const { count } = await lookInto(place)
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const secretsIn = (text: string) => ({
  keys: text.match(/gh_[\w-]{43}/g) ?? [],
  passwords: text.match(/(?<=password {2})\S{20}(?=\n)/g) ?? [],
})

describe('the first start', () => {
  // asvs: 6.3.2
  it('prints the administrator, a working password and key once; the second start prints none', async () => {
    const place = await install()
    const first = await place.start()
    const { keys, passwords } = secretsIn(first.said.stdout)
    expect([keys.length, passwords.length]).toEqual([1, 1])
    expect(first.said.stdout).toContain('email     admin@localhost\n')
    const { status, body } = await first.call('GET /users/1?include=role')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ email: 'admin@localhost', status: 'Active', role: { name: 'Admin' } })
    const { password_hash } = await lookInto(place).selectFrom('users').selectAll().executeTakeFirstOrThrow()
    expect(await verifyPassword(password_hash, passwords[0] as string)).toBe(true)
    await first.stop()

    const second = await place.start()
    expect(secretsIn(second.said.stdout)).toEqual({ keys: [], passwords: [] })
    expect(second.said.stdout).toContain('is ready: ')
    expect((await second.call('GET /users', { key: first.key })).status).toBe(200)
  })

  itOnce('takes the administrator from the environment and never shows a secret', async () => {
    const secrets = { GATEHOUSE_ADMIN_PASSWORD: 'a canary in the mine', GATEHOUSE_ADMIN_API_KEY: newKey() }
    const place = await install({ GATEHOUSE_ADMIN_EMAIL: 'ada@example.com', ...secrets })
    const server = await place.start()
    expect((await server.call('GET /users/1')).body.data.email).toBe('ada@example.com')
    const { stdout, stderr } = await server.stop()
    expect(stdout).toContain('ada@example.com')
    for (const secret of Object.values(secrets)) expect(stdout + stderr).not.toContain(secret)
    const { password_hash } = await lookInto(place).selectFrom('users').selectAll().executeTakeFirstOrThrow()
    expect(await verifyPassword(password_hash, secrets.GATEHOUSE_ADMIN_PASSWORD)).toBe(true)
  })

  itOnce('prints only what was generated', async () => {
    const { said } = await (await install({ GATEHOUSE_ADMIN_PASSWORD: 'a canary in the mine' })).start()
    expect(said.stdout).not.toContain('canary')
    expect(secretsIn(said.stdout).keys).toHaveLength(1)
  })

  it('creates one administrator and runs each migration once, with parallel starts', async () => {
    const place = await install()
    const servers = await Promise.all([place.start(), place.start(), place.start(), place.start()])
    const printed = servers.flatMap(({ said }) => secretsIn(said.stdout).keys)
    expect(printed).toHaveLength(1)
    expect([await countOf(place, 'users'), await countOf(place, 'api_keys')]).toEqual([1, 1])
    const names = await sql<{ name: string }>`select name from kysely_migration`.execute(lookInto(place))
    expect(new Set(names.rows.map(({ name }) => name)).size).toBe(names.rows.length)
    for (const { call } of servers) expect((await call('GET /roles', { key: printed[0] as string })).status).toBe(200)
    for (const { stop } of servers) expect(await stop()).toMatchObject({ code: 0, stderr: '' })
  })

  // asvs: 13.3.2
  itOnce('keeps the data folder (0700) and the database (0600) to its own user, whatever the umask', async () => {
    const place = await install({ GATEHOUSE_DATABASE_URL: '' })
    const mask = process.umask(0)
    onTestFinished(() => void process.umask(mask))
    await place.start()
    const mode = (...path: string[]) => (statSync(join(place.folder, 'data', ...path)).mode & 0o777).toString(8)
    expect([mode(), mode('gatehouse.db'), mode('gatehouse.db-wal')]).toEqual(['700', '600', '600'])
  })

  itOnce.for(
    firstOf(
      [
        ['777', '755', 1],
        ['770', '755', 0],
        ['701', '711', 1],
        ['777', '700', 0],
      ] as const,
      2,
    ),
  )(
    'warns in one line of a data folder that others may enter, and leaves it so: mode %s in %s',
    async ([mode, above, lines]) => {
      const place = await install({ GATEHOUSE_DATABASE_URL: '', GATEHOUSE_PROCESSES: '2' })
      const folder = join(place.folder, 'data')
      chmodSync(place.folder, `0${above}`)
      mkdirSync(folder)
      chmodSync(folder, `0${mode}`)
      const { stdout } = await (await place.start()).stop()
      const warned = stdout.split('\n').filter((line) => line.includes('"level":40'))
      expect(warned).toHaveLength(lines)
      for (const line of warned)
        expect(JSON.parse(line)).toMatchObject({ path: folder, mode, msg: expect.stringContaining('chmod 700') })
      expect((statSync(folder).mode & 0o777).toString(8)).toBe(mode)
      const { stdout: told } = await place.run(['doctor'])
      expect(told.includes(`${folder} has mode ${mode}: others may enter it`)).toBe(lines === 1)
    },
  )
})

describe('a database of a newer version', () => {
  it.each(isPostgres ? [[['start']]] : [[['start']], [['migrate']], [['users', 'list']]])(
    'is not changed by %j, which prints one line',
    async (args) => {
      const place = await install()
      await place.run(['migrate'])
      await sql`insert into kysely_migration values ('9999-later', '2030-01-01')`.execute(lookInto(place))
      const { code, stderr } = await place.run(args)
      expect(code).toBe(1)
      expect(stderr).toMatch(/^gatehouse: the database was made by a newer version of Gatehouse: .*9999-later.*\n$/)
      expect(await countOf(place, 'users')).toBe(0)
    },
  )
})

/** A request whose head the server has acknowledged; `finish` sends the body and returns the answer. */
async function beginRequest({ url, key }: ServerProcess, path: string, body: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', expect: '100-continue' }
  const outgoing = request(url + path, { method: 'POST', headers, agent: new Agent({ keepAlive: true }) })
  onTestFinished(() => void outgoing.destroy())
  outgoing.on('error', () => {}).flushHeaders()
  await once(outgoing, 'continue')
  const finish = async () => {
    outgoing.end(JSON.stringify(body))
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    response.resume()
    return { status: response.statusCode, connection: response.headers.connection }
  }
  return { finish }
}

describe('a stop', () => {
  const newUser = (number: number) => {
    const password = 'correct horse battery staple'
    return { email: `u${number}@example.com`, password, password_confirmation: password, role_id: 2 }
  }

  it.each(isPostgres ? (['SIGTERM'] as const) : (['SIGTERM', 'SIGINT'] as const))(
    '%s: accepts no new request, answers those it has accepted, and exits with 0',
    async (signal) => {
      const place = await installMigrated()
      const server = await place.start()
      const numbers = [1, 2, 3, 4, 5, 6, 7, 8]
      const taken = await Promise.all(numbers.map((number) => beginRequest(server, '/api/users', newUser(number))))
      const ended = server.stop(signal)
      const isReady = () => fetch(`${server.url}/readyz`).then(...[({ ok }: Response) => ok, () => false])
      await until(async () => !(await isReady()), 'the server to be ready no more')
      const answer = { status: 201, connection: 'close' } // a kept-alive connection would hold the process
      expect(await Promise.all(taken.map(({ finish }) => finish()))).toEqual(numbers.map(() => answer))
      const { code, stdout, stderr } = await ended
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(await countOf(place, 'users')).toBe(1 + numbers.length)
      // The log is complete to its last line.
      const log = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
      expect(log.filter(({ path, status }) => path === '/api/users' && status === 201)).toHaveLength(numbers.length)
      expect(log).toContainEqual(expect.objectContaining({ signal, msg: 'stopping' }))
    },
  )

  itOnce('goes on for GATEHOUSE_DRAIN_SECONDS, whatever a second SIGTERM says', async () => {
    const server = await (await installMigrated({ GATEHOUSE_DRAIN_SECONDS: '2' })).start()
    const ended = server.stop()
    await until(async () => (await server.call('GET //readyz')).status === 503, 'the server to be ready no more')
    expect((await server.call('GET //readyz')).body).toEqual({ status: 'unavailable', reason: 'stopping' })
    server.process.kill('SIGTERM')
    const { status, headers } = await server.call('GET /users')
    expect({ status, connection: headers.connection }).toEqual({ status: 200, connection: 'close' })
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  })

  itOnce('ends at once with a second SIGINT', async () => {
    const server = await (await installMigrated({ GATEHOUSE_DRAIN_SECONDS: '600' })).start()
    const ended = server.stop('SIGINT')
    await until(async () => (await server.call('GET //readyz')).status === 503, 'the server to be ready no more')
    server.process.kill('SIGINT')
    expect(await ended).toMatchObject({ code: null })
  })

  itOnce('does not wait for ever for a request that never ends', async () => {
    const server = await (await installMigrated()).start()
    await beginRequest(server, '/api/roles', {})
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
  })

  itOnce('reaches the service that was started without a command', async () => {
    const place = await installMigrated()
    const port = String(await freePort())
    const bare = place.spawn('node', [join(root, 'server/bin/gatehouse.js')], { GATEHOUSE_PORT: port })
    await until(() => bare.said.stdout.includes('is ready: '), 'gatehouse to be ready')
    bare.process.kill('SIGTERM')
    expect(await bare.ended).toMatchObject({ code: 0, stderr: '' })
  })

  itOnce('reaches the service through `npm start`', async () => {
    const place = await installMigrated()
    const port = String(await freePort())
    const npm = place.spawn('npm', ['start', '--prefix', root], { GATEHOUSE_PORT: port, GATEHOUSE_PLUGINS: '' })
    await until(() => npm.said.stdout.includes('is ready: '), 'npm start to be ready')
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
    npm.process.kill('SIGTERM')
    await npm.ended
    expect(npm.said.stdout).toContain('"msg":"stopping"')
    await expect(fetch(`http://127.0.0.1:${port}/readyz`)).rejects.toThrow('fetch failed')
  })
})

describe.skipIf(process.platform !== 'linux')('a process without file descriptors', () => {
  itOnce('says so in its log', async () => {
    const place = await installMigrated()
    const port = await freePort()
    const script = `ulimit -n 100; exec node '${join(root, 'server/bin/gatehouse.js')}' start`
    const { said } = place.spawn('sh', ['-c', script], { GATEHOUSE_PORT: String(port) })
    await until(() => said.stdout.includes('is ready: '), 'the server to be ready')
    const sockets = Array.from({ length: 120 }, () => connect(port, '127.0.0.1').on('error', () => {}))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
    })
    await until(() => said.stdout.includes('no file descriptors are left'), 'the line in the log')
    for (const socket of sockets) socket.destroy()
    await until(() => said.stdout.includes('there are file descriptors again'), 'the second line')
  })
})

describe.skipIf(process.platform !== 'linux')('a log that cannot be written', () => {
  itOnce('prevents neither service nor the end', async () => {
    const place = await installMigrated()
    const port = await freePort()
    const script = `exec node '${join(root, 'server/bin/gatehouse.js')}' start > /dev/full`
    const child = place.spawn('sh', ['-c', script], { GATEHOUSE_PORT: String(port) })
    const status = () =>
      fetch(`http://127.0.0.1:${port}/api/users`).then(
        (answer) => answer.status,
        () => 0,
      )
    await until(async () => (await status()) === 401, 'the server to answer')
    for (let nth = 0; nth < 3; nth++) {
      await new Promise((done) => setTimeout(done, 50)) // lines are written in the meantime
      expect(await status()).toBe(401)
    }
    child.process.kill('SIGTERM')
    expect((await child.ended).code).toBe(0)
  })
})

itOnce('the compiled code is written at the start, after which Node no longer keeps it', async () => {
  const place = await installMigrated()
  const cache = join(place.folder, 'cache')
  await place.start({ NODE_COMPILE_CACHE: cache })
  expect(readdirSync(cache, { recursive: true }).length).toBeGreaterThan(1_000)
})

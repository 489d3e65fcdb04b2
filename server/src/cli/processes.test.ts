import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { freePort } from '@gatehouse/plugin-kit/testing'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { itOnce } from '../testing/it-once.ts'
import { createMigrated, newKey, type ServerProcess } from '../testing/server-process.ts'
import { until } from '../testing/until.ts'

async function start(settings: Record<string, string> = {}) {
  const place = await createMigrated(inject('postgresUrl'), { GATEHOUSE_PROCESSES: '3', ...settings })
  onTestFinished(place.remove)
  const server = await place.start()
  await until(() => server.said.stdout.includes('is ready'), 'all processes to listen')
  return server
}

/** The ids of the processes that serve. */
const childrenOf = ({ process: { pid } }: ServerProcess): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A caller with connections of its own: each comes to the next process. */
function connectEach({ url, key }: ServerProcess) {
  return (method: string, path: string, body?: object) =>
    new Promise<{ status: number | undefined; remaining: number; body: unknown }>((done, fail) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const outgoing = request(url + path, { method, headers, agent: new Agent() }, async (answer) => {
        const remaining = Number(answer.headers['x-ratelimit-remaining'])
        done({ status: answer.statusCode, remaining, body: await json(answer).catch(() => null) })
      })
      outgoing.on('error', fail).end(body && JSON.stringify(body))
    })
}

describe.skipIf(process.platform !== 'linux')('several processes', () => {
  it('serve one database: what one has committed counts at the next request in all', async () => {
    const server = await start()
    expect(childrenOf(server)).toHaveLength(3)
    expect(server.said.stdout.match(/is ready/g)).toHaveLength(1)
    const call = connectEach(server)
    for (let nth = 0; nth < 9; nth++) {
      expect((await call('POST', '/api/roles', { name: `Role ${nth}` })).status).toBe(201)
      const { body } = await call('GET', '/api/roles')
      expect(body).toMatchObject({ meta: { total: 3 + nth } })
    }
    const { body } = await call('POST', '/api/api-keys', { name: 'soon gone' })
    const { id, key } = (body as { data: { id: number; key: string } }).data
    const withKey = connectEach({ ...server, key })
    for (let nth = 0; nth < 6; nth++) expect((await withKey('GET', '/api/roles')).status).toBe(200)
    expect((await call('DELETE', `/api/api-keys/${id}`)).status).toBe(200)
    for (let nth = 0; nth < 6; nth++) expect((await withKey('GET', '/api/roles')).status).toBe(401)
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
  })

  itOnce('count the requests of a caller together', async () => {
    const server = await start({ GATEHOUSE_RATE_LIMIT: '30/day' })
    const call = connectEach(server)
    const before = await call('GET', '/api/roles')
    let least = before.remaining
    await until(async () => {
      least = (await call('GET', '/api/roles')).remaining
      return least <= 15
    }, 'the processes to count together')
    await until(async () => (await call('GET', '/api/roles')).status === 429, 'the limit to be reached')
  })

  itOnce('add up their metrics, whichever answers', async () => {
    const server = await start()
    const call = connectEach(server)
    for (let nth = 0; nth < 12; nth++) await call('GET', '/api/countries')
    const { text } = await server.call('GET //metrics')
    expect(text).toMatch(/gatehouse_http_request_duration_seconds_count\{[^}]*route="\/api\/countries"[^}]*\} 12\n/)
  })

  itOnce('replace one that dies; the others go on', async () => {
    const server = await start()
    const call = connectEach(server)
    const before = childrenOf(server)
    process.kill(before[0] as number, 'SIGKILL')
    await until(() => !childrenOf(server).includes(before[0] as number), 'the process to be gone')
    for (let nth = 0; nth < 6; nth++) expect((await call('GET', '/api/roles')).status).toBe(200)
    await until(() => childrenOf(server).length === 3, 'another to be there')
    await until(() => server.said.stdout.split('"msg":"listening"').length === 5, 'it to listen')
    // The first one did the background work: its replacement does.
    expect((await call('POST', '/api/password/remind', { email: 'admin@localhost' })).status).toBe(200)
    const sent = async () => JSON.stringify((await call('GET', '/api/deliveries')).body).includes('captured')
    await until(sent, 'the mail to be sent')
  })

  itOnce('end with the first, however it ends', async () => {
    const server = await start()
    const children = childrenOf(server)
    server.process.kill('SIGKILL')
    await until(() => !children.some(isAlive), 'all of them to end')
  })

  itOnce('write whole lines into one file', async () => {
    const port = await freePort()
    const key = newKey()
    const settings = { GATEHOUSE_PROCESSES: '3', GATEHOUSE_ADMIN_API_KEY: key, GATEHOUSE_PORT: String(port) }
    const place = await createMigrated(inject('postgresUrl'), settings)
    onTestFinished(place.remove)
    const log = join(place.folder, 'log')
    writeFileSync(log, '')
    const program = join(import.meta.dirname, '../../bin/gatehouse.js')
    const { ended, process: server } = place.spawn('sh', ['-c', `exec node "${program}" start > "${log}"`], {})
    const lines = () => readFileSync(log, 'utf8').split('\n').slice(0, -1)
    await until(() => lines().some((line) => line.includes('is ready')), 'all processes to listen')
    const requests = 300
    const ask = () => fetch(`http://127.0.0.1:${port}/api/roles`, { headers: { authorization: `Bearer ${key}` } })
    const answers = await Promise.all(Array.from({ length: requests }, ask))
    await Promise.all(answers.map((answer) => answer.text()))
    server.kill()
    await ended
    const logged = lines().flatMap((line) => (line.startsWith('{') ? (JSON.parse(line) as { path?: string }) : []))
    expect(logged.filter(({ path }) => path === '/api/roles')).toHaveLength(requests)
  })
})

itOnce('a start that fails says why once and is not tried again', async () => {
  const place = await createMigrated(inject('postgresUrl'), { GATEHOUSE_PROCESSES: '2' })
  onTestFinished(place.remove)
  const { code, stderr } = await place.run(['start'], { settings: { GATEHOUSE_HOST: '127.0.0.99x' } })
  expect(code).toBe(1)
  expect(stderr).toMatch(/^gatehouse: GATEHOUSE_[A-Z_]+: [^\n]+\n$/)
})

import { createServer, type Server } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseNetwork } from '../core/address-guard.ts'
import { createGuardedPoster, type GuardedPoster, type Resolve } from './guarded-post.ts'

/*
 * Everything here leads to a listener on loopback, which counts connections, whether the guard works or not: no packet
 * leaves the machine.
 */

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'
let answer = ok
let listener: Server
let connections = 0
let port = 0
beforeAll(async () => {
  listener = createServer((socket) => {
    connections++
    socket.on('data', () => socket.end(answer))
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  port = (listener.address() as { port: number }).port
})
afterAll(() => {
  listener.close()
})

const posters: GuardedPoster[] = []
const posterWith = (networks: string[], resolve?: Resolve): GuardedPoster => {
  const poster = createGuardedPoster(networks.map(parseNetwork), resolve)
  posters.push(poster)
  return poster
}
beforeEach(() => {
  answer = ok
  connections = 0
})
afterEach(() => {
  for (const poster of posters.splice(0)) poster.close()
})

/** Names resolve to these addresses in turn; the last one stays. */
const resolvingTo = (...answers: string[][]): Resolve => {
  let asked = 0
  return (_host, done) => {
    const addresses = answers[Math.min(asked++, answers.length - 1)] ?? []
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
}

const spellings = [
  ...['127.0.0.1', '127.1', '127.0.1', '0x7f.0.0.1', '0x7f.1', '0x7f000001', '0177.0.0.1', '0177.1', '017700000001'],
  ...[
    '2130706433',
    '127.0.0.1.',
    '①②⑦.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0.0.0.0',
    '0',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
  ],
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:127.0.0.1]', '[::127.0.0.1]', '[64:ff9b::127.0.0.1]'],
  ...['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[::]', 'localhost', 'LOCALHOST', 'localhost.', 'ⓛocalhost', '127.0.0.2'],
]

describe('loopback, however it is spelt', () => {
  it.each(spellings.flatMap((host) => [`http://${host}`, `https://${host}`]))(
    '%s is not connected to',
    async (origin) => {
      const posted = await posterWith([]).post(`${origin}:${port}/`, {}, '{}')
      expect(posted).toMatchObject({ status: null, error: expect.any(String) })
      expect(connections).toBe(0)
    },
  )
})

describe('a name', () => {
  it.each([
    ['loopback', [['127.0.0.1']]],
    ['loopback, wrapped', [['::ffff:127.0.0.1']]],
    ['loopback beside a public address', [['1.1.1.1', '127.0.0.1']]],
  ])('that resolves to %s is not connected to', async (_what, answers) => {
    const { post } = posterWith([], resolvingTo(...answers))
    for (const scheme of ['http', 'https'])
      expect(await post(`${scheme}://rebound.example.com:${port}/`, {}, '{}')).toMatchObject({ status: null })
    expect(connections).toBe(0)
  })

  it('is looked up once for a connection: what was checked is what is connected to', async () => {
    let asked = 0
    const listed = resolvingTo(['127.0.0.1'])
    const { post } = posterWith(['127.0.0.1'], (host, done) => {
      asked++
      listed(host, done)
    })
    expect(await post(`http://rebound.example.com:${port}/`, {}, '{}')).toMatchObject({ status: 200, answer: 'ok' })
    expect([asked, connections]).toEqual([1, 1])
  })

  it('that resolves to another address later is refused then', async () => {
    const { post } = posterWith(['127.0.0.2'], resolvingTo(['127.0.0.1'], ['127.0.0.1', '127.0.0.2']))
    for (let time = 0; time < 3; time++)
      expect(await post(`http://rebound.example.com:${port}/`, {}, '{}')).toMatchObject({
        error: expect.stringContaining('GATEHOUSE_WEBHOOK_NETWORKS'),
      })
    expect(connections).toBe(0)
  })
})

describe('the networks that are allowed', () => {
  it('may be reached over http, and nothing else may', async () => {
    const { post } = posterWith(['127.0.0.0/8'])
    expect(await post(`http://127.0.0.1:${port}/`, {}, '{}')).toMatchObject({ status: 200, answer: 'ok', error: null })
    expect(connections).toBe(1)
  })
})

describe('an answer', () => {
  it.each([
    [
      'that switches protocols',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    ],
    ['that never comes, because the connection is closed', ''],
    ['that ends too early', 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nok'],
  ])('%s is a failure at once', async (_what, bytes) => {
    answer = bytes
    const posted = await posterWith(['127.0.0.0/8']).post(`http://127.0.0.1:${port}/`, {}, '{}')
    expect(posted).toMatchObject({ status: null, error: expect.any(String), answer: null })
    expect(posted.durationMs).toBeLessThan(5_000)
  })
})

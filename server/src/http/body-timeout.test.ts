import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createApp } from '../app.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { type BodyRoute, bodyRoutesOf } from '../testing/body-routes.ts'
import { defaultBodyTimeoutMs } from './server.ts'

const bodyTimeoutMs = 150
let t: TestApp
let app: FastifyInstance
let port: number
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  app = await createApp(t.ctx, undefined, { bodyTimeoutMs })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as { port: number }).port
})
afterAll(async () => {
  await app.close()
  await t.close()
})

/** Sends a head and the beginning of a body, and reads until the server closes the connection. */
async function withhold(route: Pick<BodyRoute, 'method' | 'url'>, headers: string[], start: string) {
  const socket = connect(port, '127.0.0.1')
  const credential = `Authorization: Bearer ${t.adminKey}`
  const head = [`${route.method} ${route.url} HTTP/1.1`, 'Host: gatehouse.test', credential, ...headers]
  socket.write(`${head.join('\r\n')}\r\n\r\n${start}`)
  const [first = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  return { status: Number(first.split(' ')[1]), head: first.toLowerCase(), body: JSON.parse(body) }
}

const late = { message: 'The request body took too long to arrive.', code: 'request_timeout' }
const form = 'Content-Type: multipart/form-data; boundary=x'

describe('a body that does not arrive in time', () => {
  it('has 30 seconds unless a test says otherwise', () => {
    expect(defaultBodyTimeoutMs).toBe(30_000)
    expect(t.app.bodyTimeoutMs).toBe(30_000)
  })

  it('is answered 408 on every route, and the connection is closed', async () => {
    const routes = bodyRoutesOf(t)
    expect(routes.length).toBeGreaterThan(50)
    const starts = (route: BodyRoute) =>
      route.bodyIs === 'fields'
        ? (['Content-Type: application/json', '{"email":'] as const)
        : route.url === '/api/users/import'
          ? (['Content-Type: text/csv', 'email\n'] as const)
          : ([form, '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc'] as const)
    const answers = await Promise.all(
      routes.map(async (route) => {
        const [type, start] = starts(route)
        const { status, head, body } = await withhold(route, [type, 'Content-Length: 5000'], start)
        return { route, status, body, isClosed: head.includes('connection: close') }
      }),
    )
    for (const { route, ...answer } of answers)
      expect({ route, ...answer }).toEqual({ route, status: 408, body: late, isClosed: true })
  })

  it.each([
    [
      'JSON whose length is not announced',
      ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
      '2\r\n{"\r\n',
    ],
    ['JSON that never starts', ['Content-Type: application/json', 'Content-Length: 2'], ''],
    [
      'JSON from a client that closes afterwards',
      ['Content-Type: application/json', 'Content-Length: 2', 'Connection: close'],
      '{',
    ],
  ])('is answered 408: %s', async (_what, headers, start) => {
    const { status, body } = await withhold({ method: 'POST', url: '/api/password/remind' }, headers, start)
    expect({ status, body }).toEqual({ status: 408, body: late })
  })

  it('is answered 408 even if it trickles steadily', async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write(
      'POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n',
    )
    const drip = setInterval(() => socket.write(' '), bodyTimeoutMs / 10)
    const answer = await text(socket)
    clearInterval(drip)
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('does not affect one that arrives in time, in pieces', async () => {
    const socket = connect(port, '127.0.0.1')
    const body = '{"email":"nobody@example.com"}'
    socket.write(
      `POST /api/password/remind HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    socket.write(body.slice(0, 9))
    setImmediate(() => socket.write(body.slice(9)))
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /)
  })
})

import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, it } from 'vitest'
import { createTestApp } from '../testing/app.ts'
import { sendTarget } from '../testing/raw-http.ts'

describe('/healthz and /readyz', () => {
  it('need no credential, and ignore a wrong one', async () => {
    const t = await createTestApp(inject('postgresUrl'))
    for (const key of [null, 'wrong', t.adminKey]) {
      expect(await t.call('GET //healthz', { key })).toMatchObject({ status: 200, body: { status: 'ok' } })
      expect(await t.call('GET //readyz', { key })).toMatchObject({ status: 200, body: { status: 'ready' } })
    }
  })

  it('are not below /api and not in its document', async () => {
    const t = await createTestApp(inject('postgresUrl'))
    for (const path of ['/healthz', '/readyz', '/metrics']) expect((await t.call(`GET ${path}`)).status).toBe(404)
    expect((await t.call('GET /openapi.json')).text).not.toMatch(/healthz|readyz|\/metrics/)
  })
})

describe('a server that is stopping', () => {
  it('still answers accepted requests, and is alive but not ready', async () => {
    const t = await createTestApp(inject('postgresUrl'))
    await sendTarget(t.app, '/healthz')
    const { port } = t.app.server.address() as { port: number }
    // Requests that begin before the server is told to stop, and end afterwards.
    const begin = async (target: string) => {
      const socket = connect(port, '127.0.0.1')
      const accepted = once(t.app.server, 'connection')
      const answer = text(socket)
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`)
      const [peer] = await accepted
      if (peer.bytesRead === 0) await once(peer, 'data')
      return async () => {
        socket.write(`Authorization: Bearer ${t.adminKey}\r\n\r\n`)
        return Number((await answer).split(' ')[1])
      }
    }
    const finish = [await begin('/api/users'), await begin('/healthz'), await begin('/readyz')]
    const closed = t.app.close()
    await new Promise(setImmediate)
    expect(await Promise.all(finish.map((end) => end()))).toEqual([200, 200, 503])
    await closed
  })
})

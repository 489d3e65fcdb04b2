import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createTestApp } from '../testing/app.ts'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

/** A server on a port, and connections to it that it has accepted. */
async function listen() {
  const { app } = await createTestApp(inject('postgresUrl'))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const open = async (): Promise<Socket> => {
    const accepted = once(app.server, 'connection')
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    await accepted
    return socket
  }
  const refuses = () =>
    new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => done(false))
      socket.on('error', () => done(true)).on('connect', () => socket.destroy())
    })
  return { app, open, refuses }
}

describe('a server that stops', () => {
  it('answers on and ends each connection with its answer, and is not ready', async () => {
    const { app, open } = await listen()
    const sockets = await Promise.all([open(), open()])
    app.beginStopping()
    const [health, ready] = await Promise.all(
      sockets.map((socket, index) => {
        socket.write(get(index === 0 ? '/healthz' : '/readyz'))
        return text(socket)
      }),
    )
    expect(health).toMatch(/^HTTP\/1.1 200 OK\r\n.*connection: close\r\n.*\{"status":"ok"\}$/is)
    expect(ready).toMatch(/^HTTP\/1.1 503 .*retry-after: 2\r\n.*\{"status":"unavailable","reason":"stopping"\}$/is)
    const later = await open()
    later.write(get('/healthz'))
    expect(await text(later)).toContain('200 OK')
  })

  it('cuts no accepted connection: not a kept one with an unread request, nor one that has sent nothing yet', async () => {
    const { app, open, refuses } = await listen()
    const kept = await open()
    kept.write(get('/healthz'))
    await once(kept, 'data')
    const fresh = await open()
    const half = await open()
    const halfRead = once(app.server, 'request')
    half.write(`${get('/healthz')}GET /healthz HTTP/1.1\r\n`)
    await halfRead
    kept.write(get('/healthz')) // it has arrived, and nobody has read it
    const closed = app.close()
    const answered = text(kept)
    while (!(await refuses()));
    fresh.write(get('/healthz'))
    half.write('Host: x\r\n\r\n')
    expect(await answered).toMatch(/^HTTP\/1.1 200 OK\r\n.*connection: close/is)
    expect(await text(fresh)).toMatch(/^HTTP\/1.1 200 OK\r\n.*connection: close/is)
    expect((await text(half)).match(/HTTP\/1.1 200 OK/g)).toHaveLength(2)
    await closed
  })

  it('answers every connection that waited to be accepted when it was told to close', async () => {
    const { app } = await listen()
    const { port } = app.server.address() as { port: number }
    const sockets = Array.from({ length: 60 }, () => connect(port, '127.0.0.1'))
    for (const socket of sockets) {
      onTestFinished(() => void socket.destroy())
      socket.write(get('/healthz'))
    }
    const [answers] = await Promise.all([Promise.all(sockets.map(text)), app.close()])
    expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 200 OK'))).toHaveLength(60)
  })

  it('does not wait long for connections that are silent', async () => {
    const { app, open } = await listen()
    const kept = await open()
    kept.write(get('/healthz'))
    await once(kept, 'data')
    const began = performance.now()
    await Promise.all([app.close(), once(kept.resume(), 'end')])
    expect(performance.now() - began).toBeLessThan(4_000)
  })
})

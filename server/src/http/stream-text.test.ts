import { Agent, get } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, inject, it, onTestFinished } from 'vitest'
import { startTestApp } from '../testing/app.ts'
import { until } from '../testing/until.ts'

it('leaves the connection with the limit that idle connections have', async () => {
  const t = await startTestApp(inject('postgresUrl'))
  onTestFinished(t.close)
  const sockets: Socket[] = []
  t.app.server.on('connection', (socket) => sockets.push(socket))
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = t.app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const limitAfter = async (path: string) => {
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const headers = { authorization: `Bearer ${t.adminKey}` }
    get({ port, agent, path, headers }, (response) => response.resume().on('end', resolve))
    await ended
    return sockets[0]?.timeout
  }
  const usual = await limitAfter('/api/me')
  expect(usual).toBeGreaterThan(0)
  await limitAfter('/api/users/export')
  await until(() => sockets[0]?.timeout === usual, 'the limit to be back', 2_000)
  expect(sockets).toHaveLength(1)
})

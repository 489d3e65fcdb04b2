import { once } from 'node:events'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createInstallation, newKey } from '../testing/server-process.ts'
import { until } from '../testing/until.ts'

/** The service on a Unix socket in a folder of its own. */
async function install(trustProxy = '') {
  const key = newKey()
  const place = await createInstallation(inject('postgresUrl'), {
    GATEHOUSE_HOST: 'unix:gatehouse.sock',
    GATEHOUSE_PUBLIC_URL: 'https://users.example.com',
    GATEHOUSE_TRUST_PROXY: trustProxy,
    GATEHOUSE_ADMIN_API_KEY: key,
  })
  onTestFinished(place.remove)
  const socketPath = join(place.folder, 'gatehouse.sock')
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const outgoing = request({ socketPath, path, headers: { authorization: `Bearer ${key}`, ...headers } }).end()
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, body: await json(answer) }
  }
  const start = async () => {
    const child = place.spawn('node', [program, 'start'])
    await until(() => {
      if (child.process.exitCode !== null) throw new Error(child.said.stderr)
      return child.said.stdout.includes('is ready: ')
    }, 'the service on its socket to be ready')
    return child
  }
  return { ...place, socketPath, get, start }
}
const program = join(import.meta.dirname, '../../bin/gatehouse.js')

/** The address that the log has for a request. */
const loggedIp = (stdout: string, path: string) => {
  const lines = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  return lines.find((line) => line.path === path)?.ip
}

describe('a Unix socket', () => {
  it('is listened on for its user and group, taken over after a kill, and removed by a stop', async () => {
    const place = await install()
    const killed = await place.start()
    expect(statSync(place.socketPath).mode & 0o777).toBe(0o660)
    expect((await place.get('/api/users')).status).toBe(200)
    killed.process.kill('SIGKILL')
    await killed.ended
    expect(existsSync(place.socketPath)).toBe(true)

    const next = await place.start()
    expect((await place.get('/api/users')).status).toBe(200)
    next.process.kill('SIGTERM')
    expect((await next.ended).code).toBe(0)
    expect(existsSync(place.socketPath)).toBe(false)
  })

  it('is not taken from a process that uses it, nor a file that is no socket', async () => {
    const place = await install()
    await place.start()
    const second = await place.run(['start'])
    expect(second).toMatchObject({ code: 1 })
    expect(second.stderr).toMatch(/^gatehouse: GATEHOUSE_HOST: \S+gatehouse.sock is in use\. [^\n]+\n$/)
    expect((await place.get('/api/users')).status).toBe(200)

    writeFileSync(join(place.folder, 'plain'), 'kept')
    const third = await place.run(['start'], { settings: { GATEHOUSE_HOST: 'unix:plain' } })
    expect(third.stderr).toMatch(/^gatehouse: GATEHOUSE_HOST: \S+plain is there and is not a socket\. [^\n]+\n$/)
    expect(existsSync(join(place.folder, 'plain'))).toBe(true)
  })

  it.each([
    ['unix', '203.0.113.7'],
    ['10.0.0.0/8', 'unix'],
  ])('with GATEHOUSE_TRUST_PROXY=%s, a request has the address %s', async (trustProxy, ip) => {
    const place = await install(trustProxy)
    const server = await place.start()
    expect((await place.get('/api/roles', { 'x-forwarded-for': '198.51.100.9, 203.0.113.7' })).status).toBe(200)
    server.process.kill('SIGTERM')
    expect(loggedIp((await server.ended).stdout, '/api/roles')).toBe(ip)
  })
})

describe('port 0', () => {
  it.each(['1', '2'])(
    'is a free one, which links, pictures and the line of the start name; %s processes',
    async (processes) => {
      const key = newKey()
      const place = await createInstallation(inject('postgresUrl'), {
        GATEHOUSE_PORT: '0',
        GATEHOUSE_PROCESSES: processes,
        GATEHOUSE_ADMIN_API_KEY: key,
      })
      onTestFinished(place.remove)
      const { said } = place.spawn('node', [program, 'start'])
      await until(() => said.stdout.includes('is ready: '), 'the service to be ready')
      const [, url = ''] = /is ready: (http:\/\/localhost:\d+) /.exec(said.stdout) ?? []
      expect(new URL(url).port).not.toBe('0')
      const headers = { authorization: `Bearer ${key}` }
      for (let nth = 0; nth < Number(processes); nth++) {
        const answer = await fetch(`${url}/api/users`, { headers: { ...headers, connection: 'close' } })
        const { data, links } = (await answer.json()) as { data: { avatar: string }[]; links: { first: string } }
        expect(links.first).toBe(`${url}/api/users?page=1`)
        expect(data[0]?.avatar).toBe(`${url}/avatars/default.svg`)
      }
    },
  )
})

import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '@gatehouse/plugin-kit/testing'
import { call, describe, header, makeFolder, row, startLoad, startNode, until } from './harness.ts'
import { startPostgres } from './postgres.ts'

// Sets the clock of one of two nodes forward and back by an hour while both are used, and kills it while it is ahead.
//
//   node deploy/drill/clock.ts
//
// Needs Debian's packages postgresql and faketime, and a user `postgres`. The other node and PostgreSQL keep the right time.

const library = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketimeMT.so.1`
if (!existsSync(library)) throw new Error('install Debian’s package faketime first')
const limit = 900
const folder = makeFolder()
const clock = join(folder, 'clock')
const setClock = (hours: number) => writeFileSync(clock, `${hours < 0 ? '-' : '+'}${Math.abs(hours) * 3_600}\n`)
setClock(0)

/** The roles of which the webhook was told. */
const received = new Set<number>()
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (part) => {
    body += part
  })
  request.on('end', () => {
    received.add(JSON.parse(body).data.subject.id)
    response.end()
  })
}).listen(0, '127.0.0.1')

const postgres = await startPostgres()
const settings = {
  GATEHOUSE_DATABASE_URL: postgres.url(),
  GATEHOUSE_RATE_LIMIT: `${limit}/minute`,
  GATEHOUSE_WEBHOOK_NETWORKS: '127.0.0.0/8',
  GATEHOUSE_DATA_DIR: join(folder, 'data'),
}
const faked = {
  LD_PRELOAD: library,
  FAKETIME_TIMESTAMP_FILE: clock,
  FAKETIME_NO_CACHE: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
}
const right = await startNode(folder, await freePort(), settings)
const port = await freePort()
let stepped = await startNode(folder, port, { ...settings, ...faked })
const urls = () => [stepped.url, right.url]

async function create(url: string, path: string, body: object): Promise<number> {
  const answer = await call(`${url}/api/${path}`, 'POST', body)
  if (answer.status !== 201) throw new Error(answer.body)
  return JSON.parse(answer.body).data.id
}
const { port: receives } = receiver.address() as AddressInfo
await create(right.url, 'webhooks', { url: `http://127.0.0.1:${receives}`, events: ['role.created'], enabled: true })
const password = 'correct horse battery staple 9'
await create(right.url, 'users', {
  username: 'clock',
  email: 'clock@example.com',
  password,
  password_confirmation: password,
  role_id: 1,
})

const signIn = async (url: string): Promise<string> => {
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'clock', password }),
  })
  if (!response.ok) throw new Error(`sign-in: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { token: string }).token
}
const statusOf = async (url: string, token: string): Promise<number> => {
  const response = await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${token}` } })
  await response.arrayBuffer()
  return response.status
}
const sessions = [await signIn(stepped.url), await signIn(right.url)]
let names = 0

/** Seconds until it is true. */
async function secondsUntil(check: () => Promise<boolean> | boolean, what: string): Promise<string> {
  const begun = performance.now()
  await until(check, what)
  return ((performance.now() - begun) / 1_000).toFixed(1)
}

const isCaptured = async (email: string): Promise<boolean> => {
  const { body } = await call(`${right.url}/api/deliveries?filter[recipient]=${encodeURIComponent(email)}`)
  return JSON.parse(body).data.some(({ status }: { status: string }) => status === 'captured')
}

/** What was begun before the step, and what is begun after it, each through both nodes. */
async function drill(what: string, step: () => void | Promise<void>): Promise<void> {
  const loads = urls().map((url) => startLoad(url, 1, 400))
  const busy = await signIn(stepped.url)
  while ((await statusOf(stepped.url, busy)) !== 429);
  await step()
  const mails = [`a${names++}@example.com`, `b${names++}@example.com`]
  const roles: number[] = []
  const before = await Promise.all(sessions.flatMap((token) => urls().map((url) => statusOf(url, token))))
  const kept = before.filter((status) => status === 200).length
  for (const url of urls()) sessions.push(await signIn(url))
  for (const [nth, url] of urls().entries()) {
    await create(url, 'users/invite', { email: mails[nth], role_id: 2 })
    roles.push(await create(url, 'roles', { name: `Clock ${names++}` }))
  }
  const [sent, told, free] = await Promise.all([
    secondsUntil(async () => (await Promise.all(mails.map(isCaptured))).every(Boolean), 'the mails'),
    secondsUntil(() => roles.every((id) => received.has(id)), 'the webhook'),
    secondsUntil(async () => {
      await setTimeout(500)
      return (await statusOf(stepped.url, busy)) !== 429
    }, 'the end of the limit'),
  ])
  await setTimeout(10_000)
  const results = await Promise.all(loads.map((load) => load.stop()))
  const failures = new Map(results.flatMap(({ failures }) => [...failures]))
  const requests = results.reduce((sum, { sent }) => sum + sent, 0)
  row(what, requests, describe(failures), `${kept} of ${before.length}`, 2, sent, told, free)
}

header('the clock', 'requests', 'failed', 'sessions alive', 'new sign-ins', 'mail, s', 'webhook, s', 'request limit, s')
await drill('right', () => {})
await drill('an hour ahead', () => setClock(1))
await drill('set right', () => setClock(0))
await drill('an hour behind', () => setClock(-1))
await drill('set right again', () => setClock(0))
await drill('ahead, killed, started with the right time', async () => {
  setClock(1)
  await create(stepped.url, 'users/invite', { email: 'ahead@example.com', role_id: 2 })
  const role = await create(stepped.url, 'roles', { name: 'Ahead' })
  await stepped.stop('SIGKILL')
  setClock(0)
  stepped = await startNode(folder, port, { ...settings, ...faked })
  await until(() => isCaptured('ahead@example.com'), 'the mail of the killed node')
  await until(() => received.has(role), 'the event of the killed node')
})
await Promise.all([stepped.stop('SIGKILL'), right.stop('SIGKILL')])
await postgres.stop()
process.exit()

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '../server/src/db/open.ts'
import { createInstallation, newKey, root, type ServerProcess } from '../server/src/testing/server-process.ts'
import { median } from './load.ts'
import { loadNow, machine } from './results.ts'

/*
 * Mails one announcement to many users through the whole program and a mail server on the same machine, with a kill -9 in
 * the middle:
 * node bench/announcements.ts --users 100000 [--kills 1]
 * Fails unless each Active user gets it, nobody else does, and duplicates have the same Message-ID.
 */
const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '1' },
  },
})
const probeEveryMs = 5
const idleProbes = 1_500
const longestMs = 1_800_000

const quantile = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? 0
const inMs = (times: number[]): string =>
  `median ${median(times).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms (${times.length})`

async function probe(server: ServerProcess, times: number[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const start = performance.now()
    const { status } = await server.call('GET /users/1')
    if (status !== 200) throw new Error(`GET /users/1 answered ${status}`)
    times.push(performance.now() - start)
    await pause(probeEveryMs)
  }
}

async function run(): Promise<void> {
  const sink = fork(resolve(import.meta.dirname, 'smtp-sink.ts'))
  const [{ port }] = (await once(sink, 'message')) as [{ port: number }]
  const ask = async <T>(what: string): Promise<T> => {
    sink.send(what)
    return ((await once(sink, 'message')) as [T])[0]
  }
  const installation = await createInstallation(null, {
    GATEHOUSE_MAIL_URL: `smtp://127.0.0.1:${port}?tls=opportunistic`,
    GATEHOUSE_LOG_LEVEL: 'warn',
    GATEHOUSE_ADMIN_EMAIL: 'admin@example.com',
    GATEHOUSE_ADMIN_API_KEY: newKey(),
  })
  try {
    await (await installation.start()).stop()
    const main = `${root}/server/bin/gatehouse.js`
    const { code, stderr } = await installation.spawn('node', [main, 'seed', '--users', values.users]).ended
    if (code !== 0) throw new Error(stderr)
    const db = openDatabase(installation.database.address, () => {})
    const users = await db.selectFrom('users').select(['email', 'status']).execute()
    await db.destroy()
    const active = users.filter(({ status }) => status === 'Active').map(({ email }) => email)
    process.stdout.write(`${machine()}, load ${loadNow()}\n${active.length} of ${users.length} users are Active\n`)

    let server = await installation.start()
    await pause(2_000)
    const idle: number[] = []
    await probe(server, idle, () => idle.length >= idleProbes)
    process.stdout.write(`GET /api/users/1, idle: ${inMs(idle)}\n`)

    const started = performance.now()
    const body = { title: 'News', body: 'The quick **brown** fox. '.repeat(50), email_notifications: true }
    const { data } = (await server.call('POST /announcements', { body })).body
    const progress = async () => (await server.call(`GET /announcements/${data.id}/notifications`)).body.data
    const kills = Number(values.kills)
    const busy: number[] = []
    let most = 0
    for (let killed = 0; killed <= kills; killed++) {
      let isOver = false
      const probing = probe(server, busy, () => isOver)
      for (;;) {
        await pause(500)
        const { different } = await ask<{ different: number }>('how many')
        const now = await progress()
        most = Math.max(most, now.queued + now.sent + now.failed + now.skipped - now.total)
        if (killed < kills && different >= (active.length * (killed + 1)) / (kills + 1)) break
        if (killed === kills && now.status === 'done') break
        if (performance.now() - started > longestMs) throw new Error(`too long: ${JSON.stringify(now)}`)
      }
      isOver = true
      await probing
      if (killed === kills) break
      await server.stop('SIGKILL')
      server = await installation.start()
    }
    const seconds = (performance.now() - started) / 1_000
    const { mails, different } = await ask<{ mails: number; different: number }>('how many')
    const got = (await ask<{ who: string[] }>('who')).who.map((mail) => mail.split(' ')[0] as string)
    const missing = new Set(active).difference(new Set(got)).size
    const others = new Set(got).difference(new Set(active)).size
    const lines = [
      `${different} mails to ${new Set(got).size} users in ${seconds.toFixed(1)} s, ${Math.round(different / seconds)} a second; ${kills} kill -9`,
      `lost ${missing}, to others ${others}, with two Message-IDs ${different - new Set(got).size}, twice with one Message-ID ${mails - different}`,
      `GET /api/users/1, meanwhile: ${inMs(busy)}; ratio of the medians ${(median(busy) / median(idle)).toFixed(2)}`,
      `at the end: ${JSON.stringify(await progress())}, load ${loadNow()}`,
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
    const isRight = missing === 0 && others === 0 && different === active.length && most === 0
    if (!isRight) process.exitCode = 1
  } finally {
    await installation.remove()
    sink.disconnect()
  }
}

await run()

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '@gatehouse/plugin-kit/testing'
import { openContext } from '../server/src/cli/open.ts'
import { parseConfig } from '../server/src/config.ts'
import { systemActor } from '../server/src/core/context.ts'
import { prepareMail, sendPrepared } from '../server/src/mails/mail-to-many.ts'
import { median } from './load.ts'
import { loadNow, machine } from './results.ts'

/*
 * How many mails a second a node sends to a mail server on the same machine, and how long GET /api/users/1 takes meanwhile:
 * node bench/mail-to-many.ts --mails 100000 [--database postgres://…] [--ordinary]
 * --ordinary sends them like confirmations and resets: each is claimed and marked on its own.
 */
const { values } = parseArgs({
  options: {
    mails: { type: 'string', default: '100000' },
    database: { type: 'string' },
    ordinary: { type: 'boolean' },
  },
})
const mails = Number(values.mails)
const probeEveryMs = 5
const idleProbes = 1_500
const text = 'The quick brown fox jumps over the lazy dog. '.repeat(30)

const sink = fork(resolve(import.meta.dirname, 'smtp-sink.ts'))
const [{ port: smtpPort }] = (await once(sink, 'message')) as [{ port: number }]
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
const key = `gh_${randomBytes(32).toString('base64url')}`
const settings = {
  GATEHOUSE_MAIL_URL: `smtp://127.0.0.1:${smtpPort}?tls=opportunistic`,
  GATEHOUSE_RATE_LIMIT: 'off',
  GATEHOUSE_ADMIN_API_KEY: key,
  GATEHOUSE_DATABASE_URL: values.database ?? `sqlite:${join(folder, 'gatehouse.db')}`,
  GATEHOUSE_DATA_DIR: join(folder, 'data'),
  GATEHOUSE_LOG_LEVEL: 'warn',
}

/** Writes the messages before the service starts. */
async function fillOutbox(): Promise<void> {
  const ctx = await openContext(parseConfig(settings))
  const source = {
    subject: 'News: {{ title }}',
    text: `{{ body }}\n\n{{ link }}`,
    html: `<p>{{ body }}</p><p><a href="{{ link }}">Unsubscribe</a></p>`,
  }
  const mail = { template: 'bench', source, data: { title: 'Bench', body: text }, perRecipient: ['link'] }
  const bodyId = values.ordinary ? 0 : await ctx.transaction(systemActor, (tx) => prepareMail(tx, mail))
  for (let start = 0; start < mails; start += 1_000) {
    const indexes = Array.from({ length: Math.min(1_000, mails - start) }, (_, index) => start + index)
    await ctx.transaction(systemActor, async (tx) => {
      if (!values.ordinary) return sendPrepared(tx, bodyId, indexes.map(toRecipient))
      for (const index of indexes) {
        const { email: recipient } = toRecipient(index)
        const body = { subject: 'News: Bench', text, html: `<p>${text}</p>`, secret: false }
        await tx.outbox.enqueue({ kind: 'mail', template: 'bench', userId: null, recipient, ...body })
      }
    })
  }
  await ctx.unguarded.destroy()
}

function toRecipient(index: number) {
  const link = `http://localhost:8080/api/unsubscribe/${index}.${'x'.repeat(43)}`
  return {
    userId: 1,
    email: `user${index}@example.com`,
    values: { link },
    headers: { 'List-Unsubscribe': `<${link}>` },
  }
}

async function startService(): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort()
  const program = [
    '--max-semi-space-size=2',
    '--optimize-for-size',
    resolve(import.meta.dirname, '../server/bin/gatehouse.js'),
  ]
  const env = { ...settings, GATEHOUSE_PORT: String(port) }
  const child = spawn(process.execPath, [...program, 'start'], { cwd: folder, env, stdio: 'inherit' })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; ; tries++) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return { child, url }
    if (tries > 1_000 || child.exitCode !== null) throw new Error('the service did not start')
    await pause(20)
  }
}

async function askSink(): Promise<{ mails: number; different: number }> {
  sink.send('how many')
  const [answer] = (await once(sink, 'message')) as [{ mails: number; different: number }]
  return answer
}

/** How long one request takes, repeated with a pause. */
async function probe(url: string, times: number[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const start = performance.now()
    const response = await fetch(`${url}/api/users/1`, { headers: { authorization: `Bearer ${key}` } })
    await response.text()
    if (!response.ok) throw new Error(`GET /api/users/1 answered ${response.status}`)
    times.push(performance.now() - start)
    await pause(probeEveryMs)
  }
}

const inMs = (times: number[]) =>
  `median ${median(times).toFixed(2)} ms, p99 ${(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0).toFixed(1)} ms`

let service: ChildProcess | undefined
try {
  const filling = performance.now()
  await fillOutbox()
  process.stdout.write(`${machine()}, load ${loadNow()}\n`)
  process.stdout.write(`written: ${Math.round(mails / ((performance.now() - filling) / 1_000))} mails/s\n`)
  const { child, url } = await startService()
  service = child
  const started = performance.now()
  const busy: number[] = []
  let sent = { mails: 0, different: 0 }
  const deadline = started + 600_000
  const watch = (async () => {
    while (sent.different < mails && performance.now() < deadline) {
      await pause(250)
      sent = await askSink()
    }
  })()
  await probe(url, busy, () => sent.different >= mails || performance.now() > deadline)
  await watch
  const seconds = (performance.now() - started) / 1_000
  await pause(1_000)
  const idle: number[] = []
  await probe(url, idle, () => idle.length >= idleProbes)
  process.stdout.write(
    `sent: ${sent.different} of ${mails} in ${seconds.toFixed(1)} s, ${Math.round(sent.different / seconds)} mails/s; twice: ${sent.mails - sent.different}\n`,
  )
  process.stdout.write(
    `GET /api/users/1 meanwhile: ${inMs(busy)} (${busy.length})\nidle: ${inMs(idle)}\nratio of the medians: ${(median(busy) / median(idle)).toFixed(2)}; load ${loadNow()}\n`,
  )
} finally {
  if (service !== undefined) {
    const ended = once(service, 'exit')
    service.kill('SIGTERM')
    await Promise.race([ended, pause(15_000)])
    service.kill('SIGKILL')
  }
  sink.disconnect()
  rmSync(folder, { recursive: true, force: true })
}

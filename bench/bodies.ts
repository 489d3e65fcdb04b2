/**
 * Measures the cost of bodies that are made to be expensive: `node bench/bodies.ts`. For each kind, at its maximum size: the
 * time that the server's only thread spends on one, and how long others wait (a health check every few milliseconds) while
 * anonymous callers send 40 at once, again and again. The kind "control" is an ordinary registration.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@gatehouse/plugin-kit/testing'
import { excessiveJson, largeJson } from '../server/src/testing/hostile-json.ts'
import { gatehouse, type Running, startProgram } from './process.ts'

const size = 64 * 1024
const atOnce = 40
const rounds = 5
const budgetMs = 5

const chunked = (body: string, piece: number): string => {
  let text = ''
  for (let at = 0; at < body.length; at += piece) {
    const part = body.slice(at, at + piece)
    text += `${part.length.toString(16)}\r\n${part}\r\n`
  }
  return `${text}0\r\n\r\n`
}

const withLength = (body: string): string =>
  `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

const only = process.argv.slice(2)
const kinds: Record<string, string> = {
  control: withLength('{"email":"a@example.com","username":"a","password":"x"}'),
  ...Object.fromEntries(
    Object.entries({ ...excessiveJson(size), ...largeJson(size) }).map(([name, body]) => [name, withLength(body)]),
  ),
  '1 MiB': withLength('['.repeat(1024 * 1024)),
  'a chunk for each byte': `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunked(' '.repeat(size), 1)}`,
}

/** Sends an anonymous request, and resolves when its answer has arrived. */
const send = (port: number, rest: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (piece) => {
      answer += piece
    })
    socket.on('error', () => {}).on('close', () => resolve(answer.slice(9, 12) || 'cut'))
    socket.write(`POST /api/register HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${rest}`)
  })

const percentile = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN

async function probe(port: number, until: () => boolean): Promise<number[]> {
  const waited: number[] = []
  while (!until()) {
    const began = performance.now()
    await fetch(`http://127.0.0.1:${port}/healthz`)
    waited.push(performance.now() - began)
    await pause(2)
  }
  return waited
}

async function measure(server: Running, name: string, rest: string) {
  const statuses = new Set<string>()
  let over = false
  const probing = probe(server.port, () => over)
  const cpuBefore = server.cpuSeconds()
  for (let round = 0; round < rounds; round++) {
    for (const status of await Promise.all(Array.from({ length: atOnce }, () => send(server.port, rest))))
      statuses.add(status)
  }
  const cpuMs = ((server.cpuSeconds() - cpuBefore) * 1000) / (atOnce * rounds)
  over = true
  const waited = await probing
  return { name, status: [...statuses].join(' '), cpuMs, p50: percentile(waited, 0.5), p95: percentile(waited, 0.95) }
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bodies-'))
let failed = false
try {
  for (const [name, rest] of Object.entries(kinds)) {
    if (only.length > 0 && !only.includes(name)) continue
    // A server for each kind, because the bodies of anonymous callers at one address are limited.
    const port = await freePort()
    const cwd = mkdtempSync(join(folder, 'server-'))
    const env = { GATEHOUSE_PORT: String(port), GATEHOUSE_RATE_LIMIT: 'off', GATEHOUSE_LOG_LEVEL: 'warn' }
    const server = await startProgram(gatehouse(['start'], cwd, env), port, '/readyz')
    await Promise.all(Array.from({ length: atOnce }, () => send(port, kinds.control as string)))
    const { status, cpuMs, p50, p95 } = await measure(server, name, rest)
    await server.stop()
    failed ||= cpuMs > budgetMs
    console.log(
      `${name.padEnd(40)} ${status.padEnd(8)} ${cpuMs.toFixed(2).padStart(7)} ms of processor each   others: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(failed ? `\nA kind cost more than ${budgetMs} ms.` : `\nEvery kind cost less than ${budgetMs} ms.`)
process.exitCode = failed ? 1 : 0

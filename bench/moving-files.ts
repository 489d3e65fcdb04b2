import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { openDatabase } from '../server/src/db/open.ts'
import type { Installation, ServerProcess } from '../server/src/testing/server-process.ts'
import { say } from './measure.ts'
import { createPlace, peakMb } from './moving-steps.ts'

const mib = Buffer.alloc(1024 * 1024, 'x')

/** `start`, and then one line of `gib` GiB; made while it is sent. */
function* longLine(start: string, gib: number): Generator<Buffer> {
  yield Buffer.from(start)
  for (let at = 0; at < gib * 1024; at++) yield mib
}

/** Rows of 1 KiB, more than `gib` GiB in all; packed, a few MiB. */
function* manyRows(gib: number): Generator<Buffer> {
  yield Buffer.from('email,address\n')
  const rows = Buffer.from(`a@example.com,${'x'.repeat(1_009)}\n`.repeat(1_024))
  for (let at = 0; at <= gib * 1024; at++) yield rows
}

interface Refusal {
  readonly status: number
  readonly message: string
  /** How much was sent until the answer came. */
  readonly mib: number
}

function send({ url, key }: ServerProcess, body: Readable, headers: Record<string, string> = {}): Promise<Refusal> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/api/users/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv', ...headers },
    })
    let bytes = 0
    body.on('data', (piece: Buffer) => {
      bytes += piece.length
    })
    call.on('response', async (response) => {
      body.unpipe(call)
      body.destroy()
      const { message, errors = {} } = JSON.parse(Buffer.concat(await response.toArray()).toString())
      const [why = message] = Object.values<string[]>(errors).flat()
      resolve({ status: response.statusCode ?? 0, message: why, mib: Math.ceil(bytes / mib.length) })
      call.destroy()
    })
    call.on('error', reject)
    body.pipe(call)
  })
}

async function countUploads({ database: { address } }: Installation): Promise<number> {
  if (address.kind === 'sqlite') return readdirSync(`${address.path}-uploads`).length
  const db = openDatabase(address, () => {})
  const rows = await db.selectFrom('uploads').select('name').execute()
  await db.destroy()
  return rows.length
}

/** Files that no disk should keep: each has to be refused with a clear error, and leave nothing behind. */
export async function sendHurtful(postgresUrl: string | null, gib: number): Promise<void> {
  const place = await createPlace(postgresUrl)
  try {
    const server = await place.start()
    const before = peakMb(server.process.pid)
    const files: [what: string, body: Readable, headers?: Record<string, string>][] = [
      [`a row of ${gib} GiB`, Readable.from(longLine('email,address\na@example.com,', gib))],
      [`a quote that never closes, ${gib} GiB`, Readable.from(longLine('email,address\na@example.com,"', gib))],
      [`a header of ${gib} GiB`, Readable.from(longLine('email,', gib))],
      [`${gib} GiB of rows, packed`, Readable.from(manyRows(gib)).pipe(createGzip()), { 'content-encoding': 'gzip' }],
    ]
    for (const [what, body, headers] of files) {
      const begun = performance.now()
      const { status, message, mib: sent } = await send(server, body, headers)
      const seconds = ((performance.now() - begun) / 1000).toFixed(1)
      const peak = peakMb(server.process.pid).toFixed(0)
      say(`  ${what.padEnd(36)} ${status} after ${sent} MiB, ${seconds} s, peak ${peak} MB: ${message}`)
    }
    say(`  before: ${before.toFixed(0)} MB; files that are left: ${await countUploads(place)}`)
    await server.stop()
  } finally {
    await place.remove()
  }
}

import { once } from 'node:events'
import { createReadStream, createWriteStream, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { syntheticUsers } from '../server/src/cli/synthetic-users.ts'
import {
  createInstallation,
  type Installation,
  newKey,
  type ServerProcess,
} from '../server/src/testing/server-process.ts'

/* Steps that the measures of moving users share. */

export interface Job {
  readonly id: number
  readonly status: string
  readonly done: number
  readonly created: number
  readonly updated: number
  readonly skipped: number
  readonly failed: number
}

/** Made by PHP's password_hash; the same for all, because making a million takes a day. */
const bcrypt = '$2y$10$uHCQWS0dapFs/qKDFWVovOl/dFYNHFKmRMc1loViKHGQBae0vs/Ky'

const text = (value: string | number | null): string =>
  value === null ? '' : `"${String(value).replaceAll('"', '""')}"`

const columns = [
  'email',
  'username',
  'first_name',
  'last_name',
  'phone',
  'address',
  'country_id',
  'birthday',
  'status',
  'created_at',
] as const

export async function writeFile(path: string, count: number): Promise<void> {
  const file = createWriteStream(path)
  file.write(`${[...columns, 'password_hash'].join(',')}\n`)
  for (const user of syntheticUsers({ count, randomSeed: 7, now: new Date() })) {
    const cells = [...columns.map((column) => user[column]), bcrypt]
    if (!file.write(`${cells.map(text).join(',')}\n`)) await once(file, 'drain')
  }
  file.end()
  await finished(file)
}

export const peakMb = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

export async function post(server: ServerProcess, path: string, file: string): Promise<Job> {
  const response = await fetch(`${server.url}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'text/csv' },
    body: Readable.toWeb(createReadStream(file)) as ReadableStream,
    duplex: 'half',
  } as RequestInit)
  const { data } = (await response.json()) as { data?: Job }
  if (data === undefined) throw new Error(`the file was refused: ${response.status}`)
  return data
}

export const find = async (server: ServerProcess, id: number): Promise<Job> =>
  (await server.call(`GET /jobs/${id}`)).body.data

export async function untilOver(server: ServerProcess, id: number): Promise<Job> {
  for (;;) {
    const job = await find(server, id)
    if (job.status !== 'queued' && job.status !== 'running') return job
    await pause(100)
  }
}

export async function createPlace(postgresUrl: string | null): Promise<Installation> {
  const place = await createInstallation(postgresUrl, {
    GATEHOUSE_ADMIN_API_KEY: newKey(),
    GATEHOUSE_RATE_LIMIT: 'off',
  })
  await (await place.start()).stop()
  return place
}

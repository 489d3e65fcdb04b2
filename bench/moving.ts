import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { Installation, ServerProcess } from '../server/src/testing/server-process.ts'
import { withPostgres } from './hardening/postgres.ts'
import { say } from './measure.ts'
import { sendHurtful } from './moving-files.ts'
import { killMoving } from './moving-kills.ts'
import { createPlace, peakMb, post, untilOver, writeFile } from './moving-steps.ts'

const help = `usage: npm run bench -- moving [OPTION...]

Imports, exports and changes many users, beside seed and a bare reader.

  --users N          how many (default 100000)
  --kills N          instead: kill -9 so many times during an import and a bulk action, then compare every total
  --gib N            instead: send lines and packed files of so many GiB, which must be refused and leave nothing
  --database NAME    sqlite or postgres (default both)
`

/** 99 of 100 such requests, one after the other, are faster than this. */
async function p99Of(request: () => Promise<unknown>, isOver: () => boolean): Promise<number> {
  const times: number[] = []
  while (!isOver()) {
    const begun = performance.now()
    await request()
    times.push(performance.now() - begun)
    await pause(2)
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
}

const readBeside = (server: ServerProcess, isOver: () => boolean) => p99Of(() => server.call('GET /users/1'), isOver)

function editBeside(server: ServerProcess, isOver: () => boolean): Promise<number> {
  let edits = 0
  return p99Of(() => server.call('PATCH /users/1', { body: { address: `Street ${++edits}` } }), isOver)
}

async function during<T>(
  work: Promise<T>,
  beside: (isOver: () => boolean) => Promise<number>,
): Promise<{ result: T; p99: number }> {
  let isOver = false
  const p99 = beside(() => isOver)
  const result = await work.finally(() => {
    isOver = true
  })
  return { result, p99: await p99 }
}

async function timed<T>(work: () => Promise<T>): Promise<{ seconds: number; result: T }> {
  const begun = performance.now()
  const result = await work()
  return { seconds: (performance.now() - begun) / 1000, result }
}

/** Reads the same rows with nothing around them, and writes JSON. */
async function readBare(place: Installation): Promise<number> {
  const { address } = place.database
  const columns =
    'id,email,first_name,last_name,username,phone,address,country_id,birthday,role_id,status,avatar,last_login,created_at,updated_at'
  let bytes = 0
  const { seconds } = await timed(async () => {
    if (address.kind === 'sqlite') {
      const db = new Sqlite(address.path, { readonly: true })
      for (const row of db.prepare(`select ${columns} from users order by id`).iterate())
        bytes += JSON.stringify(row).length + 1
      db.close()
      return
    }
    const client = new pg.Client({ connectionString: address.url })
    await client.connect()
    await client.query(`begin; declare c cursor for select ${columns} from users order by id`)
    for (;;) {
      const { rows } = await client.query('fetch 300 from c')
      for (const row of rows) bytes += JSON.stringify(row).length + 1
      if (rows.length === 0) break
    }
    await client.end()
  })
  return bytes === 0 ? Number.NaN : seconds
}

async function measure(postgresUrl: string | null, users: number): Promise<void> {
  const name = postgresUrl === null ? 'SQLite' : 'PostgreSQL'
  const tell = (what: string, seconds: number, more = '') =>
    say(
      `  ${name.padEnd(11)} ${what.padEnd(22)} ${seconds.toFixed(1).padStart(7)} s  ${Math.round(users / seconds)}/s ${more}`,
    )
  const other = await createPlace(postgresUrl)
  const seeded = await timed(() => runLong(other, ['seed', '--users', String(users)]))
  tell('seed', seeded.seconds)
  await other.remove()

  const place = await createPlace(postgresUrl)
  try {
    const file = join(place.folder, 'users.csv')
    await writeFile(file, users)
    const server = await place.start()
    const { p99: idle } = await during(pause(5_000), (isOver) => readBeside(server, isOver))
    const { p99: idleEdit } = await during(pause(5_000), (isOver) => editBeside(server, isOver))
    for (const [what, query] of [
      ['dry run', '?dry_run=1'],
      ['import', ''],
    ] as const) {
      const { seconds, result: done } = await timed(async () => {
        const { id } = await post(server, `/users/import${query}`, file)
        return during(untilOver(server, id), (isOver) => readBeside(server, isOver))
      })
      const { result, p99 } = done
      if (result.created !== users) throw new Error(`${what}: ${JSON.stringify(result)}`)
      const ratio = (seconds / seeded.seconds).toFixed(2)
      tell(
        what,
        seconds,
        `${ratio} x seed, by id p99 ${p99.toFixed(1)} ms (idle ${idle.toFixed(1)}), peak ${peakMb(server.process.pid).toFixed(0)} MB`,
      )
    }
    const exported = await timed(async () => {
      const response = await fetch(`${server.url}/api/users/export?format=ndjson`, {
        headers: { authorization: `Bearer ${server.key}` },
      })
      let bytes = 0
      for await (const piece of response.body ?? []) bytes += (piece as Uint8Array).length
      return bytes
    })
    const bare = await readBare(place)
    tell(
      'export (NDJSON)',
      exported.seconds,
      `${(bare / exported.seconds).toFixed(2)} of a bare reader's rate, peak ${peakMb(server.process.pid).toFixed(0)} MB`,
    )
    const change = async (what: string, request: string, body?: object) => {
      const { seconds, result: done } = await timed(async () => {
        const { id } = (await server.call(request, { body })).body.data
        return during(untilOver(server, id), (isOver) => editBeside(server, isOver))
      })
      const edits = `an edit p99 ${done.p99.toFixed(1)} ms (idle ${idleEdit.toFixed(1)})`
      tell(what, seconds, `${done.result.updated} changed, ${edits}, peak ${peakMb(server.process.pid).toFixed(0)} MB`)
      return done.result.id
    }
    const all = { filter: { import_id: 2 }, expected: users }
    const ban = await change('bulk ban', 'POST /users/bulk', { action: 'ban', ...all })
    await change('undo', `POST /jobs/${ban}/undo`)
    await change('bulk delete', 'POST /users/bulk', { action: 'delete', ...all })
    await server.stop()
  } finally {
    await place.remove()
  }
}

/** A command that may take minutes: `run` gives up after 20 s. */
async function runLong(place: Installation, args: readonly string[]): Promise<void> {
  const program = join(import.meta.dirname, '../server/bin/gatehouse.js')
  const { code, stderr } = await place.spawn('node', [program, ...args]).ended
  if (code !== 0) throw new Error(stderr)
}

export async function runMoving(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      users: { type: 'string', default: '100000' },
      kills: { type: 'string' },
      gib: { type: 'string' },
      database: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  const users = Number(values.users)
  const run = (url: string | null) => {
    if (values.kills !== undefined) return killMoving(url, users, Number(values.kills))
    return values.gib === undefined ? measure(url, users) : sendHurtful(url, Number(values.gib))
  }
  if (values.database !== 'postgres') await run(null)
  if (values.database !== 'sqlite') await withPostgres(({ url }) => run(url))
  return 0
}

import { dirname } from 'node:path'
import { freePort } from '@gatehouse/plugin-kit/testing'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { type Api, betterAuthApi, betterAuthCookie, gatehouseApi } from './api.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'
import { contender, gatehouse, type Program, type Running, startProgram } from './process.ts'
import {
  administrator,
  type Copy,
  copyBare,
  copyBetterAuth,
  copyPostgres,
  copySqlite,
  gatehouseEnv,
  type Place,
  publicUrl,
} from './seed.ts'
import { loginPassword, type Truth } from './truth.ts'

export const names = ['gatehouse', 'bare', 'better-auth', 'gatehouse-pg', 'bare-pg', 'kysely-pg', 'node-http'] as const
export type Name = (typeof names)[number]

export const labels: Record<Name, string> = {
  gatehouse: 'Gatehouse, SQLite',
  bare: 'bare Fastify + better-sqlite3',
  'better-auth': 'better-auth, SQLite',
  'gatehouse-pg': 'Gatehouse, PostgreSQL',
  'bare-pg': 'bare Fastify + pg',
  'kysely-pg': 'bare Fastify + Kysely + pg',
  'node-http': 'bare node:http, one fixed answer',
}

export interface Contender {
  readonly name: Name
  readonly api: Api
  readonly truth: Truth
  server: Running
  /** Starts its own start command; with other data, another process of the same. */
  readonly start: () => Promise<Running>
  /** Only for Gatehouse: its seed, and COUNT(*) directly from the database, with a condition on `users`. */
  readonly own?: {
    readonly copy: Copy
    readonly count: (where: string) => Promise<number>
    readonly close: () => Promise<void>
  }
}

const nothing = () => undefined as never
const fixed: Api = {
  list: () => undefined,
  create: nothing,
  rename: nothing,
  move: nothing,
  byId: () => ({ method: 'GET', path: '/', check: (status) => (status === 200 ? undefined : 'expected 200') }),
}

const onPort = async (readyPath: string, program: (port: number) => Program): Promise<Running> => {
  const port = await freePort()
  return startProgram(program(port), port, readyPath)
}

async function counter(database: string) {
  if (database.startsWith('sqlite:')) {
    const db = new Sqlite(database.slice('sqlite:'.length), { readonly: true })
    const count = async (where: string) =>
      (db.prepare(`select count(*) as n from users where ${where}`).get() as { n: number }).n
    return { count, close: async () => void db.close() }
  }
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const count = async (where: string) =>
    Number((await client.query<{ n: string }>(`select count(*) as n from users where ${where}`)).rows[0]?.n)
  return { count, close: () => client.end() }
}

type Settings = Readonly<Record<string, string>>

async function startGatehouse(name: Name, copy: Copy, settings: Settings): Promise<Contender> {
  const start = () =>
    onPort('/readyz', (port) => {
      const env = { ...gatehouseEnv(copy.folder, copy.database, port), ...settings }
      return gatehouse(['start'], copy.folder, env)
    })
  const server = await start()
  return {
    name,
    api: gatehouseApi(copy.key),
    truth: copy.truth,
    server,
    start,
    own: { copy, ...(await counter(copy.database)) },
  }
}

async function startOther(name: Name, api: Api, truth: Truth, start: () => Promise<Running>): Promise<Contender> {
  return { name, api, truth, server: await start(), start }
}

async function startBetterAuth(place: Place, users: number, copy: Copy): Promise<Contender> {
  const { file, totals } = await copyBetterAuth(place, users, copy)
  const given = { database: file, administrator, password: loginPassword, loginIds: [] }
  const start = () => onPort('/api/auth/ok', (port) => contender('better-auth.ts', { ...given, port }, dirname(file)))
  const server = await start()
  const api = betterAuthApi(await betterAuthCookie(server.port), totals)
  return { name: 'better-auth', api, truth: copy.truth, server, start }
}

export interface Stage {
  readonly contenders: ReadonlyMap<Name, Contender>
  readonly stop: () => Promise<void>
}

/** Starts the chosen contenders on data of the same size, each as its users would start it; Gatehouse with more settings. */
export async function startContenders(
  place: Place,
  users: number,
  wanted: readonly Name[],
  settings: Settings = {},
): Promise<Stage> {
  const contenders = new Map<Name, Contender>()
  const want = (name: Name) => wanted.includes(name)
  let postgres: PostgresServer | undefined
  const stop = async () => {
    for (const { server, own } of contenders.values()) {
      await own?.close()
      await server.stop()
    }
    await postgres?.run(`drop database if exists run_${users} with (force)`)
    await postgres?.stop()
  }
  const add = (started: Contender) => void contenders.set(started.name, started)
  try {
    const copy = await copySqlite(place, users)
    if (want('gatehouse')) add(await startGatehouse('gatehouse', copy, settings))
    if (want('bare')) {
      const database = await copyBare(place, users)
      const ready = `/api/users/${copy.truth.users[0]?.id}`
      const start = () =>
        onPort(ready, (port) => contender('bare-sqlite.ts', { port, publicUrl, database }, dirname(database)))
      add(await startOther('bare', gatehouseApi(copy.key), copy.truth, start))
    }
    if (want('better-auth')) add(await startBetterAuth(place, users, copy))
    if (want('gatehouse-pg') || want('bare-pg') || want('kysely-pg')) {
      postgres = await startPostgres(place.cache)
      const onPostgres = await copyPostgres(place, users, postgres)
      const { database, key, truth, folder } = onPostgres
      if (want('gatehouse-pg')) add(await startGatehouse('gatehouse-pg', onPostgres, settings))
      const ready = `/api/users/${truth.users[0]?.id}`
      for (const [name, file] of [
        ['bare-pg', 'bare-postgres.ts'],
        ['kysely-pg', 'kysely-postgres.ts'],
      ] as const) {
        const start = () => onPort(ready, (port) => contender(file, { port, publicUrl, database }, folder))
        if (want(name)) add(await startOther(name, gatehouseApi(key), truth, start))
      }
    }
    if (want('node-http')) {
      const start = () => onPort('/', (port) => contender('node-http.ts', { port, body: 'x'.repeat(600) }, place.work))
      add(await startOther('node-http', fixed, copy.truth, start))
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { contenders, stop }
}

import { createHash, randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { freePort } from '@gatehouse/plugin-kit/testing'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { fillBarePostgres, fillBareSqlite } from './bare-tables.ts'
import type { PostgresServer } from './postgres.ts'
import { contender, gatehouse, runProgram, startProgram } from './process.ts'
import { findTruth, loginHash, loginPassword, type Truth } from './truth.ts'

/** What was created once and is copied for each run. */
export interface Seed {
  /** The administrator's API key. */
  readonly key: string
  /** The duration of `gatehouse seed`, and the size of the database afterwards. */
  readonly seconds: number
  readonly bytes: number
  readonly truth: Truth
}

export const publicUrl = 'http://localhost:8080'
/** better-auth's. */
export const administrator = { email: 'admin@example.com', password: loginPassword }

const source = resolve(import.meta.dirname, '../server/src')

/** Changes with the schema, with what `seed` writes and with what is expected of it, so that old data are not used. */
function version(): string {
  const sum = createHash('sha256')
  const folder = (path: string) =>
    readdirSync(join(source, path))
      .sort()
      .map((name) => join(path, name))
  const features = ['users.queries.ts', 'users.search.ts', 'users.table.ts'].map((name) =>
    join('features/accounts', name),
  )
  for (const file of [
    ...folder('db/migrations'),
    ...features,
    'cli/seed.ts',
    'cli/synthetic-users.ts',
    'core/text.ts',
    '../../bench/truth.ts',
  ]) {
    sum.update(readFileSync(join(source, file)))
  }
  return sum.digest('hex').slice(0, 8)
}

/** Makes a folder unless it exists and is complete; returns what `make` returned the first time. */
async function cached<T>(folder: string, say: string, make: () => Promise<T>): Promise<T> {
  const done = join(folder, 'done.json')
  if (existsSync(done)) return JSON.parse(readFileSync(done, 'utf8')) as T
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  process.stdout.write(`  making ${say}…\n`)
  const made = await make()
  writeFileSync(done, JSON.stringify(made))
  return made
}

/** A first start, which creates the administrator, and `gatehouse seed`; returns the seconds of the latter. */
async function seedGatehouse(folder: string, database: string, key: string, users: number): Promise<number> {
  const port = await freePort()
  const env = { ...gatehouseEnv(folder, database, port), GATEHOUSE_ADMIN_API_KEY: key }
  const server = await startProgram(gatehouse(['start'], folder, env), port, '/readyz')
  await server.stop()
  return runProgram(gatehouse(['seed', '--users', String(users)], folder, env))
}

export const gatehouseEnv = (folder: string, database: string, port: number): Record<string, string> => ({
  GATEHOUSE_PORT: String(port),
  GATEHOUSE_PUBLIC_URL: publicUrl,
  GATEHOUSE_DATA_DIR: join(folder, 'data'),
  GATEHOUSE_DATABASE_URL: database,
  GATEHOUSE_RATE_LIMIT: 'off', // all requests use one key
  GATEHOUSE_TRUST_PROXY: '127.0.0.1', // sign-ins come from many networks, each of which may fail a few times
})

const newKey = (): string => `gh_${randomBytes(32).toString('base64url')}`
const loginIds = (truth: Truth): number[] => truth.logins.map(({ id }) => id)

const makeSqlite = (folder: string, users: number) => async (): Promise<Seed> => {
  const file = join(folder, 'data/gatehouse.db')
  const key = newKey()
  const seconds = await seedGatehouse(folder, `sqlite:${file}`, key, users)
  const bytes = statSync(file).size
  const db = new Sqlite(file)
  const truth = await findTruth(async (sql) => db.prepare<[], Record<string, string | number>>(sql).all(), 'like')
  db.exec(`update users set password_hash = '${await loginHash()}' where id in (${loginIds(truth)})`)
  db.close()
  return { key, seconds, bytes, truth }
}

const makePostgres =
  (folder: string, users: number, server: PostgresServer, name: string) => async (): Promise<Seed> => {
    const key = newKey()
    await server.run(`drop database if exists ${name} with (force)`, `create database ${name}`)
    const seconds = await seedGatehouse(folder, server.url(name), key, users)
    const client = new pg.Client({ connectionString: server.url(name) })
    await client.connect()
    try {
      const size = await client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
      const truth = await findTruth(async (sql) => (await client.query(sql)).rows, 'ilike')
      await client.query(`update users set password_hash = '${await loginHash()}' where id in (${loginIds(truth)})`)
      await fillBarePostgres(client)
      // As autovacuum would have done after a minute. It leaves empty tables alone.
      await client.query('vacuum analyze users, users_search, bare.users, bare.search')
      return { key, seconds, bytes: Number(size.rows[0]?.bytes), truth }
    } finally {
      await client.end()
    }
  }

export interface Place {
  readonly cache: string
  /** Emptied before each run. */
  readonly work: string
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** One benchmark at a time: two would share the work folder, and disturb each other. */
export function createPlace(cache: string): Place {
  const running = join(cache, 'running')
  const pid = existsSync(running) ? Number(readFileSync(running, 'utf8')) : 0
  if (pid > 0 && isAlive(pid)) throw new Error(`process ${pid} is at work in ${cache}; give another one --cache`)
  const work = join(cache, 'work')
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  writeFileSync(running, String(process.pid))
  process.once('exit', () => {
    rmSync(running, { force: true })
    rmSync(work, { recursive: true, force: true })
  })
  return { cache, work }
}

/** Copies the seeded data of one contender into the work folder; returns the path of the copy. */
function copyFolder(from: string, to: string): string {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('log') })
  return to
}

export interface Copy extends Seed {
  readonly folder: string
  /** In the form of `GATEHOUSE_DATABASE_URL`. */
  readonly database: string
}

/** Gatehouse's own SQLite data with this many users. */
export async function copySqlite({ cache, work }: Place, users: number): Promise<Copy> {
  const from = join(cache, `${users}-${version()}`, 'sqlite')
  const seed = await cached(from, `${users} users on SQLite`, makeSqlite(from, users))
  const folder = copyFolder(from, join(work, `${users}-sqlite`))
  return { ...seed, folder, database: `sqlite:${join(folder, 'data/gatehouse.db')}` }
}

/** Gatehouse's data and, in a separate schema, the bare server's. */
export async function copyPostgres({ cache, work }: Place, users: number, server: PostgresServer): Promise<Copy> {
  const name = `gatehouse_${users}_${version()}`
  const from = join(cache, `${users}-${version()}`, 'postgres')
  const seed = await cached(from, `${users} users on PostgreSQL`, makePostgres(from, users, server, name))
  const copy = `run_${users}`
  await server.run(
    `drop database if exists ${copy} with (force)`,
    `create database ${copy} template ${name} strategy file_copy`,
    'checkpoint',
  )
  return { ...seed, folder: copyFolder(from, join(work, `${users}-postgres`)), database: server.url(copy) }
}

/** The bare server's tables with Gatehouse's users; returns the file. */
export async function copyBare({ cache, work }: Place, users: number): Promise<string> {
  const base = join(cache, `${users}-${version()}`)
  const from = join(base, 'bare')
  await cached(from, `${users} users for the bare server`, async () => {
    fillBareSqlite(join(from, 'bare.db'), join(base, 'sqlite/data/gatehouse.db'))
    return {}
  })
  return join(copyFolder(from, join(work, `${users}-bare`)), 'bare.db')
}

/** better-auth's database with the same users; returns the file, and how many users it finds by each term. */
export async function copyBetterAuth({ cache, work }: Place, users: number, { truth }: Seed) {
  const base = join(cache, `${users}-${version()}`)
  const from = join(base, 'better-auth')
  const totals = await cached(from, `${users} users for better-auth`, async () => {
    const database = join(from, 'auth.db')
    const seedFrom = join(base, 'sqlite/data/gatehouse.db')
    const given = { database, seedFrom, administrator, password: loginPassword, loginIds: loginIds(truth) }
    await runProgram(contender('better-auth.ts', given, from))
    const db = new Sqlite(database)
    const count = db.prepare<[string], { n: number }>('select count(*) as n from user where email like ?')
    const terms = [truth.broad, truth.two, truth.one, ...truth.narrow].map(({ term }) => term)
    return Object.fromEntries(terms.map((term) => [term, count.get(`%${term}%`)?.n ?? Number.NaN]))
  })
  return { file: join(copyFolder(from, join(work, `${users}-better-auth`)), 'auth.db'), totals }
}

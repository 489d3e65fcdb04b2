import { randomBytes } from 'node:crypto'
import type { FastifyInstance, HTTPMethods, LightMyRequestResponse } from 'fastify'
import { onTestFinished } from 'vitest'
import { createApp } from '../app.ts'
import { type Config, parseConfig } from '../config.ts'
import { type Context, silentLog, systemActor } from '../core/context.ts'
import { createSealer } from '../core/sealing.ts'
import { toTimestamp } from '../core/time.ts'
import { createContext } from '../create-context.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { insertUser, type NewUser } from '../features/accounts/users.queries.ts'
import type { UserRow } from '../features/accounts/users.table.ts'
import { signEmptyHead } from '../features/activity/chain.ts'
import { insertApiKey } from '../features/api-keys/api-keys.service.ts'
import { hashingCost, hashPassword } from '../features/passwords/passwords.service.ts'
import { createFirstAdmin } from '../features/users/first-admin.ts'
import { installPlugins, suspendUnlisted } from '../plugin-host/install.ts'
import { type LoadedPlugin, loadPlugins } from '../plugin-host/load.ts'
import { openTelemetry } from '../telemetry/open-telemetry.ts'
import { createClock, type TestClock } from './clock.ts'
import { createTestDatabase, type TestDatabase } from './databases.ts'

/** An answer as a test looks at it. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads into answers whose shape is what it checks
  readonly body: any
  readonly text: string
  readonly headers: LightMyRequestResponse['headers']
}

export interface CallOptions {
  /** The API key of the caller; the administrator's unless said otherwise, null for none. */
  readonly key?: string | null
  /** Sent as JSON; a string or Buffer is sent as it is. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly ip?: string
}

export interface TestApp {
  readonly app: FastifyInstance
  readonly ctx: Context
  readonly clock: TestClock
  readonly database: TestDatabase
  readonly adminKey: string
  /** `call('PATCH /users/2', { body })`: through the whole server, without a socket. Paths below `/api` unless they start with `//`. */
  readonly call: (request: string, options?: CallOptions) => Promise<Answer>
  /** A user straight into the database, with a known API key: fast, for tests that are about something else. */
  readonly createUser: (fields?: Partial<NewUser>, scope?: string[] | null) => Promise<{ user: UserRow; key: string }>
  /** A role with these permissions. */
  readonly createRole: (name: string, permissions: string[]) => Promise<number>
  /** Ends it and the nodes beside it. */
  readonly close: () => Promise<void>
  /** What `startNode` has started beside it. */
  readonly nodes: TestApp[]
}

/** The real cost, for tests that need hashing to be slow. */
export const shippedHashingCost = { ...hashingCost }
Object.assign(hashingCost, { memoryCost: 64, timeCost: 1 })

/** One for all nodes. */
const testKey = randomBytes(32)

export const adminPassword = 'correct horse battery staple'

let adminHash: Promise<string> | undefined

const newKey = (): string => `gh_${randomBytes(32).toString('base64url')}`

/** One for all nodes, too. */
const adminKey = newKey()

interface Given {
  /** One that somebody else removes; else it is on a database of its own. */
  readonly database?: TestDatabase
  /** Else those that GATEHOUSE_PLUGINS names, as shipped. */
  readonly plugins?: readonly LoadedPlugin[]
}

/**
 * The whole server, with one administrator (id 1). `postgresUrl` comes from `inject('postgresUrl')`.
 * Whoever starts it closes it: `onTestFinished` in a test, `afterAll` for a file.
 */
export async function startTestApp(
  postgresUrl: string | null,
  settings: Record<string, string> = {},
  given: Given = {},
): Promise<TestApp> {
  const database = given.database ?? (await createTestDatabase(postgresUrl, process.env.GATEHOUSE_TEST_TEMPLATE))
  const config: Config = {
    ...parseConfig({ GATEHOUSE_RATE_LIMIT: 'off', GATEHOUSE_PUBLIC_URL: 'http://gatehouse.test', ...settings }),
    database: database.address,
  }
  const clock = createClock()
  const db = openDatabase(database.address, () => {}, { readUrl: config.databaseReadUrl })
  await migrate(db)
  const telemetry = await openTelemetry(config, silentLog)
  const plugins = given.plugins ?? (await loadPlugins(config.plugins))
  await installPlugins(db, plugins, clock.now)
  const sealer = createSealer(testKey)
  await signEmptyHead(db, sealer)
  const ctx = createContext({ db, config, sealer, clock: clock.now, plugins, telemetry })
  await suspendUnlisted(ctx)
  await ctx.plugins.assertReadable()
  // A generated password is not judged, and so does not load the word lists for every test; then comes the known one.
  await createFirstAdmin(ctx, { email: 'admin@example.com', password: null, apiKey: adminKey })
  adminHash ??= hashPassword(adminPassword)
  await db
    .updateTable('users')
    .set({ password_hash: await adminHash })
    .where('id', '=', 1)
    .execute()
  const app = await createApp(ctx)

  const call: TestApp['call'] = async (request, { key = adminKey, body, headers = {}, ip } = {}) => {
    const [method, path = ''] = request.split(' ', 2)
    const raw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
    const response = await app.inject({
      method: method as HTTPMethods & 'GET',
      url: path.startsWith('//') ? path.slice(1) : `/api${path}`,
      ...(ip === undefined ? {} : { remoteAddress: ip }),
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: raw ? (body as string) : JSON.stringify(body) }),
    })
    const isJson = String(response.headers['content-type']).startsWith('application/json') && response.body !== ''
    return {
      status: response.statusCode,
      body: isJson ? response.json() : undefined,
      text: response.body,
      headers: response.headers,
    }
  }

  let made = 0
  const createUser: TestApp['createUser'] = async (fields = {}, scope = null) => {
    const secret = newKey()
    const now = toTimestamp(clock.now())
    const user = await ctx.transaction(systemActor, async (tx) => {
      const row = await insertUser(tx.db, {
        email: `user${++made}@example.com`,
        password_hash: 'none',
        role_id: 2,
        status: 'Active',
        created_at: now,
        updated_at: now,
        ...fields,
      })
      const permissions = scope === null ? null : JSON.stringify(scope)
      await insertApiKey(tx, tx.actor, {
        userId: row.id,
        name: 'test',
        permissions,
        expiresAt: null,
        secret,
      })
      return row
    })
    return { user, key: secret }
  }

  const createRole: TestApp['createRole'] = async (name, permissions) => {
    const { body } = await call('POST /roles', { body: { name } })
    await call(`PUT /roles/${body.data.id}/permissions`, { body: { permissions } })
    return body.data.id
  }

  const nodes: TestApp[] = []
  const end = async () => {
    for (const node of nodes) await node.close()
    await app.close()
    await db.destroy()
    await telemetry?.stop()
    if (given.database === undefined) await database.remove()
  }
  let ended: Promise<void> | undefined
  const close = () => {
    ended ??= end()
    return ended
  }
  return { app, ctx, clock, database, adminKey, call, createUser, createRole, close, nodes }
}

/** Another node on the same database, with the same clock. It ends with the first one, unless it is closed before. */
export async function startNode(first: TestApp, settings: Record<string, string> = {}): Promise<TestApp> {
  const node = await startTestApp(null, settings, { database: first.database })
  node.clock.advance({ seconds: (first.clock.now().getTime() - node.clock.now().getTime()) / 1000 })
  first.nodes.push(node)
  return node
}

/** `startTestApp` for one test, closed when it is over. */
export async function createTestApp(postgresUrl: string | null, settings?: Record<string, string>): Promise<TestApp> {
  const app = await startTestApp(postgresUrl, settings)
  onTestFinished(app.close)
  return app
}

/** Runs each job of the plugins until it has no more to do. */
export async function runPluginJobs({ ctx }: Pick<TestApp, 'ctx'>): Promise<void> {
  for (const job of ctx.plugins.jobs) await job.drain()
}

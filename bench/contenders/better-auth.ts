import { createServer } from 'node:http'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { admin } from 'better-auth/plugins'
import Sqlite from 'better-sqlite3'

/*
 * better-auth with its admin plugin, set up by its own guide: node:http, SQLite, Kysely. Its rate limit is off, as is
 * Gatehouse's. With `seedFrom` it creates its tables, copies the users of that Gatehouse database, and ends.
 */

interface Settings {
  readonly database: string
  readonly port?: number
  readonly seedFrom?: string
  readonly administrator: { readonly email: string; readonly password: string }
  /** For the users that can sign in. */
  readonly password: string
  readonly loginIds: readonly number[]
}

const { database, port, seedFrom, administrator, password, loginIds } = JSON.parse(process.argv[2] ?? '{}') as Settings
const db = new Sqlite(database)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
const auth = betterAuth({
  database: db,
  baseURL: `http://127.0.0.1:${port ?? 80}`,
  secret: 'a secret for a benchmark that nobody else will ever use',
  emailAndPassword: { enabled: true },
  plugins: [admin()],
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  trustedOrigins: ['http://localhost'],
})

if (seedFrom === undefined) {
  createServer(toNodeHandler(auth)).listen(port, '127.0.0.1')
  process.once('SIGTERM', () => process.exit(0))
} else {
  await (await getMigrations(auth.options)).runMigrations()
  await auth.api.createUser({ body: { ...administrator, name: 'Admin', role: 'admin' } })
  const { password: hasher } = await auth.$context
  db.prepare('attach ? as gatehouse').run(seedFrom)
  const date = (column: string) => `replace(${column}, ' ', 'T') || '.000Z'`
  const name = `trim(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))`
  db.exec(`insert into user (id, name, email, emailVerified, createdAt, updatedAt, role, banned)
    select 'user-' || id, ${name}, email_canonical, 1, ${date('created_at')}, ${date('updated_at')}, 'user', status = 'Banned'
    from gatehouse.users where role_id != 1 order by id`)
  const now = new Date().toISOString()
  const account = db.prepare(`insert into account (id, accountId, providerId, userId, password, createdAt, updatedAt)
    values (?, ?, 'credential', ?, ?, ?, ?)`)
  const hashed = await hasher.hash(password)
  db.transaction(() => {
    for (const id of loginIds) account.run(`account-${id}`, `user-${id}`, `user-${id}`, hashed, now, now)
  })()
  db.exec('analyze')
  db.close()
}

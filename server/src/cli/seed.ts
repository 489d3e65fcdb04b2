import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../core/context.ts'
import type { Db } from '../db/database.ts'
import { hashPassword } from '../features/passwords/passwords.service.ts'
import { defaultRoleId } from '../features/roles/roles.table.ts'
import { addUserCount, derivedColumns } from '../features/users/users.queries.ts'
import { searchTextOf } from '../features/users/users.search.ts'
import type { UserRow, UserStatus } from '../features/users/users.table.ts'
import { withContext } from './open.ts'
import { createProgress } from './progress.ts'
import { type SyntheticUser, syntheticUsers } from './synthetic-users.ts'

/** Users written by one statement; PostgreSQL takes at most 65,535 values in one. */
const batchSize = 1_000

const columns = [
  ...['email', 'email_canonical', 'username', 'username_canonical', 'password_hash', 'role_id', 'status', 'first_name'],
  ...[
    'first_name_key',
    'last_name',
    'last_name_key',
    'phone',
    'address',
    'country_id',
    'birthday',
    'created_at',
    'updated_at',
  ],
] as const

type Inserted = Pick<UserRow, 'id' | 'status' | 'username' | 'first_name' | 'last_name' | 'email'>

/** Writes a batch by the rules of `insertUser`, but many rows a statement. Names that are taken are left out. */
async function insertBatch(db: Db, users: readonly SyntheticUser[], password_hash: string): Promise<number> {
  const rows = users.map((user) => {
    const row = { ...user, ...derivedColumns(user), password_hash, role_id: defaultRoleId } as Record<string, unknown>
    return sql`(${sql.join(columns.map((column) => row[column]))})`
  })
  const { rows: inserted } = await sql<Inserted>`
    insert into users (${sql.join(columns.map((column) => sql.ref(column)))}) values ${sql.join(rows)}
    on conflict do nothing returning id, status, username, first_name, last_name, email`.execute(db)
  if (inserted.length === 0) return 0
  await sql`insert into users_search (rowid, text) values ${sql.join(
    inserted.map((user) => sql`(${user.id}, ${searchTextOf(user)})`),
  )}`.execute(db)
  const statuses = new Map<UserStatus, number>()
  for (const { status } of inserted) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  for (const [status, count] of statuses) await addUserCount(db, defaultRoleId, status, count)
  return inserted.length
}

/** Fills the database with synthetic users, the same ones for the same seed; nobody knows their password. */
export async function seed(options: { users: number; randomSeed: number }): Promise<void> {
  await withContext(async (ctx) => {
    const started = performance.now()
    const made = await insertAll(ctx, options.users, options.randomSeed)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    process.stdout.write(`${made} users were made in ${seconds} s (--random-seed ${options.randomSeed}).\n`)
  })
}

async function insertAll(ctx: Context, count: number, randomSeed: number): Promise<number> {
  const progress = createProgress(process.stderr, count)
  const password_hash = await hashPassword(randomBytes(32).toString('base64url'))
  const { there } = await ctx.db
    .selectFrom('user_counts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('count'), eb.lit(0)).as('there'))
    .where('role_id', '=', defaultRoleId)
    .executeTakeFirstOrThrow()
  let made = 0
  let read = 0
  let batch: SyntheticUser[] = []
  for (const user of syntheticUsers({ count, randomSeed, start: there, now: ctx.clock() })) {
    batch.push(user)
    read++
    if (batch.length < batchSize && read < count) continue
    const full = batch
    made += await ctx.transaction((db) => insertBatch(db, full, password_hash))
    batch = []
    progress(read)
  }
  return made
}

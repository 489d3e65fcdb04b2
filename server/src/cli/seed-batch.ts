import { CompiledQuery } from 'kysely'
import type { Db } from '../db/database.ts'
import { isPostgres } from '../db/dialect.ts'
import { addUserCount, derivedColumns } from '../features/accounts/users.queries.ts'
import { searchTextOf } from '../features/accounts/users.search.ts'
import type { UserStatus } from '../features/accounts/users.table.ts'
import { defaultRoleId } from '../features/roles/roles.table.ts'
import type { SyntheticUser } from './synthetic-users.ts'

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

type Row = SyntheticUser & Record<string, unknown>

/** A statement for this many rows: the same one for every full batch, prepared once. */
const places = (rows: number, columns: number, postgres: boolean): string => {
  let count = 0
  const row = () => `(${Array.from({ length: columns }, () => (postgres ? `$${++count}` : '?'))})`
  return Array.from({ length: rows }, row).join(', ')
}
const statements = new Map<string, string>()
function textOf(kind: 'users' | 'texts', rows: number, postgres: boolean): string {
  const key = `${kind} ${rows} ${postgres}`
  const text =
    statements.get(key) ??
    (kind === 'users'
      ? `insert into users (${columns}) values ${places(rows, columns.length, postgres)} on conflict do nothing returning id, email`
      : `insert into users_search (rowid, text) values ${places(rows, 2, postgres)}`)
  statements.set(key, text)
  return text
}

/** Writes a batch by the rules of `insertUser`, but with many rows per statement. Names that are taken are left out. */
export async function insertBatch(db: Db, users: readonly SyntheticUser[], password_hash: string): Promise<number> {
  const postgres = isPostgres(db)
  const values = users.flatMap((user) => {
    const row: Row = { ...user, ...derivedColumns(user), password_hash, role_id: defaultRoleId }
    return columns.map((column) => row[column])
  })
  const inserts = CompiledQuery.raw(textOf('users', users.length, postgres), values)
  const { rows } = await db.executeQuery<{ id: number; email: string }>(inserts)
  if (rows.length === 0) return 0
  const byEmail = new Map(users.map((user) => [user.email, user]))
  const inserted = rows.map(({ id, email }) => ({ id, user: byEmail.get(email) as SyntheticUser }))
  const texts = inserted.flatMap(({ id, user }) => [id, searchTextOf(user)])
  await db.executeQuery(CompiledQuery.raw(textOf('texts', inserted.length, postgres), texts))
  const statuses = new Map<UserStatus, number>()
  for (const { user } of inserted) statuses.set(user.status, (statuses.get(user.status) ?? 0) + 1)
  for (const [status, count] of statuses) await addUserCount(db, defaultRoleId, status, count)
  return inserted.length
}

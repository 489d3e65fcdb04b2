import { CompiledQuery } from 'kysely'
import type { Db, ReadDb } from '../../db/database.ts'
import { forUpdate, isPostgres } from '../../db/dialect.ts'
import { adminRoleId } from '../roles/roles.table.ts'
import { profileFieldNames } from './users.fields.ts'
import { addUserCount, derivedColumns, type NewUser, waitingSince } from './users.queries.ts'
import { searchTextOf } from './users.search.ts'
import type { UserRow, UserStatus } from './users.table.ts'

/* Writes many users at once, by the rules of `users.queries.ts`. */

/** Rows per statement: SQLite takes at most 32,766 values in one. */
const rowsAtOnce = 100

const bulkColumns = [
  ...['email', 'email_canonical', 'username', 'username_canonical', 'password_hash', 'role_id', 'status'],
  ...['first_name', 'first_name_key', 'last_name', 'last_name_key', 'phone', 'address', 'country_id', 'birthday'],
  ...['created_at', 'updated_at', 'unconfirmed_since', 'import_id'],
  ...profileFieldNames,
].filter((name, at, all) => all.indexOf(name) === at)

const statements = new Map<string, string>()

/** The same text for every full statement, so that it is prepared once. */
function insertText(into: string, rows: number, columns: number, end: string, postgres: boolean): string {
  const key = `${into} ${rows} ${postgres}`
  const known = statements.get(key)
  if (known !== undefined) return known
  let count = 0
  const row = () => `(${Array.from({ length: columns }, () => (postgres ? `$${++count}` : '?'))})`
  const text = `insert into ${into} values ${Array.from({ length: rows }, row).join(', ')} ${end}`
  statements.set(key, text)
  return text
}

/**
 * Writes many users as `insertUser` writes one, with a few statements: rows, search texts and counts. `rest` is awaited
 * between them. Returns their ids in the order of `users`.
 */
export async function insertUsers(db: Db, users: readonly NewUser[], rest: () => Promise<unknown>): Promise<number[]> {
  const postgres = isPostgres(db)
  const ids: number[] = []
  for (let at = 0; at < users.length; at += rowsAtOnce) {
    const part = users.slice(at, at + rowsAtOnce)
    const rows = part.map((user) => {
      const { email, username = null, first_name = null, last_name = null } = user
      return { ...user, ...derivedColumns({ email, username, first_name, last_name }) } as Record<string, unknown>
    })
    const values = rows.flatMap((row) => bulkColumns.map((column) => row[column] ?? null))
    const into = `users (${bulkColumns})`
    const text = insertText(into, part.length, bulkColumns.length, 'returning id, email_canonical', postgres)
    const inserted = await db.executeQuery<{ id: number; email_canonical: string }>(CompiledQuery.raw(text, values))
    const idOf = new Map(inserted.rows.map((row) => [row.email_canonical, row.id]))
    const partIds = rows.map((row) => idOf.get(String(row.email_canonical)) as number)
    await rest()
    const texts = part.flatMap((user, index) => [
      partIds[index],
      searchTextOf({
        email: user.email,
        username: user.username ?? null,
        first_name: user.first_name ?? null,
        last_name: user.last_name ?? null,
      }),
    ])
    const intoTexts = 'users_search (rowid, text)'
    await db.executeQuery(CompiledQuery.raw(insertText(intoTexts, part.length, 2, '', postgres), texts))
    ids.push(...partIds)
    await rest()
  }
  await addUserCounts(db, users)
  return ids
}

interface Counted {
  readonly role_id: number
  readonly status: UserStatus
}

/** Counts many users at once; a negative `sign` takes them away. In one order everywhere, so that nobody deadlocks. */
export async function addUserCounts(db: Db, users: readonly Counted[], sign = 1): Promise<void> {
  const counts = new Map<string, { role: number; status: UserStatus; count: number }>()
  for (const { role_id: role, status } of users) {
    const key = `${String(role).padStart(16, '0')} ${status}`
    const known = counts.get(key) ?? { role, status, count: 0 }
    counts.set(key, known)
    known.count += sign
  }
  for (const [, { role, status, count }] of [...counts].sort(([one], [other]) => (one < other ? -1 : 1)))
    await addUserCount(db, role, status, count)
}

/** Sets status or role of many locked users, who may all be changed: the last administrator is not among them. */
export async function changeUsers(
  db: Db,
  users: readonly Pick<UserRow, 'id' | 'role_id' | 'status'>[],
  changes: { readonly status?: UserStatus; readonly role_id?: number; readonly last_job_id: number | null },
  now: string,
): Promise<void> {
  if (users.length === 0) return
  await db
    .updateTable('users')
    .set({ ...waitingSince({ ...changes, updated_at: now }), ...changes, updated_at: now })
    .where(
      'id',
      'in',
      users.map(({ id }) => id),
    )
    .execute()
  await moveUserCounts(db, users, changes)
}

async function moveUserCounts(db: Db, users: readonly Counted[], changes: Partial<Counted>): Promise<void> {
  const after = users.map((user) => ({
    role_id: changes.role_id ?? user.role_id,
    status: changes.status ?? user.status,
  }))
  await addUserCounts(db, users, -1)
  await addUserCounts(db, after)
}

/** How many active administrators there are; locked, so that two who look at the same moment do not both take the last. */
export async function countActiveAdmins(db: Db): Promise<number> {
  const rows = await forUpdate(db)(
    db.selectFrom('user_counts').select('count').where('role_id', '=', adminRoleId).where('status', '=', 'Active'),
  ).execute()
  return rows.reduce((sum, { count }) => sum + count, 0)
}

/** Users by the canonical forms of their names, for many names at once: one query for each index. */
export async function findByNames(
  db: ReadDb,
  emails: readonly string[],
  usernames: readonly string[],
): Promise<UserRow[]> {
  const users = db.selectFrom('users').selectAll()
  const byEmail = emails.length > 0 ? await users.where('email_canonical', 'in', emails).execute() : []
  const byUsername = usernames.length > 0 ? await users.where('username_canonical', 'in', usernames).execute() : []
  return [...new Map([...byEmail, ...byUsername].map((row) => [row.id, row])).values()]
}

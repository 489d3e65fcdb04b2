import { CompiledQuery, sql } from 'kysely'
import type { Db, ReadDb } from '../../db/database.ts'
import { compileSql, forUpdate, isPostgres } from '../../db/dialect.ts'
import { among, rowsOf } from '../../db/rows.ts'
import { executeBehind } from '../../db/write-behind.ts'
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
function insertText(rows: number, postgres: boolean): string {
  const key = `${rows} ${postgres}`
  const known = statements.get(key)
  if (known !== undefined) return known
  let count = 0
  const row = () => `(${bulkColumns.map(() => (postgres ? `$${++count}` : '?'))})`
  const places = Array.from({ length: rows }, row)
  const text = `insert into users (${bulkColumns}) values ${places} returning id, email_canonical`
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
    const text = insertText(part.length, postgres)
    const inserting = db.executeQuery<{ id: number; email_canonical: string }>(CompiledQuery.raw(text, values))
    await rest() // the statement is on its way
    const texts = part.map(({ email, username = null, first_name = null, last_name = null }) =>
      searchTextOf({ email, username, first_name, last_name }),
    )
    const idOf = new Map((await inserting).rows.map((row) => [row.email_canonical, row.id]))
    const partIds = rows.map((row) => idOf.get(String(row.email_canonical)) as number)
    await insertSearchTexts(db, partIds, texts)
    ids.push(...partIds)
  }
  await addUserCounts(db, users)
  return ids
}

/** Its result is not waited for: meanwhile the next rows are prepared. */
async function insertSearchTexts(db: Db, ids: readonly number[], texts: readonly string[]): Promise<void> {
  const given = rowsOf(
    db,
    { id: 'integer', text: 'text' },
    ids.map((id, at) => ({ id, text: texts[at] })),
  )
  const query = sql`insert into users_search (rowid, text) select given.id, given.text from ${given}`
  await executeBehind(db, { compile: () => compileSql(db, query) })
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

const idsOf = (users: readonly Pick<UserRow, 'id'>[]): number[] => users.map(({ id }) => id)

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
    .where('id', 'in', among(db, 'integer', idsOf(users)))
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
  const byEmail = await users.where('email_canonical', 'in', among(db, 'text', emails)).execute()
  const byUsername = await users.where('username_canonical', 'in', among(db, 'text', usernames)).execute()
  return [...new Map([...byEmail, ...byUsername].map((row) => [row.id, row])).values()]
}

import { CompiledQuery, sql } from 'kysely'
import type { Db, ReadDb } from '../../db/database.ts'
import { compileSql, forUpdate, isPostgres } from '../../db/dialect.ts'
import { among, rowsOf } from '../../db/rows.ts'
import { executeBehind, executeForEach } from '../../db/write-behind.ts'
import { adminRoleId } from '../roles/roles.table.ts'
import { profileFieldNames } from './users.fields.ts'
import { addUserCount, derivedColumns, type NewUser, waitingSince } from './users.queries.ts'
import { searchTextOf } from './users.search.ts'
import type { UserRow, UserStatus } from './users.table.ts'

/* Writes many users at once, by the rules of `users.queries.ts`. */

/** Rows that are made while the database writes those before. */
const rowsAtOnce = 100

const bulkColumns = [
  ...['email', 'email_canonical', 'username', 'username_canonical', 'password_hash', 'role_id', 'status'],
  ...['first_name', 'first_name_key', 'last_name', 'last_name_key', 'phone', 'address', 'country_id', 'birthday'],
  ...['created_at', 'updated_at', 'unconfirmed_since', 'import_id'],
  ...profileFieldNames,
].filter((name, at, all) => all.indexOf(name) === at)

/** One statement for many rows on PostgreSQL; the same text for every full one, so that it is prepared once. */
const insertText = (rows: number): string => {
  let count = 0
  const row = () => `(${bulkColumns.map(() => `$${++count}`)})`
  return `insert into users (${bulkColumns}) values ${Array.from({ length: rows }, row)}`
}
const insertTexts = new Map<number, string>()
function insertTextOf(rows: number): string {
  const text = insertTexts.get(rows) ?? insertText(rows)
  insertTexts.set(rows, text)
  return text
}

/** The statements of SQLite, which are run for each user. The user's new id is looked up where it is. */
const insertOne = `insert into users (${bulkColumns}) values (${bulkColumns.map(() => '?')})`
const insertTextOfOne =
  'insert into users_search (rowid, text) values ((select id from users where email_canonical = ?), ?)'

/**
 * Writes many users as `insertUser` writes one: rows, search texts and counts. No statement is waited for: the next rows are
 * made while the database writes the last ones. `rest` is awaited in between.
 */
export async function insertUsers(db: Db, users: readonly NewUser[], rest: () => unknown): Promise<void> {
  for (let at = 0; at < users.length; at += rowsAtOnce) {
    const rows = users.slice(at, at + rowsAtOnce).map((user) => {
      const { email, username = null, first_name = null, last_name = null } = user
      const names = { email, username, first_name, last_name }
      const derived = derivedColumns(names)
      const row: Record<string, unknown> = { ...user, ...derived }
      const values = bulkColumns.map((column) => row[column] ?? null)
      return { values, email_canonical: derived.email_canonical, text: searchTextOf(names) }
    })
    const values = rows.map((row) => row.values)
    if (isPostgres(db)) {
      const insert = CompiledQuery.raw(insertTextOf(rows.length), values.flat())
      await executeBehind(db, { compile: () => insert })
      await insertSearchTexts(db, rows)
    } else {
      await executeForEach(db, insertOne, values)
      await executeForEach(
        db,
        insertTextOfOne,
        rows.map(({ email_canonical, text }) => [email_canonical, text]),
      )
    }
    await rest()
  }
  await addUserCounts(db, users)
}

/** The ids that the users have just got are looked up where they are. */
async function insertSearchTexts(
  db: Db,
  rows: readonly { readonly email_canonical: string | undefined; readonly text: string }[],
): Promise<void> {
  const texts = rows.map(({ email_canonical, text }) => ({ email_canonical, text }))
  const given = rowsOf(db, { email_canonical: 'text', text: 'text' }, texts)
  const query = sql`insert into users_search (rowid, text)
    select users.id, given.text from ${given} join users on users.email_canonical = given.email_canonical`
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

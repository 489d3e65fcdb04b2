import { CompiledQuery, sql } from 'kysely'
import type { Db, ReadDb } from '../../db/database.ts'
import { compileSql, forUpdate, isPostgres, plannedEachTime } from '../../db/dialect.ts'
import { among, isOneOf, rowsOf } from '../../db/rows.ts'
import { executeBehind, executeForEach } from '../../db/write-behind.ts'
import { adminRoleId } from '../roles/roles.table.ts'
import { profileFieldNames } from './users.fields.ts'
import { addUserCount, derivedColumns, type NewUser, removeRows, waitingSince } from './users.queries.ts'
import { searchTextOf } from './users.search.ts'
import type { UserRow, UserStatus } from './users.table.ts'

/* Writes many users at once, by the rules of `users.queries.ts`. */

/** How many rows are made while the database writes the previous ones. */
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

/** The statements of SQLite, run for each user. The new id of the user is looked up by the address. */
const insertOne = `insert into users (${bulkColumns}) values (${bulkColumns.map(() => '?')})`
const insertTextOfOne =
  'insert into users_search (rowid, text) values ((select id from users where email_canonical = ?), ?)'

/**
 * Writes many users as `insertUser` writes one: rows, search texts and counts. No statement is waited for: the next rows are
 * made while the database writes the last ones. `between` is awaited after each of them.
 */
export async function insertUsers(db: Db, users: readonly NewUser[], between: () => unknown): Promise<void> {
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
    await between()
  }
  await addUserCounts(db, users)
}

/** The new ids of the users are looked up by their addresses. */
async function insertSearchTexts(
  db: Db,
  rows: readonly { readonly email_canonical: string | undefined; readonly text: string }[],
): Promise<void> {
  const texts = rows.map(({ email_canonical, text }) => ({ email_canonical, text }))
  const given = rowsOf(db, { email_canonical: 'text', text: 'text' }, texts)
  const query = sql`insert into users_search (rowid, text)
    select users.id, given.text from ${given} join users on users.email_canonical = given.email_canonical ${plannedEachTime}`
  await executeBehind(db, { compile: () => compileSql(db, query) })
}

interface Counted {
  readonly role_id: number
  readonly status: UserStatus
}

/** Counts many users at once, and subtracts others. Always in the same order, so that nobody deadlocks. */
async function addUserCounts(db: Db, users: readonly Counted[], less: readonly Counted[] = []): Promise<void> {
  const counts = new Map<string, { role: number; status: UserStatus; count: number }>()
  const add = ({ role_id: role, status }: Counted, by: 1 | -1) => {
    const key = `${String(role).padStart(16, '0')} ${status}`
    const known = counts.get(key) ?? { role, status, count: 0 }
    counts.set(key, known)
    known.count += by
  }
  for (const user of users) add(user, 1)
  for (const user of less) add(user, -1)
  for (const [, { role, status, count }] of [...counts].sort(([one], [other]) => (one < other ? -1 : 1)))
    if (count !== 0) await addUserCount(db, role, status, count)
}

export const idsOf = (users: readonly { readonly id: number }[]): number[] => users.map(({ id }) => id)

/** Sets status or role of many locked users. The caller has left out those who must not be changed, such as the last administrator. */
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
    .where('id', 'in', among(db, idsOf(users)))
    .execute()
  await moveUserCounts(db, users, changes)
}

/** Deletes many locked users. The caller has left out the last administrator. */
export async function removeUsers(db: Db, users: readonly Pick<UserRow, 'id' | 'role_id' | 'status'>[]): Promise<void> {
  await removeRows(db, idsOf(users))
  await addUserCounts(db, [], users)
}

async function moveUserCounts(db: Db, users: readonly Counted[], changes: Partial<Counted>): Promise<void> {
  const after = users.map((user) => ({
    role_id: changes.role_id ?? user.role_id,
    status: changes.status ?? user.status,
  }))
  await addUserCounts(db, after, users)
}

/** The number of active administrators, locked: of two callers at the same moment, only one can take the last. */
export async function countActiveAdmins(db: Db): Promise<number> {
  const rows = await forUpdate(db)(
    db.selectFrom('user_counts').select('count').where('role_id', '=', adminRoleId).where('status', '=', 'Active'),
  ).execute()
  return rows.reduce((sum, { count }) => sum + count, 0)
}

/**
 * Users by the canonical forms of their names, for many names at once: one query for each index. With `locksEmails` those with
 * the addresses stay locked until the transaction ends; in the order of their ids, so that two callers do not deadlock.
 */
export async function findByNames(
  db: ReadDb,
  emails: readonly string[],
  usernames: readonly string[],
  locksEmails = false,
): Promise<UserRow[]> {
  const find = (column: 'email_canonical' | 'username_canonical', names: readonly string[]) =>
    db
      .selectFrom('users')
      .selectAll()
      .where(isOneOf(db, column, JSON.stringify(names)))
      .modifyEnd(plannedEachTime)
  const withEmail = find('email_canonical', emails)
  const byEmail = await (locksEmails ? forUpdate(db)(withEmail.orderBy('id')) : withEmail).execute()
  const byUsername = await find('username_canonical', usernames).execute()
  return [...new Map([...byEmail, ...byUsername].map((row) => [row.id, row])).values()]
}

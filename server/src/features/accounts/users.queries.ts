import { randomInt } from 'node:crypto'
import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import { canonicalEmail } from '../../core/email-address.ts'
import { canonicalName, sortKey } from '../../core/text.ts'
import type { Db, ReadDb } from '../../db/database.ts'
import { forUpdate, isPostgres, liftStatementTimeout } from '../../db/dialect.ts'
import { prepare, prepareOne, prepareUpdate, prepareWrite } from '../../db/prepare.ts'
import { among } from '../../db/rows.ts'
import { adminRoleId } from '../roles/roles.table.ts'
import { userErrors } from './users.errors.ts'
import { deleteSearchTexts, insertSearchText, searchTextOf, updateSearchText } from './users.search.ts'
import { shownColumns, type UserRow, type UserStatus, type UsersTable } from './users.table.ts'

/*
 * The only place that writes users one at a time; `users.bulk.ts` writes many by the same rules. `insertUser`, `changeUser` and
 * `removeUser` keep the search index and the counts in step and protect the last active administrator.
 */

export const findUser = prepareOne((db, id: number) => db.selectFrom('users').selectAll().where('id', '=', id))

/** Reads the user with an address in its canonical form, and locks the row until the transaction ends. */
export const lockUserByEmail = (db: Db, canonicalEmail: string): Promise<UserRow | undefined> =>
  forUpdate(db)(db.selectFrom('users').selectAll().where('email_canonical', '=', canonicalEmail)).executeTakeFirst()

/** The user columns that answers show. */
export const findShownUser = prepareOne((db, id: number) =>
  db.selectFrom('users').select(shownColumns).where('id', '=', id),
)

/** Reads the user's row and locks it until the transaction ends. */
export const lockUser = prepareOne((db, id: number) =>
  forUpdate(db)(db.selectFrom('users').selectAll().where('id', '=', id)),
)

const findOwners = prepare((db, email: string | null, username: string | null, exceptId: number) =>
  db
    .selectFrom('users')
    .select(['email_canonical', 'username_canonical'])
    .where((is) => is.or([is('email_canonical', '=', email), is('username_canonical', '=', username)]))
    .where('id', '!=', exceptId),
)

/** Which of the two names another user already has. One statement, so that a caller who loses a race is told about both. */
export async function findTaken(
  db: ReadDb,
  names: { email?: string | undefined; username?: string | null | undefined },
  exceptId = 0,
): Promise<('email' | 'username')[]> {
  const email = names.email === undefined ? null : canonicalEmail(names.email)
  const username = names.username == null ? null : canonicalName(names.username)
  if (email === null && username === null) return []
  const owners = await findOwners(db, email, username, exceptId)
  const taken: ('email' | 'username')[] = []
  if (email !== null && owners.some((owner) => owner.email_canonical === email)) taken.push('email')
  if (username !== null && owners.some((owner) => owner.username_canonical === username)) taken.push('username')
  return taken
}

type Named = 'email' | 'username' | 'first_name' | 'last_name'
type Names = { [Field in Named]?: UserRow[Field] | undefined }

/** The forms of a user's text fields that are compared and sorted. */
export function derivedColumns(fields: Names) {
  const { email, username, first_name, last_name } = fields
  return {
    ...(email === undefined ? {} : { email_canonical: canonicalEmail(email) }),
    ...(username === undefined ? {} : { username_canonical: username === null ? null : canonicalName(username) }),
    ...(first_name === undefined ? {} : { first_name_key: sortKey(first_name) }),
    ...(last_name === undefined ? {} : { last_name_key: sortKey(last_name) }),
  }
}

type Derived = 'email_canonical' | 'username_canonical' | 'first_name_key' | 'last_name_key'
export type NewUser = Omit<Insertable<UsersTable>, 'id' | Derived>
export type UserChanges = Omit<Updateable<UsersTable>, 'id' | Derived>

export async function insertUser(db: Db, user: NewUser): Promise<UserRow> {
  const names = {
    email: user.email,
    username: user.username ?? null,
    first_name: user.first_name ?? null,
    last_name: user.last_name ?? null,
  }
  const columns = { ...user, ...(derivedColumns(names) as Required<ReturnType<typeof derivedColumns>>) }
  const row = await db
    .insertInto('users')
    .values(columns as Insertable<UsersTable>)
    .returningAll()
    .executeTakeFirstOrThrow()
  await insertSearchText(db, row.id, searchTextOf(row))
  await addUserCount(db, row.role_id, row.status, 1)
  return row
}

/** An account that becomes Unconfirmed has as much time as a new one; one that becomes anything else no longer waits. */
export function waitingSince({ status, updated_at }: UserChanges): Pick<UserChanges, 'unconfirmed_since'> {
  if (status === undefined) return {}
  return { unconfirmed_since: status === 'Unconfirmed' && typeof updated_at === 'string' ? updated_at : null }
}

const writeUser = prepareUpdate('users')
const searched = ['username', 'first_name', 'last_name', 'email'] as const satisfies readonly Named[]

/** Writes the changed columns of a row that this transaction has locked and read; returns the row as it is then. */
export async function changeUser(db: Db, before: UserRow, changes: UserChanges): Promise<UserRow> {
  const columns = { last_job_id: null, ...waitingSince(changes), ...changes, ...derivedColumns(changes) }
  await writeUser(db, before.id, columns)
  const given = Object.entries(columns).filter(([, value]) => value !== undefined)
  const after: UserRow = { ...before, ...Object.fromEntries(given) }
  if (searched.some((field) => after[field] !== before[field])) {
    const text = searchTextOf(after)
    if (text !== searchTextOf(before)) await updateSearchText(db, after.id, text)
  }
  await moveUserCount(db, before, after)
  return after
}

export async function removeUser(db: Db, row: Pick<UserRow, 'id' | 'role_id' | 'status'>): Promise<void> {
  await takeUserCount(db, row.role_id, row.status)
  await removeRows(db, [row.id])
}

/** Deletes users with all that is theirs; the caller counts them. */
export async function removeRows(db: Db, ids: readonly number[]): Promise<void> {
  const these = among(db, ids)
  await deleteSearchTexts(db, ids)
  await db.deleteFrom('deliveries').where('user_id', 'in', these).execute()
  await forgetInEvents(db, these)
  await db.deleteFrom('users').where('id', 'in', these).execute()
  // After the delete, which has waited for requests that were still making jobs with the users' credentials.
  await db.updateTable('jobs').set({ ip_address: null, user_agent: null }).where('created_by', 'in', these).execute()
}

/** More than this of one user takes the event loop of SQLite some time to delete. */
const much = 1_000

/** Whether a user has so many deliveries, or so much has happened to them, that deleting them would keep the event loop. */
export async function hasMuch(db: ReadDb, userId: number): Promise<boolean> {
  if (isPostgres(db)) return false
  const deliveries = db.selectFrom('deliveries').select('id').where('user_id', '=', userId)
  const all = eventsAbout(db, sql`(${userId})`).unionAll(deliveries)
  return (await all.offset(much).limit(1).executeTakeFirst()) !== undefined
}

const eventsAbout = (db: ReadDb, userIds: RawBuilder<number>) =>
  db.selectFrom('activity').select('id').where('subject_type', '=', 'user').where('subject_id', 'in', userIds)

/** Events hold their user as the change left them. Those that wait come first: the sequencer may just be moving them. */
async function forgetInEvents(db: Db, userIds: RawBuilder<number>): Promise<void> {
  for (const table of ['activity_pending', 'activity_chain'] as const)
    await db
      .updateTable(table)
      .set({ user: null })
      .where('activity_id', 'in', eventsAbout(db, userIds))
      .where('user', 'is not', null)
      .execute()
}

/**
 * The slot that counts a change. On PostgreSQL, parallel changes block each other only if they pick the same slot.
 * Administrators have a single slot, because one row must protect the last of them.
 */
const slotOf = (db: Db, roleId: number): number =>
  isPostgres(db) && roleId !== adminRoleId ? randomInt(countSlots) : 0
const countSlots = 16

/** Adds to the number of users of a role and status; a negative `count` subtracts. */
export async function addUserCount(db: Db, roleId: number, status: UserStatus, count: number): Promise<void> {
  await addToSlot(db, roleId, status, slotOf(db, roleId), count)
}

const addToSlot = prepareWrite((db, role_id: number, status: UserStatus, slot: number, count: number) =>
  db
    .insertInto('user_counts')
    .values({ role_id, status, slot, count })
    .onConflict((conflict) =>
      conflict
        .columns(['role_id', 'status', 'slot'])
        .doUpdateSet((eb) => ({ count: eb('user_counts.count', '+', eb.ref('excluded.count')) })),
    ),
)

/** Updates the lower of the two counts first. Otherwise parallel changes in opposite directions could deadlock on PostgreSQL. */
async function moveUserCount(db: Db, from: UserRow, to: UserRow): Promise<void> {
  const roles = from.role_id - to.role_id
  if (roles === 0 && from.status === to.status) return
  const takesFirst = roles < 0 || (roles === 0 && from.status < to.status)
  if (takesFirst) await takeUserCount(db, from.role_id, from.status)
  await addUserCount(db, to.role_id, to.status, 1)
  if (!takesFirst) await takeUserCount(db, from.role_id, from.status)
}

type Standing = Pick<UserRow, 'role_id' | 'status'>

export const isActiveAdmin = ({ role_id, status }: Standing): boolean => role_id === adminRoleId && status === 'Active'

/** One conditional UPDATE protects the last active administrator, even from requests at the same moment. */
async function takeUserCount(db: Db, roleId: number, status: UserStatus): Promise<void> {
  if (!isActiveAdmin({ role_id: roleId, status })) return addUserCount(db, roleId, status, -1)
  const { numUpdatedRows } = await db
    .updateTable('user_counts')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('role_id', '=', roleId)
    .where('status', '=', status)
    .where('count', '>', 1)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw userErrors.user_last_admin()
}

/** Moves every user of one role to another. Returns the number of users moved. */
export async function moveUsers(db: Db, from: number, to: number, now: string): Promise<number> {
  await liftStatementTimeout(db)
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ role_id: to, updated_at: now, last_job_id: null })
    .where('role_id', '=', from)
    .executeTakeFirst()
  const rows = await db.deleteFrom('user_counts').where('role_id', '=', from).returning(['status', 'count']).execute()
  const counts = new Map<UserStatus, number>()
  for (const { status, count } of rows) counts.set(status, (counts.get(status) ?? 0) + count)
  for (const [status, count] of counts) await addUserCount(db, to, status, count)
  return Number(numUpdatedRows)
}

export const noteSignIn = prepareWrite((db, id: number, now: string) =>
  db.updateTable('users').set({ last_login: now }).where('id', '=', id),
)

/** Replaces the hash of a verified password with a new hash of it, unless the password has changed in the meantime. */
export async function renewHash(db: Db, { id, password_hash }: UserRow, renewed: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: renewed })
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .execute()
}

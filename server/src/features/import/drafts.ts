import { sql } from 'kysely'
import { canonicalName } from '../../core/text.ts'
import type { Db, ReadDb } from '../../db/database.ts'
import { compileSql, isPostgres, plannedEachTime } from '../../db/dialect.ts'
import { isOneOf, rowsOf } from '../../db/rows.ts'
import { executeBehind, executeForEach } from '../../db/write-behind.ts'
import { isActiveAdmin } from '../accounts/users.queries.ts'
import { adminRoleId } from '../roles/roles.table.ts'
import type { Imported } from './batch.ts'

/* What a dry run would have made of users: later rows of its file are compared with it, so that it answers as the import would. */

export async function findDrafts(
  db: ReadDb,
  jobId: number,
  emails: readonly string[],
  usernames: readonly string[],
): Promise<{ email_canonical: string; state: Imported }[]> {
  const find = (column: 'email_canonical' | 'username_canonical', values: readonly string[]) =>
    db
      .selectFrom('job_drafts')
      .select(['email_canonical', 'state'])
      .where('job_id', '=', jobId)
      .where(isOneOf(db, column, JSON.stringify(values)))
      .modifyEnd(plannedEachTime)
      .execute()
  // One query for each index: of a condition with "or", SQLite would read every row of the job.
  const [byEmail, byUsername] = await Promise.all([
    find('email_canonical', emails),
    find('username_canonical', usernames),
  ])
  const rows = new Map([...byEmail, ...byUsername].map((row) => [row.email_canonical, row]))
  return [...rows.values()].map(({ email_canonical, state }) => ({
    email_canonical,
    state: JSON.parse(state) as Imported,
  }))
}

/** How many more active administrators there would be after the earlier rows of a dry run. */
export async function countDraftedAdmins(db: ReadDb, jobId: number): Promise<number> {
  const rows = await db
    .selectFrom('job_drafts')
    .leftJoin('users', 'users.email_canonical', 'job_drafts.email_canonical')
    .select(['job_drafts.state', 'users.role_id', 'users.status'])
    .where('job_drafts.job_id', '=', jobId)
    .where((eb) =>
      eb.or([eb('job_drafts.state', 'like', `%"role_id":${adminRoleId}%`), eb('users.role_id', '=', adminRoleId)]),
    )
    .execute()
  return rows.reduce((more, { state, role_id, status }) => {
    const was = role_id !== null && status !== null && isActiveAdmin({ role_id, status })
    return more + Number(isActiveAdmin(JSON.parse(state) as Imported)) - Number(was)
  }, 0)
}

const columns = { job_id: 'integer', email_canonical: 'text', username_canonical: 'text', state: 'text' } as const
const names = Object.keys(columns).join(', ')
const orReplace = `on conflict (job_id, email_canonical)
  do update set username_canonical = excluded.username_canonical, state = excluded.state`
const storeOne = `insert into job_drafts (${names}) values (?, ?, ?, ?) ${orReplace}`

/** How many are made while the database writes the previous ones. */
const draftsAtOnce = 100

/** No statement is waited for. `rest` is awaited in between. */
export async function storeDrafts(
  db: Db,
  jobId: number,
  accounts: ReadonlyMap<string, { readonly state: Imported; readonly isChanged: boolean }>,
  rest: () => unknown,
): Promise<void> {
  const changed = [...accounts].filter(([, { isChanged }]) => isChanged)
  for (let at = 0; at < changed.length; at += draftsAtOnce) {
    const rows = changed.slice(at, at + draftsAtOnce).map(([email_canonical, { state }]) => ({
      job_id: jobId,
      email_canonical,
      username_canonical: state.username === null ? null : canonicalName(state.username),
      state: JSON.stringify(state),
    }))
    await storeRows(db, rows)
    await rest()
  }
}

async function storeRows(db: Db, rows: readonly Record<keyof typeof columns, string | number | null>[]): Promise<void> {
  if (!isPostgres(db)) return executeForEach(db, storeOne, rows.map(Object.values<string | number | null>))
  const given = rowsOf(db, columns, rows)
  const store = sql`insert into job_drafts (${sql.raw(names)}) select ${sql.raw(names)} from ${given} ${sql.raw(orReplace)}`
  await executeBehind(db, { compile: () => compileSql(db, store) })
}

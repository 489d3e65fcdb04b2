import { sql } from 'kysely'
import { canonicalName } from '../../core/text.ts'
import type { Db, ReadDb } from '../../db/database.ts'
import { compileSql, isPostgres } from '../../db/dialect.ts'
import { among, rowsOf } from '../../db/rows.ts'
import { executeBehind, executeForEach } from '../../db/write-behind.ts'
import type { Imported } from './batch.ts'

/* What a dry run would have made of users: later rows of its file are compared with it, so that it answers as the import would. */

export async function findDrafts(
  db: ReadDb,
  jobId: number,
  emails: readonly string[],
  usernames: readonly string[],
): Promise<{ email_canonical: string; state: Imported }[]> {
  const drafts = db.selectFrom('job_drafts').select(['email_canonical', 'state']).where('job_id', '=', jobId)
  // One query for each index: of a condition with "or", SQLite would read every row of the job.
  const [byEmail, byUsername] = await Promise.all([
    drafts.where('email_canonical', 'in', among(db, 'text', emails)).execute(),
    drafts.where('username_canonical', 'in', among(db, 'text', usernames)).execute(),
  ])
  const rows = new Map([...byEmail, ...byUsername].map((row) => [row.email_canonical, row]))
  return [...rows.values()].map(({ email_canonical, state }) => ({
    email_canonical,
    state: JSON.parse(state) as Imported,
  }))
}

const columns = { job_id: 'integer', email_canonical: 'text', username_canonical: 'text', state: 'text' } as const
const names = Object.keys(columns).join(', ')
const orReplace = `on conflict (job_id, email_canonical)
  do update set username_canonical = excluded.username_canonical, state = excluded.state`
const storeOne = `insert into job_drafts (${names}) values (?, ?, ?, ?) ${orReplace}`

export async function storeDrafts(
  db: Db,
  jobId: number,
  accounts: ReadonlyMap<string, { readonly state: Imported; readonly isChanged: boolean }>,
): Promise<void> {
  const rows = [...accounts].flatMap(([email_canonical, { state, isChanged }]) =>
    isChanged
      ? {
          job_id: jobId,
          email_canonical,
          username_canonical: state.username === null ? null : canonicalName(state.username),
          state: JSON.stringify(state),
        }
      : [],
  )
  if (rows.length === 0) return
  if (!isPostgres(db)) return executeForEach(db, storeOne, rows.map(Object.values<string | number | null>))
  const given = rowsOf(db, columns, rows)
  const store = sql`insert into job_drafts (${sql.raw(names)}) select ${sql.raw(names)} from ${given} ${sql.raw(orReplace)}`
  await executeBehind(db, { compile: () => compileSql(db, store) })
}

import { canonicalName } from '../../core/text.ts'
import type { Db, ReadDb } from '../../db/database.ts'
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
  const byEmail = emails.length > 0 ? await drafts.where('email_canonical', 'in', emails).execute() : []
  const byUsername = usernames.length > 0 ? await drafts.where('username_canonical', 'in', usernames).execute() : []
  const rows = new Map([...byEmail, ...byUsername].map((row) => [row.email_canonical, row]))
  return [...rows.values()].map(({ email_canonical, state }) => ({
    email_canonical,
    state: JSON.parse(state) as Imported,
  }))
}

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
  await db
    .insertInto('job_drafts')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['job_id', 'email_canonical']).doUpdateSet((eb) => ({
        username_canonical: eb.ref('excluded.username_canonical'),
        state: eb.ref('excluded.state'),
      })),
    )
    .execute()
}

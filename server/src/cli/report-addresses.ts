import type { Log } from '../core/context.ts'
import { silentLog } from '../core/context.ts'
import type { Db } from '../db/database.ts'

const findings = {
  'user.email_was_another': 'accounts have an address that counted as another one until now; see whether it is theirs',
  'user.email_collides': 'accounts have the address of another account; give each of them an address of its own',
}
const maxIds = 100

/** Reports by id what the migration of address forms found: to the log, or to standard error for a command. */
export async function reportAddresses(db: Db, log: Log): Promise<void> {
  for (const [event, message] of Object.entries(findings)) {
    const rows = await db
      .selectFrom('activity')
      .select('subject_id')
      .where('event', '=', event)
      .orderBy('subject_id')
      .execute()
    if (rows.length === 0) continue
    const users = rows.slice(0, maxIds).map(({ subject_id }) => subject_id)
    log.warn({ count: rows.length, users, event }, message)
    if (log !== silentLog) continue
    const more = rows.length > maxIds ? ', …' : ''
    process.stderr.write(`gatehouse: ${rows.length} ${message} (event ${event}). Users: ${users.join(', ')}${more}\n`)
  }
}

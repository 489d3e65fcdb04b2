import type { Log } from '../core/context.ts'
import { silentLog } from '../core/context.ts'
import type { Db } from '../db/database.ts'
import { counted } from './output.ts'

const findings = {
  'user.email_was_another': 'an address that counted as another one until now; see whether it is theirs',
  'user.email_collides': 'the address of another account; give each of them an address of its own',
}
const maxIds = 100

/** Reports by id what the migration of address forms found: to the log, or to standard error for a command. */
export async function reportAddresses(db: Db, log: Log): Promise<void> {
  for (const [event, found] of Object.entries(findings)) {
    const rows = await db
      .selectFrom('activity')
      .select('subject_id')
      .where('event', '=', event)
      .orderBy('subject_id')
      .execute()
    if (rows.length === 0) continue
    const users = rows.slice(0, maxIds).map(({ subject_id }) => subject_id)
    log.warn({ count: rows.length, users, event }, `accounts have ${found}`)
    if (log !== silentLog) continue
    const more = rows.length > maxIds ? ', …' : ''
    const accounts = counted(rows.length, 'account has', 'accounts have')
    process.stderr.write(`gatehouse: ${accounts} ${found} (event ${event}). Users: ${users.join(', ')}${more}\n`)
  }
}

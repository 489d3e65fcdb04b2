import type { Tx } from '../../core/context.ts'
import { isPostgres } from '../../db/dialect.ts'
import { concat, type Fragment, fragment, read, whereAll } from '../../http/lists/fragment.ts'
import type { UserRow } from '../accounts/users.table.ts'

/** These users as they are now, locked until the transaction ends, if they meet the conditions. */
export async function lockUsers(tx: Tx, ids: readonly number[], conditions: readonly Fragment[]): Promise<UserRow[]> {
  if (ids.length === 0) return []
  const among = fragment(`id in (${ids.map(() => '?')})`, ...ids)
  const end = fragment(isPostgres(tx.db) ? 'order by id for update' : 'order by id')
  return read<UserRow>(tx.db, concat(fragment('select * from users'), whereAll([among, ...conditions]), end))
}

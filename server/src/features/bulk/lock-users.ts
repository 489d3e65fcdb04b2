import { type SqlBool, sql } from 'kysely'
import type { Tx } from '../../core/context.ts'
import { isPostgres } from '../../db/dialect.ts'
import { among } from '../../db/rows.ts'
import { concat, type Fragment, fragment, read, toFragment, whereAll } from '../../http/lists/fragment.ts'
import { idsOf } from '../accounts/users.bulk.ts'
import type { UserRow } from '../accounts/users.table.ts'

const columns = ['id', 'role_id', 'status', 'avatar', 'last_job_id'] as const

/** What bulk actions need to know of a user. */
export type LockedUser = Pick<UserRow, (typeof columns)[number]>

/** The users of these that meet the conditions now, locked until the transaction ends. */
export async function lockUsers(
  { db }: Tx,
  ids: readonly number[],
  conditions: readonly Fragment[],
): Promise<LockedUser[]> {
  if (ids.length === 0) return []
  const given = toFragment(sql<SqlBool>`id in ${among(db, ids)}`, db)
  const start = fragment(`select ${columns.join(', ')} from users`)
  const end = fragment(isPostgres(db) ? 'order by id for update' : 'order by id')
  return read<LockedUser>(db, concat(start, whereAll([given, ...conditions]), end))
}

/** The whole rows of locked users. */
export const readUsers = ({ db }: Tx, users: readonly LockedUser[]): Promise<UserRow[]> =>
  db
    .selectFrom('users')
    .selectAll()
    .where('id', 'in', among(db, idsOf(users)))
    .orderBy('id')
    .execute()

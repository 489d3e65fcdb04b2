import { type SqlBool, sql } from 'kysely'
import type { MaybePromise } from '../../core/maybe-promise.ts'
import { thenAtOnce } from '../../core/maybe-promise.ts'
import type { ReadDb } from '../../db/database.ts'
import { plannedEachTimeText } from '../../db/dialect.ts'
import { type Cost, manyRows } from '../../db/direct.ts'
import { prepareOne } from '../../db/prepare.ts'
import { isIn } from '../../db/rows.ts'
import { concat, type Fragment, fragment, read, toFragment, whereAll } from '../../http/lists/fragment.ts'
import { matching } from './patterns.ts'
import { type EventRow, eventColumns } from './payload.ts'

const selectHead = prepareOne((db: ReadDb, name: 'head') =>
  db.selectFrom('activity_marks').select('position').where('name', '=', name),
)

/** The last position that was given. */
export const findHead = (db: ReadDb): MaybePromise<number> =>
  thenAtOnce(selectHead(db, 'head'), (row) => row?.position ?? 0)

/** After the first position, up to the second. */
type Range = readonly [number, number]

/** The first or the last events of a range that meet the conditions. */
const readRange = (
  db: ReadDb,
  [after, upTo]: Range,
  conditions: readonly Fragment[],
  limit: number,
  order: 'asc' | 'desc',
  cost: Cost = 'unsure',
): Promise<EventRow[]> =>
  read<EventRow>(
    db,
    concat(
      fragment(`select ${eventColumns} from activity_chain c join activity a on a.id = c.activity_id`),
      whereAll([fragment('c.position > ? and c.position <= ?', after, upTo), ...conditions]),
      fragment(`order by c.position ${order} limit cast(? as bigint) ${plannedEachTimeText}`, limit),
    ),
    cost,
  )

/** How many events are read one by one before an index is asked for those that match. */
export const lookAhead = 500

/** A condition that finds the events of a short range by their ids. */
function isNear(db: ReadDb, [after, upTo]: Range): Fragment {
  const ids = sql`select activity_id from activity_chain where position > ${after} and position <= ${upTo}`
  return toFragment(sql<SqlBool>`a.id ${isIn(db, ids)}`, db)
}

/**
 * The first or the last events between two positions that match one of the patterns; without patterns, all events match. The nearest
 * are read one by one: PostgreSQL without statistics would read all events of these names for each page.
 */
async function readMatching(
  db: ReadDb,
  [after, upTo]: Range,
  patterns: readonly string[],
  limit: number,
  order: 'asc' | 'desc',
): Promise<EventRow[]> {
  if (patterns.length === 0) return readRange(db, [after, upTo], [], limit, order)
  const isForward = order === 'asc'
  const edge = isForward ? Math.min(after + lookAhead, upTo) : Math.max(upTo - lookAhead, after)
  const before: Range = [after, edge]
  const behind: Range = [edge, upTo]
  const [near, far] = isForward ? [before, behind] : [behind, before]
  const conditions = [isNear(db, near), matching("a.event || ''", patterns)] // an expression, so that no index on the name is used
  const rows = await readRange(db, near, conditions, limit, order)
  if (rows.length === limit || far[0] === far[1]) return rows
  const cost = far[1] - far[0] > manyRows ? 'costly' : 'unsure'
  const others = await readRange(db, far, [matching('a.event', patterns)], limit - rows.length, order, cost)
  return [...rows, ...others]
}

/** The events between two positions that match, in their order. */
export const eventsBetween = (
  db: ReadDb,
  after: number,
  upTo: number,
  patterns: readonly string[],
  limit: number,
): Promise<EventRow[]> => readMatching(db, [after, upTo], patterns, limit, 'asc')

/** The latest events up to a position that match, in their order. */
export const latestEvents = async (
  db: ReadDb,
  upTo: number,
  patterns: readonly string[],
  limit: number,
): Promise<EventRow[]> => (await readMatching(db, [0, upTo], patterns, limit, 'desc')).toReversed()

/** One event; undefined if it has no place yet, or is not kept any more. */
export async function readEvent(db: ReadDb, id: number): Promise<EventRow | undefined> {
  const [event] = await read<EventRow>(
    db,
    concat(
      fragment(`select ${eventColumns} from activity_chain c join activity a on a.id = c.activity_id`),
      fragment('where a.id = ?', id),
    ),
  )
  return event
}

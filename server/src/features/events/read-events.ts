import type { MaybePromise } from '../../core/maybe-promise.ts'
import { thenAtOnce } from '../../core/maybe-promise.ts'
import type { ReadDb } from '../../db/database.ts'
import { prepareOne } from '../../db/prepare.ts'
import { concat, fragment, read, whereAll } from '../../http/lists/fragment.ts'
import { matching } from './patterns.ts'
import { type EventRow, eventColumns } from './payload.ts'

const selectHead = prepareOne((db: ReadDb, name: 'head') =>
  db.selectFrom('activity_marks').select('position').where('name', '=', name),
)

/** The last position that was given. */
export const findHead = (db: ReadDb): MaybePromise<number> =>
  thenAtOnce(selectHead(db, 'head'), (row) => row?.position ?? 0)

/** The first or the last events between two positions that match one of the patterns; without patterns, all events match. */
const readBetween = (
  db: ReadDb,
  after: number,
  upTo: number,
  patterns: readonly string[],
  limit: number,
  order: 'asc' | 'desc',
): Promise<EventRow[]> =>
  read<EventRow>(
    db,
    concat(
      fragment(`select ${eventColumns} from activity_chain c join activity a on a.id = c.activity_id`),
      whereAll([
        fragment('c.position > ?', after),
        fragment('c.position <= ?', upTo),
        ...(patterns.length === 0 ? [] : [matching('a.event', patterns)]),
      ]),
      fragment(`order by c.position ${order} limit cast(? as bigint)`, limit),
    ),
  )

/** The events between two positions that match, in their order. */
export const eventsBetween = (
  db: ReadDb,
  after: number,
  upTo: number,
  patterns: readonly string[],
  limit: number,
): Promise<EventRow[]> => readBetween(db, after, upTo, patterns, limit, 'asc')

/** The latest events up to a position that match, in their order. */
export const latestEvents = async (
  db: ReadDb,
  upTo: number,
  patterns: readonly string[],
  limit: number,
): Promise<EventRow[]> => (await readBetween(db, 0, upTo, patterns, limit, 'desc')).toReversed()

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

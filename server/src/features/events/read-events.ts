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

/** The events between two positions that match one of the patterns, in their order; all where none is given. */
export const eventsBetween = (
  db: ReadDb,
  after: number,
  upTo: number,
  patterns: readonly string[],
  limit: number,
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
      fragment('order by c.position limit cast(? as bigint)', limit),
    ),
  )

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

import { countCache } from '../core/cache-use.ts'
import type { ReadDb } from '../db/database.ts'
import type { DeliveryRow } from './deliveries.table.ts'
import type { DeliveryBodyRow } from './delivery-bodies.table.ts'
import { findBodies, mergeInto } from './merge.ts'

/** Caches the bodies of bulk mails that are being sent, so that each is read once and not once per recipient. */
export interface Bodies {
  /** The message with its texts, wherever they are kept. */
  readonly merge: (row: DeliveryRow) => Promise<DeliveryRow>
}

const kept = 10

export function createBodies(db: ReadDb): Bodies {
  const bodies = new Map<number, Promise<DeliveryBodyRow | undefined>>()
  const use = countCache('mail_bodies', bodies)

  function find(id: number): Promise<DeliveryBodyRow | undefined> {
    const known = bodies.get(id)
    if (known !== undefined) {
      use.hits++
      return known
    }
    use.misses++
    if (bodies.size >= kept) bodies.clear()
    const found = findBodies(db, [id]).then((rows) => rows.get(id))
    found.catch(() => bodies.delete(id))
    bodies.set(id, found)
    return found
  }

  return {
    merge: async (row) => {
      if (row.body_id === null) return row
      const body = await find(row.body_id)
      if (body === undefined) throw new Error('The text of this mail is gone.')
      return mergeInto(row, new Map([[body.id, body]]))
    },
  }
}

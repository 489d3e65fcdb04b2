import { setTimeout as pause } from 'node:timers/promises'
import type { Apart } from '../direct.ts'
import type { Indexes } from '../indexes.ts'

const lookEveryMs = 500

/** Builds the indexes that are missing or half-built, while others read and write. */
export async function buildIndexes({ query }: Apart, indexes: Indexes): Promise<void> {
  for (const [name, definition] of Object.entries(indexes)) {
    for (let state = await stateOf(name); state !== 'whole'; state = await stateOf(name)) {
      if (state === 'building') await pause(lookEveryMs)
      else if (state === 'broken') await query(`drop index concurrently if exists ${name}`)
      else await query(`create index concurrently if not exists ${name} ${definition}`)
    }
  }

  /** A build that was ended leaves an index behind that is not valid; one whose node was killed may still be going on. */
  async function stateOf(name: string): Promise<'missing' | 'building' | 'broken' | 'whole'> {
    const [index] = await query<{ valid: boolean; building: boolean }>(
      `select indisvalid as valid, exists (
         select 1 from pg_stat_progress_create_index where index_relid = indexrelid and datname = current_database()
       ) as building
       from pg_index where indexrelid = to_regclass($1)`,
      [name],
    )
    if (index === undefined) return 'missing'
    if (index.valid) return 'whole'
    return index.building ? 'building' : 'broken'
  }
}

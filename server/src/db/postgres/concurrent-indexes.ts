import { setTimeout as pause } from 'node:timers/promises'
import type { Apart } from '../direct.ts'
import type { Indexes } from '../indexes.ts'

const lookEveryMs = 500

type State = 'missing' | 'building' | 'broken' | 'whole'

/** Builds the indexes that are missing or half-built, while others read and write. */
export async function buildIndexes(apart: Apart, indexes: Indexes): Promise<void> {
  for (const [name, definition] of Object.entries(indexes)) {
    for (let state = await stateOf(apart, name); state !== 'whole'; state = await stateOf(apart, name)) {
      if (state === 'building') await pause(lookEveryMs)
      else if (state === 'broken') await apart.query(`drop index concurrently if exists ${name}`)
      else await apart.query(`create index concurrently if not exists ${name} ${definition}`)
    }
  }
}

/** A build that was ended leaves an index behind that is not valid; one whose node was killed may still be going on. */
export async function stateOf(apart: Apart, name: string): Promise<State> {
  const state = await look(apart, name)
  // A build that ends while the statement runs is not going on any more, but its index is not yet valid in the snapshot.
  return state === 'broken' ? look(apart, name) : state
}

async function look({ query }: Apart, name: string): Promise<State> {
  const [index] = await query<{ valid: boolean; building: boolean }>(
    // A build shows its index a little before it says which one it is.
    `select indisvalid as valid, exists (
       select 1 from pg_stat_progress_create_index
       where index_relid in (indexrelid, 0) and datname = current_database()
     ) as building
     from pg_index where indexrelid = to_regclass($1)`,
    [name],
  )
  if (index === undefined) return 'missing'
  if (index.valid) return 'whole'
  return index.building ? 'building' : 'broken'
}

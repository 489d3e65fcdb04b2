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
  return state === 'broken' ? look(apart, name) : state // it may have begun while we looked
}

/**
 * Whether somebody builds is asked before the index, in a statement of its own: a build that had ended by then is in the
 * snapshot of the second one. It is asked of the backends, which are active until the commit is done; what PostgreSQL says of
 * the progress, and the lock of the table, are gone a little earlier.
 */
async function look({ query }: Apart, name: string): Promise<State> {
  const builders = await query(
    `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
     and state = 'active' and query ilike '%index%concurrently%' || $1::text || '%'`,
    [name],
  )
  const [index] = await query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [name],
  )
  if (index === undefined) return 'missing'
  if (index.valid) return 'whole'
  return builders.length > 0 ? 'building' : 'broken'
}

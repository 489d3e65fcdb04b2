import { toDate } from '../components/RelativeTime.tsx'
import type { Activity } from './Sentence.tsx'

/** An entry that stands for several: one action on many subjects. */
export interface Group extends Activity {
  /** All of them, including itself. */
  readonly members: readonly Activity[]
}

/** Fewer are listed one by one. */
const fewest = 3

/** Bulk changes follow each other faster than anybody can click. */
const pauseMs = 3_000

/** Each of these is about the actor, so they are never one action. */
const lonely = new Set([
  'user.signed_in',
  'user.sign_in_failed',
  'user.sign_ins_limited',
  'user.registered',
  'user.confirmed',
])

const isSameAction = (a: Activity, b: Activity): boolean =>
  a.actor_id !== null &&
  a.actor_id === b.actor_id &&
  a.api_key_id === b.api_key_id &&
  a.event === b.event &&
  a.subject_type === 'user' && // only users are changed in bulk
  b.subject_type === 'user' &&
  a.subject_id !== null &&
  b.subject_id !== null &&
  !lonely.has(a.event) &&
  Math.abs(toDate(a.created_at).getTime() - toDate(b.created_at).getTime()) <= pauseMs

/** Neighbours that are one action, as one entry. */
export function grouped(rows: readonly Activity[]): Group[] {
  const runs: Activity[][] = []
  for (const row of rows) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run !== undefined && last !== undefined && isSameAction(last, row)) run.push(row)
    else runs.push([row])
  }
  return runs.flatMap((members) => {
    const [first] = members
    if (first !== undefined && members.length >= fewest) return [{ ...first, members }]
    return members.map((row) => ({ ...row, members: [row] }))
  })
}

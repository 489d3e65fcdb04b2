import { hash } from 'node:crypto'
import type { Sealer } from '../../core/sealing.ts'
import type { Db } from '../../db/database.ts'
import type { ActivityRow } from './activity.table.ts'

/** What stands before the first link. */
export const noHash = '0'.repeat(64)

/** The part of a row that never changes; retention shortens and removes the address and the user agent. */
export type ChainedRow = Omit<ActivityRow, 'ip_address' | 'user_agent'>

/** The fields that the chain covers, in their order: those of an exported line without the hash, the address and the user agent. */
export const chainedFields = (row: ChainedRow) => ({
  id: row.id,
  event: row.event,
  actor_id: row.actor_id,
  api_key_id: row.api_key_id,
  subject_type: row.subject_type,
  subject_id: row.subject_id,
  details: row.details === null ? null : JSON.parse(row.details),
  request_id: row.request_id,
  created_at: row.created_at,
})

/** Links a row to the one before it: whoever changes, removes, adds or swaps one changes every hash from there on. */
export const nextHash = (previous: string, row: ChainedRow): string =>
  hash('sha256', `${previous}\n${JSON.stringify(chainedFields(row))}`, 'hex')

/** Whether a row is what the link after `previous` was made of. */
export function isLinked(previous: string, row: ChainedRow, linked: string): boolean {
  try {
    return nextHash(previous, row) === linked
  } catch {
    return false // the details are no JSON
  }
}

/** A link of the chain. */
export interface Link {
  readonly position: number
  readonly hash: string
}

/** Signs a mark, so that nobody without the secret key can rewrite the chain or cut an end of it. */
export const signMark = (sealer: Sealer, as: 'head' | 'anchor', { position, hash }: Link): string =>
  sealer.sign(`${position}\n${hash}`, `activity ${as}`)

/**
 * Signs a link whose row retention removes, so that nobody can pass another row off as removed. The hash before it is
 * signed, too: without the row, it does not follow from this link's.
 */
export const signRetired = (sealer: Sealer, previous: string, { position, hash }: Link): string =>
  sealer.sign(`${position}\n${previous}\n${hash}`, 'activity retired')

/**
 * Signs the head of a chain without links. Done once, when the table is made: a chain that begins later than that was
 * begun again by somebody else.
 */
export async function signEmptyHead(db: Db, sealer: Sealer): Promise<void> {
  await db
    .updateTable('activity_marks')
    .set({ signature: signMark(sealer, 'head', { position: 0, hash: noHash }) })
    .where('name', '=', 'head')
    .where('position', '=', 0)
    .where('signature', 'is', null)
    .execute()
}

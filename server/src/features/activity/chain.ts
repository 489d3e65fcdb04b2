import { hash } from 'node:crypto'
import type { Sealer } from '../../core/sealing.ts'
import type { ActivityRow } from './activity.table.ts'

/** What stands before the first link. */
export const noHash = '0'.repeat(64)

/** The part of a row that never changes; retention shortens and removes the address and the user agent. */
export type ChainedRow = Omit<ActivityRow, 'ip_address' | 'user_agent'>

/** A row as the chain covers it: its line of the export without the hash, the address and the user agent. */
export const chainedText = (row: ChainedRow): string =>
  JSON.stringify({
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
  hash('sha256', `${previous}\n${chainedText(row)}`, 'hex')

/** A link of the chain. */
export interface Link {
  readonly position: number
  readonly hash: string
}

/**
 * Signs a link, so that nobody without the secret key can rewrite the chain, cut its end, or pass a removed row off as one
 * that retention removed.
 */
export const signLink = (sealer: Sealer, as: 'head' | 'anchor' | 'retired', { position, hash }: Link): string =>
  sealer.sign(`${position}\n${hash}`, `activity ${as}`)

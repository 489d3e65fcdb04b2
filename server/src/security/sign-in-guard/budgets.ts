import { networkOf, widerNetworkOf } from '../../core/addresses.ts'
import type { Origin } from '../../core/context.ts'
import type { QueuePlace } from '../../core/fair-queue.ts'
import { hashSecret } from '../../core/secrets.ts'
import type { ReadDb } from '../../db/database.ts'
import type { Budget } from '../attempts/budgets.ts'
import { isFamiliarNetwork } from './networks.ts'

const minuteMs = 60_000

/** An attempt to authenticate. */
export interface Attempt {
  readonly origin: Origin
  readonly network: string
  /** The id of the account; undefined if the name is unknown. */
  readonly userId: number | undefined
  /** A hash of the typed name in canonical form, because people sometimes type a password there. */
  readonly name: string
  /** True if the account has signed in from this network before. */
  readonly isFamiliar: boolean
}

export async function toAttempt(
  db: ReadDb,
  origin: Origin,
  userId: number | undefined,
  typed: string,
): Promise<Attempt> {
  const network = networkOf(origin.ip ?? '')
  // No user has the id 0, so an unknown name costs the same query.
  const isFamiliar = await isFamiliarNetwork(db, userId ?? 0, network)
  return { origin, network, userId, name: hashSecret(typed), isFamiliar }
}

const accountOf = ({ userId, name }: Pick<Attempt, 'userId' | 'name'>): string =>
  userId === undefined ? `name ${name}` : `user ${userId}`

/**
 * Budgets that answer with 429. They count every answer "wrong", whether or not a password was checked, by typed name and
 * network, so that known and unknown names look alike.
 */
export function shownBudgets({ network, name, isFamiliar }: Attempt): Budget[] {
  const strangersOnly = (limit: number) => (isFamiliar ? Number.POSITIVE_INFINITY : limit)
  return [
    { name: `login as ${name} ${network}`, limit: 5, windowMs: minuteMs },
    ...(isFamiliar ? [] : [{ name: `login as ${name}`, limit: 20, windowMs: 60 * minuteMs }]),
    { name: `login network ${network}`, limit: 30, windowMs: 10 * minuteMs },
    // Familiar networks are not blocked by their neighbours; their failures still count for the account.
    { name: `login network ${widerNetworkOf(network)}`, limit: strangersOnly(150), windowMs: 10 * minuteMs },
  ]
}

const accountBudget = (attempt: Attempt): Budget => ({
  name: `login ${accountOf(attempt)} ${attempt.network}`,
  limit: 5,
  windowMs: minuteMs,
})

/** Budgets of the account itself, by any of its names. Beyond them no password is checked, and the answer is "wrong". */
export const hiddenBudgets = (attempt: Attempt): Budget[] => [
  accountBudget(attempt),
  ...(attempt.isFamiliar
    ? []
    : [{ name: `login ${accountOf(attempt)} strangers`, limit: 20, windowMs: 60 * minuteMs }]),
]

/** The failures that a completed sign-in clears: those of its account from its network, by all of its names. */
export const forgivenBudgets = (attempt: Attempt, names: readonly string[]): string[] => [
  accountBudget(attempt).name,
  ...new Set([attempt.name, ...names.map(hashSecret)].map((name) => `login as ${name} ${attempt.network}`)),
]

/** Budgets of the current password, separate from those of sign-in: a stranger has no credential for these requests. */
export const currentPasswordBudgets = ({ userId, network, isFamiliar }: Attempt): Budget[] => [
  { name: `current password ${userId} ${network}`, limit: 5, windowMs: minuteMs },
  ...(isFamiliar ? [] : [{ name: `current password ${userId} strangers`, limit: 20, windowMs: 60 * minuteMs }]),
]

/** The queue in which an attempt waits for its password check. */
export const queuePlaceOf = (attempt: Attempt): QueuePlace => ({
  path: [widerNetworkOf(attempt.network), attempt.network, accountOf(attempt)],
  isFamiliar: attempt.isFamiliar,
})

/** The queue in which an anonymous caller's new password waits to be hashed. */
export function strangerPlace(ip: string | null): QueuePlace {
  const network = networkOf(ip ?? '')
  return { path: [widerNetworkOf(network), network, 'nobody'], isFamiliar: false }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { type Actor, anonymous, type Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { hashSecret } from '../../core/secrets.ts'
import type { Db } from '../../db/database.ts'
import type { UserRow } from '../../features/accounts/users.table.ts'
import { inPlace, passwordErrors, pretendInPlace, verifyInPlace } from '../../features/passwords/passwords.service.ts'
import { refuseUntil } from '../attempts/attempts.service.ts'
import {
  type Budget,
  forgetFailures,
  type Place,
  releasePlaces,
  reserve,
  settle,
  type UsedUp,
  usedUp,
} from '../attempts/budgets.ts'
import { alertAdministrators, failuresThisHour } from './alert.ts'
import {
  type Attempt,
  currentPasswordBudgets,
  forgivenBudgets,
  hiddenBudgets,
  queuePlaceOf,
  shownBudgets,
} from './budgets.ts'
import { pretendToRecord, recordCounted } from './failure-log.ts'
import { type FailureReason, noteOutcome } from './outcomes.ts'
import { noteRefusal } from './refusals.ts'

/** How long an attempt waits for others on its account that are being checked, here or on another node. */
const patienceMs = 5_000
const lookAgainMs = 20

/** An attempt and what it holds. The caller settles its places once the result is known. */
export interface Tried {
  readonly attempt: Attempt
  readonly places: readonly Place[]
}

export interface Trial extends Tried {
  readonly isRight: boolean
  /** False if a hidden budget is used up: then the password is wrong, whatever it is. */
  readonly isChecked: boolean
}

/**
 * Checks a password within the budgets of its sign-in; throws 429 beyond them, and 503 if the queue is full. For an unknown
 * name, `passwordHash` is what it takes as long as; it is never right.
 */
export async function tryPassword(
  ctx: Context,
  attempt: Attempt,
  passwordHash: string | undefined,
  password: string,
): Promise<Trial> {
  const shown = shownBudgets(attempt)
  const hidden = hiddenBudgets(attempt)
  const isClosed = await assertRoom(ctx, attempt, shown, hidden)
  return inLine(attempt, async () => {
    let places = isClosed ? undefined : await takePlaces(ctx, attempt, shown, hidden)
    const isChecked = places !== undefined
    places ??= (await takePlaces(ctx, attempt, shown, [])) ?? []
    const check = isChecked && attempt.userId !== undefined ? verifyInPlace : pretendInPlace
    const isRight = await check(passwordHash, password).catch(giveBack(ctx, places))
    return { attempt, isRight, isChecked, places }
  })
}

/** For a check that failed without an answer: releases its places, and throws the error. */
const giveBack =
  (ctx: Context, places: readonly Place[]) =>
  async (error: unknown): Promise<never> => {
    await releasePlaces(ctx.unguarded, places).catch(() => {})
    throw error
  }

/** The same for the current password of a signed-in user. */
export async function tryCurrentPassword(
  ctx: Context,
  attempt: Attempt,
  passwordHash: string,
  password: string,
): Promise<Trial> {
  const budgets = currentPasswordBudgets(attempt)
  await assertRoom(ctx, attempt, budgets, [])
  return inLine({ ...attempt, isFamiliar: true }, async () => {
    const places = (await takePlaces(ctx, attempt, budgets, [])) ?? []
    const isRight = await verifyInPlace(passwordHash, password).catch(giveBack(ctx, places))
    return { attempt, isRight, isChecked: true, places }
  })
}

async function inLine(attempt: Attempt, work: () => Promise<Trial>): Promise<Trial> {
  try {
    return await inPlace(queuePlaceOf(attempt), work)
  } catch (error) {
    if (error instanceof ServiceError && error.code === passwordErrors.overloaded().code) noteOutcome('overloaded')
    throw error
  }
}

/** Throws 429 if a visible budget is used up, before the attempt waits for anything. Returns true if a hidden one is. */
async function assertRoom(
  ctx: Context,
  attempt: Attempt,
  shown: readonly Budget[],
  hidden: readonly Budget[],
): Promise<boolean> {
  const over = await usedUp(ctx.db, ctx.clock().getTime(), [...shown, ...hidden])
  const shownOver = onlyOf(shown, over)
  if (shownOver.length > 0) refuse(ctx, attempt, shownOver)
  return over.length > 0
}

const onlyOf = (budgets: readonly Budget[], over: readonly UsedUp[]): UsedUp[] =>
  over.filter(({ name }) => budgets.some((budget) => budget.name === name))

function refuse(ctx: Context, attempt: Attempt, over: readonly UsedUp[]): never {
  noteRefusal(ctx, attempt)
  const last = over.reduce((one, other) => (other.endsMs > one.endsMs ? other : one))
  throw refuseUntil(ctx, last.endsMs, last.limit)
}

/**
 * Places in all of the budgets. Throws 429 if a visible budget is used up; undefined if a hidden one is. It waits for
 * attempts that are being checked, because they may turn out right and make room.
 */
async function takePlaces(
  ctx: Context,
  attempt: Attempt,
  shown: readonly Budget[],
  hidden: readonly Budget[],
): Promise<readonly Place[] | undefined> {
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    const reservation = await reserve(ctx, [...shown, ...hidden])
    if (reservation.state === 'reserved') return reservation.places
    if (reservation.state === 'used up') {
      const over = onlyOf(shown, reservation.budgets)
      return over.length > 0 ? refuse(ctx, attempt, over) : undefined
    }
    if (performance.now() > giveUpAt) throw passwordErrors.overloaded()
    await sleep(lookAgainMs)
  }
}

/** Nothing was wrong: releases the places; earlier failures stay counted. */
export async function release(db: Db, { places }: Tried): Promise<void> {
  await releasePlaces(db, places)
}

/** The sign-in is complete: releases the places, and forgets the failures of the account from this network. */
export async function forgive(db: Db, trial: Tried, names: readonly (string | null)[]): Promise<void> {
  await releasePlaces(db, trial.places)
  const known = names.filter((name) => name !== null)
  await forgetFailures(db, forgivenBudgets(trial.attempt, known))
}

/** The same for the current password. */
export async function forgiveCurrentPassword(db: Db, { places }: Tried): Promise<void> {
  await releasePlaces(db, places)
  const names = places.map(({ name }) => name).filter((name) => !name.endsWith(' strangers'))
  await forgetFailures(db, names)
}

/**
 * Counts a failure and records it with its reason: one row a minute for each account and network. An unknown name costs the
 * same work. If the log cannot be written, the failure is still counted.
 */
export async function fail(
  ctx: Context,
  trial: Tried,
  reason: FailureReason,
  actor: Actor = anonymous(trial.attempt.origin),
  fields: { readonly field?: string } = {},
): Promise<void> {
  noteOutcome(reason)
  const { attempt, places } = trial
  const counted = [...places, failuresThisHour(ctx.clock().getTime())]
  try {
    await ctx.transaction(anonymous(attempt.origin), async (tx) => {
      const counts = await settle(tx.db, counted, 1)
      await alertAdministrators(tx, counts.get(counted.at(-1)?.name ?? '') ?? 0, 1)
      if (attempt.userId === undefined) return pretendToRecord(tx)
      await recordCounted(tx, actor, 'user.sign_in_failed', attempt.userId, { reason, ...fields }, 1)
      const budget = places.find(({ name, limit }) => counts.get(name) === limit && isOfAccount(name))
      if (budget === undefined) return
      const details = { budget: budget.name.endsWith(' strangers') ? 'unknown_networks' : 'network' }
      await recordCounted(tx, actor, 'user.sign_ins_limited', attempt.userId, details, 1)
    })
  } catch (err) {
    ctx.log.warn({ err }, 'a failed sign-in could not be written down')
    await settle(ctx.unguarded, counted, 1)
  }
}

const isOfAccount = (budget: string): boolean =>
  budget.startsWith('login user ') || budget.startsWith('current password ')

/** Places in the budgets of sign-in for what has attempts of its own: it counts there, but they refuse it nothing. */
async function placesBeside(ctx: Context, attempts: readonly Attempt[]): Promise<readonly Place[]> {
  const all = attempts.flatMap((attempt) => [...shownBudgets(attempt), ...hiddenBudgets(attempt)])
  const budgets = [...new Map(all.map((budget) => [budget.name, budget])).values()]
  const unlimited = budgets.map((budget) => ({ ...budget, limit: Number.POSITIVE_INFINITY }))
  const reservation = await reserve(ctx, unlimited)
  const places = reservation.state === 'reserved' ? reservation.places : []
  return places.map((place, index) => ({ ...place, limit: budgets[index]?.limit ?? 0 }))
}

/** Counts a wrong second factor, which has its own attempts, as a failed sign-in of its account and network. */
export async function failSecondFactor(ctx: Context, attempt: Attempt): Promise<void> {
  await fail(ctx, { attempt, places: await placesBeside(ctx, [attempt]) }, 'two_factor')
}

/** Counts a wrong proof of a signed-in user beside its own attempts as a failed sign-in by each name of the account. */
export async function failProof(
  ctx: Context,
  { attempt, places }: Tried,
  { email_canonical, username_canonical }: Pick<UserRow, 'email_canonical' | 'username_canonical'>,
  reason: FailureReason,
  actor: Actor,
  field: string,
): Promise<void> {
  const names = [email_canonical, username_canonical].filter((name) => name !== null)
  const beside = await placesBeside(
    ctx,
    names.map((name) => ({ ...attempt, name: hashSecret(name) })),
  )
  await fail(ctx, { attempt, places: [...places, ...beside] }, reason, actor, { field })
}

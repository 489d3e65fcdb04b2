import type { Context } from '../../core/context.ts'
import { defineErrors, tooManyAttempts } from '../../core/errors.ts'
import { clockToleranceMs, dayMs, isWindowOver } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { deleteInPieces } from '../../db/delete-in-pieces.ts'

/*
 * One row for each Idempotency-Key. A request claims its key before it does anything, records in each of its transactions
 * that something changed, and stores its answer. The claim of a killed process expires: until a transaction is committed,
 * another request can take it over, and the first can then no longer commit.
 */

const idempotencyErrors = defineErrors({
  idempotency_key_reused: [422, 'This Idempotency-Key was used for another request: another body or another address.'],
  idempotency_in_progress: [409, 'The first request with this Idempotency-Key is still running.'],
  idempotency_answer_lost: [
    409,
    'The first request with this Idempotency-Key was carried out, but its answer was lost. Look at what it made; a new key makes another.',
  ],
})

const keptMs = dayMs
const retryAfterSeconds = 2
/** How many keys are stored for one anonymous network and route. */
const maxAnonymous = 1_000

export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string
}

export interface KeyHolder {
  readonly callerHash: string
  readonly keyHash: string
  /** The random id of this request. */
  readonly claim: string
  readonly isAnonymous: boolean
}

const inProgress = () => idempotencyErrors.idempotency_in_progress(undefined, { retryAfterSeconds })

const placeOf = ({ callerHash, keyHash }: KeyHolder): string => `idempotency ${callerHash} ${keyHash}`

/**
 * Claims the key for this request. Returns the stored answer of the first request; undefined if this is the first. `digest`
 * identifies the content of the request. Throws 409 while the first is running, 422 if it had another content.
 */
export async function takeKey(
  { unguarded: db, clock, sealer }: Pick<Context, 'unguarded' | 'clock' | 'sealer'>,
  holder: KeyHolder,
  digest: string,
  leaseMs: number,
): Promise<StoredAnswer | undefined> {
  const { callerHash: caller_hash, keyHash: key_hash, claim } = holder
  const now = clock().getTime()
  if (holder.isAnonymous) await assertRoom(db, holder, now)
  const fields = {
    claim,
    request: sealer.seal(digest, placeOf(holder)),
    changed: 0,
    answer: null,
    lease_until_ms: now + leaseMs,
    expires_ms: now + keptMs,
  }
  const taken = await db
    .insertInto('idempotency_keys')
    .values({ caller_hash, key_hash, ...fields })
    .onConflict((conflict) =>
      conflict
        .columns(['caller_hash', 'key_hash'])
        .doUpdateSet(fields)
        .where((is) =>
          is.or([
            is('idempotency_keys.expires_ms', '<=', now),
            is.and([
              is('idempotency_keys.changed', '=', 0),
              is('idempotency_keys.answer', 'is', null),
              is.or([
                is('idempotency_keys.lease_until_ms', '<=', now),
                is('idempotency_keys.lease_until_ms', '>', now + leaseMs + clockToleranceMs),
              ]),
            ]),
          ]),
        ),
    )
    .returning('claim')
    .executeTakeFirst()
  if (taken !== undefined) return undefined
  const first = await db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('caller_hash', '=', caller_hash)
    .where('key_hash', '=', key_hash)
    .executeTakeFirst()
  if (first === undefined) throw inProgress() // it was released just now: the next attempt claims it
  if (sealer.open(first.request, placeOf(holder)) !== digest) throw idempotencyErrors.idempotency_key_reused()
  if (first.answer !== null) return JSON.parse(sealer.open(first.answer, placeOf(holder)))
  throw isWindowOver(now, first.lease_until_ms, leaseMs, clockToleranceMs)
    ? idempotencyErrors.idempotency_answer_lost()
    : inProgress()
}

/** Limits the stored keys of anonymous callers, so that they cannot fill the disk. A key that is stored needs no more room. */
async function assertRoom(db: Db, { callerHash, keyHash }: KeyHolder, now: number): Promise<void> {
  const kept = db
    .selectFrom('idempotency_keys')
    .select('expires_ms')
    .where('caller_hash', '=', callerHash)
    .where('expires_ms', '>', now)
    .where('expires_ms', '<=', now + keptMs + clockToleranceMs)
  // Once this one has expired, there is room for another.
  const last = await kept
    .orderBy('expires_ms', 'desc')
    .offset(maxAnonymous - 1)
    .limit(1)
    .executeTakeFirst()
  if (last === undefined || (await kept.where('key_hash', '=', keyHash).executeTakeFirst()) !== undefined) return
  throw tooManyAttempts(Math.ceil((last.expires_ms - now) / 1_000), maxAnonymous)
}

/**
 * Records in the transaction of a change that it is made, with the answer if it is known by then. Throws 409 if another
 * request has taken the key over, so that the transaction is rolled back.
 */
export async function noteChange(
  { sealer }: Pick<Context, 'sealer'>,
  db: Db,
  holder: KeyHolder,
  answer: StoredAnswer | undefined,
): Promise<void> {
  const sealed = answer === undefined ? {} : { answer: sealer.seal(JSON.stringify(answer), placeOf(holder)) }
  const { numUpdatedRows } = await db
    .updateTable('idempotency_keys')
    .set({ changed: 1, ...sealed })
    .where('caller_hash', '=', holder.callerHash)
    .where('key_hash', '=', holder.keyHash)
    .where('claim', '=', holder.claim)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw inProgress()
}

/** Stores the answer of a completed request. */
export async function storeAnswer(
  { unguarded, sealer }: Pick<Context, 'unguarded' | 'sealer'>,
  holder: KeyHolder,
  answer: StoredAnswer,
): Promise<void> {
  await unguarded
    .updateTable('idempotency_keys')
    .set({ answer: sealer.seal(JSON.stringify(answer), placeOf(holder)) })
    .where('caller_hash', '=', holder.callerHash)
    .where('key_hash', '=', holder.keyHash)
    .where('claim', '=', holder.claim)
    .execute()
}

/** Releases the key of a request that changed nothing, so that it can be sent again. After a change the key is kept. */
export async function giveBackKey(
  { unguarded }: Pick<Context, 'unguarded'>,
  holder: KeyHolder,
  isRefusal: boolean,
): Promise<void> {
  const own = unguarded
    .deleteFrom('idempotency_keys')
    .where('caller_hash', '=', holder.callerHash)
    .where('key_hash', '=', holder.keyHash)
    .where('claim', '=', holder.claim)
  await (isRefusal ? own : own.where('changed', '=', 0)).execute()
}

/** Removes expired keys. */
export async function removeOldIdempotencyKeys({ unguarded, clock }: Context): Promise<void> {
  const now = clock().getTime()
  await deleteInPieces(unguarded, 'idempotency_keys', ['caller_hash', 'key_hash'], (eb) => eb('expires_ms', '<=', now))
}

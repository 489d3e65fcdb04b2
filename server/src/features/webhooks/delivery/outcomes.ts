import { sql } from 'kysely'
import { clockToleranceMs, toTimestamp } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import { prepareWrite } from '../../../db/prepare.ts'
import { isIn, rowsOfJson } from '../../../db/rows.ts'
import type { Posted } from '../../../transports/guarded-post.ts'
import { type DueMessage, promote } from './queue.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
/** The pauses between the attempts. After the last the message is given up. */
const retriesMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
/** After this time of nothing but failures a webhook is switched off. */
const failingForMs = 72 * hour

export interface Outcome {
  readonly message: DueMessage
  readonly posted: Posted
  readonly atMs: number
}

export const isTaken = ({ posted: { status } }: Pick<Outcome, 'posted'>): boolean =>
  status !== null && status >= 200 && status < 300
const isGone = ({ posted: { status } }: Outcome): boolean => status === 410

/** When to try again after this many attempts; undefined for never. */
const retryAt = (attempts: number, nowMs: number): number | undefined => {
  const pause = retriesMs[attempts - 1]
  return pause === undefined ? undefined : nowMs + pause
}

/** Makes messages due now that wait longer than they can, because a clock was set back. */
export async function hastenMessages(db: Db, now: number): Promise<void> {
  const pauses = retriesMs.map((pause, at) => sql`when ${sql.lit(at + 1)} then ${sql.lit(pause)}`)
  const longest = sql`case attempts ${sql.join(pauses, sql` `)} else 0 end`
  const late = sql`cast(${now + clockToleranceMs} as bigint)`
  await sql`update webhook_messages set due_ms = ${now}
    where webhook_id in (select id from webhooks) and due_ms > ${late} and due_ms > ${late} + ${longest}`.execute(db)
}

/** Why the webhook is to be switched off; undefined if it stays on. */
export type Verdict = 'gone' | 'failing' | undefined

const attemptColumns = {
  activity_id: 'integer',
  type: 'text',
  status: 'integer',
  error: 'text',
  duration_ms: 'integer',
  answer: 'text',
  created_at: 'text',
} as const

const insertAttempts = prepareWrite((db: Db, id: number, attempts: string) => {
  const names = sql.join(Object.keys(attemptColumns).map((name) => sql.ref(name)))
  return sql`insert into webhook_attempts (webhook_id, ${names})
    select cast(${id} as bigint), ${names} from ${rowsOfJson(db, attemptColumns, attempts)}`
})

const postponeMessages = prepareWrite((db: Db, id: number, messages: string, attempts: number, dueMs: number) => {
  const given = rowsOfJson(db, { position: 'integer' }, messages)
  return sql`update webhook_messages set attempts = cast(${attempts} as bigint), due_ms = cast(${dueMs} as bigint)
    where webhook_id = cast(${id} as bigint) and position ${isIn(db, sql`select given.position from ${given}`)}`
})

const removeMessages = prepareWrite((db: Db, id: number, messages: string) => {
  const given = rowsOfJson(db, { position: 'integer' }, messages)
  return sql`delete from webhook_messages
    where webhook_id = cast(${id} as bigint) and position ${isIn(db, sql`select given.position from ${given}`)}`
})

const positionsOf = (messages: readonly DueMessage[]): string =>
  JSON.stringify(messages.map(({ position }) => ({ position })))

const toAttempt = ({ message, posted, atMs }: Outcome) => ({
  activity_id: message.id,
  type: message.event,
  status: posted.status,
  error: posted.error,
  duration_ms: posted.durationMs,
  answer: posted.answer?.replaceAll('\0', '\ufffd') ?? null, // PostgreSQL takes no NUL
  created_at: toTimestamp(new Date(atMs)),
})

/** Writes the outcomes of attempts: the log, and when each message is tried again, if ever. One statement writes all of a kind. */
export async function writeOutcomes(
  db: Db,
  webhookId: number,
  failingSinceMs: number | null,
  outcomes: readonly Outcome[],
  now: number,
): Promise<Verdict> {
  if (outcomes.length === 0) return undefined
  await insertAttempts(db, webhookId, JSON.stringify(outcomes.map(toAttempt)))
  const over: DueMessage[] = []
  /** By the number of attempts, which says when to try again. */
  const postponed = new Map<number, DueMessage[]>()
  for (const outcome of outcomes) {
    const attempts = outcome.message.attempts + 1
    if (isTaken(outcome) || retryAt(attempts, now) === undefined) over.push(outcome.message)
    else postponed.set(attempts, [...(postponed.get(attempts) ?? []), outcome.message])
  }
  for (const [attempts, messages] of postponed)
    await postponeMessages(db, webhookId, positionsOf(messages), attempts, retryAt(attempts, now) ?? now)
  if (over.length > 0) {
    await removeMessages(db, webhookId, positionsOf(over))
    await promote(db, webhookId, new Set(over.map(({ subject }) => subject)), now)
  }
  // A first failure in the future is one from before the clock was set back.
  const since = outcomes.some(isTaken) ? null : Math.min(failingSinceMs ?? now, now)
  if (since !== failingSinceMs) {
    await db
      .updateTable('webhook_queues')
      .set({ failing_since_ms: since })
      .where('webhook_id', '=', webhookId)
      .execute()
  }
  if (outcomes.some(isGone)) return 'gone'
  return since !== null && now - since >= failingForMs ? 'failing' : undefined
}

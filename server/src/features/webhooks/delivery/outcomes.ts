import { toTimestamp } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
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

const isTaken = ({ posted: { status } }: Outcome): boolean => status !== null && status >= 200 && status < 300
const isGone = ({ posted: { status } }: Outcome): boolean => status === 410

/** When to try again after these many attempts; undefined for never. */
export const retryAt = (attempts: number, nowMs: number): number | undefined => {
  const pause = retriesMs[attempts - 1]
  return pause === undefined ? undefined : nowMs + pause
}

/** Why the webhook is to be switched off; undefined if it stays on. */
export type Verdict = 'gone' | 'failing' | undefined

/** Writes what came of attempts: the log of attempts, and when each message is tried again, if ever. */
export async function writeOutcomes(
  db: Db,
  webhookId: number,
  failingSinceMs: number | null,
  outcomes: readonly Outcome[],
  now: number,
): Promise<Verdict> {
  if (outcomes.length === 0) return undefined
  await db
    .insertInto('webhook_attempts')
    .values(
      outcomes.map(({ message, posted, atMs }) => ({
        webhook_id: webhookId,
        activity_id: message.id,
        type: message.event,
        status: posted.status,
        error: posted.error,
        duration_ms: posted.durationMs,
        answer: posted.answer?.replaceAll('\0', '\ufffd') ?? null, // PostgreSQL takes no NUL
        created_at: toTimestamp(new Date(atMs)),
      })),
    )
    .execute()
  const over: Outcome[] = []
  for (const outcome of outcomes) {
    const attempts = outcome.message.attempts + 1
    const dueMs = isTaken(outcome) ? undefined : retryAt(attempts, now)
    if (dueMs === undefined) over.push(outcome)
    else {
      await db
        .updateTable('webhook_messages')
        .set({ attempts, due_ms: dueMs })
        .where('webhook_id', '=', webhookId)
        .where('position', '=', outcome.message.position)
        .execute()
    }
  }
  if (over.length > 0) {
    const positions = over.map(({ message }) => message.position)
    await db
      .deleteFrom('webhook_messages')
      .where('webhook_id', '=', webhookId)
      .where('position', 'in', positions)
      .execute()
    await promote(db, webhookId, new Set(over.map(({ message }) => message.subject)), now)
  }
  const since = outcomes.some(isTaken) ? null : (failingSinceMs ?? now)
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

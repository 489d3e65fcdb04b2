import { sql } from 'kysely'
import type { Context } from '../../../core/context.ts'
import type { Db } from '../../../db/database.ts'
import { backgroundOf } from '../../../db/direct.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { pull } from '../enqueue.ts'
import type { WebhookRow } from '../webhooks.table.ts'
import { type Outcome, type Verdict, writeOutcomes } from './outcomes.ts'
import { batch, type DueMessage, findDue, type Lease, releaseLease, takeLease } from './queue.ts'

/** More messages are taken when fewer than these are left to be sent. */
const few = 10
/** So many outcomes take milliseconds to write: on SQLite not on the event loop, though it costs a thread. */
const many = 20

/** The messages of one webhook that a worker has taken from the database and not given back. */
export interface InHand {
  /** To be sent. */
  ready: DueMessage[]
  /** The positions of those that are being sent. */
  readonly underWay: Set<number>
  /** The outcomes of those that were sent. */
  outcomes: Outcome[]
}

export interface Exchanged {
  /** Undefined where nothing more may be sent: it is switched off, or another node looks after it. */
  readonly webhook: WebhookRow | undefined
  /** More messages to be sent. */
  readonly fresh: readonly DueMessage[]
  readonly verdict: Verdict
  /** True if there is nothing to do now; then the lease has ended. */
  readonly isOver: boolean
}

const lost: Exchanged = { webhook: undefined, fresh: [], verdict: undefined, isOver: true }

async function findEnabled(db: Db, id: number): Promise<WebhookRow | undefined> {
  const { rows } = await sql<WebhookRow>`select * from webhooks where id = ${id} and enabled = 1`.execute(db)
  return rows[0]
}

/** Takes messages that are due, up to a batch in hand. More events are queued where too few are due. */
async function takeDue(db: Db, webhook: WebhookRow, { cursor, up_to }: Lease, hand: InHand, now: number) {
  const { ready, underWay, outcomes } = hand
  // What was answered since this exchange began is still due in the database.
  const held = [...ready, ...outcomes.map(({ message }) => message)].map(({ position }) => position)
  const known = new Set([...underWay, ...held])
  const room = Math.max(0, batch - known.size)
  const find = async () => {
    const due = await findDue(db, webhook.id, now, batch + underWay.size)
    return due.filter(({ position }) => !known.has(position)).slice(0, room)
  }
  const due = await find()
  if (due.length >= room || up_to <= cursor) return due
  await pull(db, webhook, cursor, up_to, now)
  return find()
}

/**
 * One exchange with the database for one webhook: writes the outcomes that are there when it begins, extends the lease, and takes
 * more messages if few are left to be sent.
 */
export async function exchange(
  ctx: Context,
  holder: string,
  id: number,
  hand: InHand,
  stop: AbortSignal,
): Promise<Exchanged> {
  const written = [...hand.outcomes]
  const now = ctx.clock().getTime()
  const isLong = written.length >= many
  return inTransaction(isLong ? backgroundOf(ctx.unguarded) : ctx.unguarded, async (db) => {
    const lease = await takeLease(db, id, holder, now)
    if (lease === undefined) return lost
    const verdict = await writeOutcomes(db, id, lease.failing_since_ms, written, now)
    const webhook = verdict === undefined && !stop.aborted ? await findEnabled(db, id) : undefined
    const isLow = webhook !== undefined && hand.ready.length < few
    const fresh = isLow ? await takeDue(db, webhook, lease, hand, now) : []
    const isEmpty = webhook === undefined || hand.ready.length + fresh.length === 0
    const isOver = isEmpty && hand.underWay.size === 0 && hand.outcomes.length === written.length
    if (isOver) await releaseLease(db, id)
    return { webhook, fresh, verdict, isOver }
  })
}

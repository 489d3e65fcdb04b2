import { setTimeout as sleep } from 'node:timers/promises'
import { anonymous, type Context, type Origin } from '../../core/context.ts'
import { settle } from '../attempts/budgets.ts'
import { alertAdministrators, failuresThisHour } from './alert.ts'
import type { Attempt } from './budgets.ts'
import { recordCounted } from './failure-log.ts'
import { noteOutcome } from './outcomes.ts'

/*
 * Sign-ins that a limit refused. The answer does not wait until they are recorded: this would take longer for known names,
 * and a flood would cost a transaction for each request. Refusals during a write are recorded together, with counts.
 */

interface Refusal {
  readonly userId: number
  readonly origin: Origin
  times: number
}

interface Pending {
  /** The total number, including unknown names. */
  times: number
  /** By account and network. */
  byKey: Map<string, Refusal>
  writing: Promise<void> | undefined
  isClosing: boolean
}

/** Beyond this many accounts and networks at once, only their number is recorded. */
const maxKeys = 1000
const pauseMs = 250

const pendingOf = new WeakMap<Context, Pending>()

const forContext = (ctx: Context): Pending => {
  const pending = pendingOf.get(ctx) ?? { times: 0, byKey: new Map(), writing: undefined, isClosing: false }
  pendingOf.set(ctx, pending)
  return pending
}

export function noteRefusal(ctx: Context, { userId, network, origin }: Attempt): void {
  noteOutcome('limited')
  const pending = forContext(ctx)
  pending.times++
  const key = `${userId} ${network}`
  const known = pending.byKey.get(key)
  if (known !== undefined) known.times++
  else if (userId !== undefined && pending.byKey.size < maxKeys) pending.byKey.set(key, { userId, origin, times: 1 })
  pending.writing ??= write(ctx, pending).finally(() => {
    pending.writing = undefined
  })
}

async function write(ctx: Context, pending: Pending): Promise<void> {
  while (pending.times > 0) {
    const { times, byKey } = pending
    pending.times = 0
    pending.byKey = new Map()
    try {
      await writeDown(ctx, times, [...byKey.values()])
    } catch (err) {
      ctx.log.warn({ err, times }, 'refused sign-ins could not be written down')
    }
    if (!pending.isClosing) await sleep(pauseMs, undefined, { ref: false })
  }
}

async function writeDown(ctx: Context, times: number, refusals: readonly Refusal[]): Promise<void> {
  const hour = failuresThisHour(ctx.clock().getTime())
  const [first] = refusals
  const origin = first?.origin ?? { ip: null, userAgent: null, requestId: null }
  await ctx.transaction(anonymous(origin), async (tx) => {
    const counts = await settle(tx.db, [hour], times)
    await alertAdministrators(tx, counts.get(hour.name) ?? 0, times)
    for (const { userId, origin, times } of refusals) {
      await recordCounted(tx, anonymous(origin), 'user.sign_in_failed', userId, { reason: 'limited' }, times)
    }
  })
}

/** Records what is pending; for the end of the process. */
export async function writeRefusals(ctx: Context): Promise<void> {
  const pending = forContext(ctx)
  pending.isClosing = true
  await pending.writing
}

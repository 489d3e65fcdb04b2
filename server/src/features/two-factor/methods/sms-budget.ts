import { networkOf } from '../../../core/addresses.ts'
import { type Context, systemActor } from '../../../core/context.ts'
import { hashSecret } from '../../../core/secrets.ts'
import { dayMs, toTimestamp } from '../../../core/time.ts'
import { mailAdministrators } from '../../../mails/mail-administrators.ts'
import { type AttemptLimit, countAttempt, takeBackTry } from '../../../security/attempts/attempts.service.ts'
import { recordActivity } from '../../activity/activity.service.ts'

/** A day allows at most this many times the budget of one window, however short the window is: toll fraud goes on all night. */
const windowsInADay = 5
/** The part of the daily cap at which administrators are notified. */
const warnedAt = 0.8

export interface SmsCause {
  /** Separate budgets, so that enrolling another person's number uses up nothing that they need to sign in. */
  readonly purpose: 'enrolment' | 'sign-in'
  /** In E.164 form. */
  readonly number: string
  readonly userId: number
  /** The address of the request; null at the command line. */
  readonly ip: string | null
}

const dailyCap = 'sms of the service in a day'

/**
 * Counts an SMS before it is sent, and throws 429 beyond a limit: the budget of its purpose (GATEHOUSE_SMS_BUDGET), then the
 * cap of the whole service (GATEHOUSE_SMS_DAILY_CAP). What is refused is not sent, so it counts nowhere.
 */
export async function countSms(ctx: Context, cause: SmsCause): Promise<void> {
  const { smsDailyCap: cap } = ctx.config
  const limits = [...budgetOf(ctx, cause), [dailyCap, { tries: cap, windowMs: dayMs }] as const]
  const counted: string[] = []
  let ofDay = 0
  try {
    for (const [name, limit] of limits) {
      counted.push(name)
      ofDay = await countAttempt(ctx, name, limit)
    }
  } catch (error) {
    for (const name of counted) await takeBackTry(ctx.unguarded, name)
    throw error
  }
  // The count is unique for each SMS of a day, so exactly one, on one node, reaches 80 %.
  if (ofDay === Math.ceil(cap * warnedAt)) await warnAdministrators(ctx, ofDay, cap)
}

/** The limits of the user, the requesting address and the number. */
function budgetOf(ctx: Context, { purpose, number, userId, ip }: SmsCause): [name: string, AttemptLimit][] {
  const { smsBudget: budget } = ctx.config
  if (budget === null) return []
  const shares: [whose: string, times: number][] = [
    [`user ${userId}`, 2],
    ...(ip === null ? [] : [[`address ${networkOf(ip)}`, 10] as [string, number]]),
    [`number ${hashSecret(number)}`, 1],
  ]
  const { requests, windowMs } = budget
  return shares.flatMap(([whose, times]) => {
    const ofWindow: [string, AttemptLimit] = [`sms ${purpose} ${whose}`, { tries: requests * times, windowMs }]
    if (windowMs >= dayMs) return [ofWindow]
    const tries = requests * times * windowsInADay
    return [ofWindow, [`sms ${purpose} in a day ${whose}`, { tries, windowMs: dayMs }]]
  })
}

async function warnAdministrators(ctx: Context, count: number, cap: number): Promise<void> {
  const data = { count, cap, at: toTimestamp(ctx.clock()) }
  await ctx.transaction(systemActor, async (tx) => {
    await mailAdministrators(tx, 'sms-cap-near', () => data)
    await recordActivity(tx, tx.actor, 'sms.cap_near', { type: 'settings', id: null }, { count, cap })
  })
}

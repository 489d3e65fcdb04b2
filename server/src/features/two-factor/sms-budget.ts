import { callerOf } from '../../core/addresses.ts'
import type { Context } from '../../core/context.ts'
import { countTry } from '../tries/tries.service.ts'

const dayMs = 86_400_000
/** However short the budget's window is, a day has so many of them (toll fraud goes on all night). */
const windowsInADay = 5

export interface SmsCause {
  /** In E.164 form. */
  readonly number: string
  readonly userId: number
  /** From where it was asked for; null at the command line. */
  readonly ip: string | null
}

/**
 * Counts an SMS against the budget (GATEHOUSE_SMS_BUDGET) of its user, of the address that asks for it and of its number,
 * in that order, so that somebody whose own budget is spent no longer spends that of a number. Beyond it: 429.
 */
export async function countSms(ctx: Context, { number, userId, ip }: SmsCause): Promise<void> {
  const { smsBudget: budget } = ctx.config
  if (budget === null) return
  const shares: [whose: string, times: number][] = [
    [`user ${userId}`, 2],
    ...(ip === null ? [] : [[`address ${callerOf(ip)}`, 10] as [string, number]]),
    [`number ${number}`, 1],
  ]
  for (const [whose, times] of shares) {
    const tries = budget.requests * times
    await countTry(ctx, `sms ${whose}`, { tries, windowMs: budget.windowMs })
    if (budget.windowMs >= dayMs) continue
    await countTry(ctx, `sms in a day ${whose}`, { tries: tries * windowsInADay, windowMs: dayMs })
  }
}

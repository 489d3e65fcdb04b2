import type { Actor, Context, Tx } from '../../../core/context.ts'
import type { Draft } from '../../../core/draft.ts'

/** The names of the ways to answer a challenge. */
export type MethodName = 'totp' | 'sms' | 'passkey' | 'recovery_code'

/** What the first step of a sign-in hands to the second. */
export interface SignInState {
  readonly cookie: boolean
  readonly device_name: string | null
}

/**
 * A second factor that is enrolled by a code which is sent. `Input` is the body of the enrolment request, `Enrolment` the data
 * of a pending enrolment. The service handles permissions, mails, the audit log and the rows.
 */
export interface Method<Input, Enrolment> {
  /** Reads the body; throws `validation_failed` if it cannot be enrolled. */
  readonly read: (ctx: Context, draft: Draft<Input>) => Enrolment
  /** Before the transaction: counts the cost of the enrolment; throws `too_many_attempts` beyond the budget. */
  readonly reserve: (ctx: Context, actor: Actor, userId: number, enrolment: Enrolment) => Promise<void>
  /** In the transaction: creates the proof that `verify` expects. */
  readonly enrol: (tx: Tx, userId: number, enrolment: Enrolment) => Promise<void>
  /**
   * The data of the pending enrolment if the proof is right, else undefined. A proof works once. `whenWrong` is called for
   * each wrong one.
   */
  readonly verify: (
    ctx: Context,
    userId: number,
    proof: string,
    whenWrong: () => Promise<void>,
  ) => Promise<Enrolment | undefined>
  /** The `secret` of the factor's row. */
  readonly toSecret: (enrolment: Enrolment) => string
}

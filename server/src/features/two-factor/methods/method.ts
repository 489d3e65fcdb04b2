import type { Actor, Context, Origin, Tx } from '../../../core/context.ts'
import type { Draft } from '../../../core/draft.ts'
import type { UserRow } from '../../accounts/users.table.ts'

/** What is stored of a factor in the user's row: `two_factor_options` and the phone number beside it. */
export interface StoredFactor {
  readonly country_code: number
  readonly phone: string
  readonly options: { readonly enabled: boolean; readonly channel: string } & Readonly<Record<string, unknown>>
}

/** What a finished sign-in needs to know of its first step. */
export interface SignInState {
  readonly cookie: boolean
  readonly device_name: string | null
}

/**
 * A kind of second factor. `Input` is the body that asks for it, `Enrolment` what a pending one is bound to. Permissions,
 * mails, the audit log and the user's row are the service's.
 */
export interface Method<Input, Enrolment> {
  readonly channel: string
  /** Reads the body; throws `validation_failed` for what cannot be enrolled. */
  readonly read: (ctx: Context, draft: Draft<Input>) => Enrolment
  /** Before the transaction: counts what the enrolment costs, and throws `too_many_requests` beyond the budget. */
  readonly reserve: (ctx: Context, actor: Actor, userId: number, enrolment: Enrolment) => Promise<void>
  /** In the transaction: makes the proof that `verify` wants to see. */
  readonly enrol: (tx: Tx, userId: number, enrolment: Enrolment) => Promise<void>
  /**
   * What the pending enrolment is bound to when the proof is right; undefined when it is not. A proof is good once.
   * `whenWrong` hears of each that was looked at and is wrong.
   */
  readonly verify: (
    ctx: Context,
    userId: number,
    proof: string,
    whenWrong: () => Promise<void>,
  ) => Promise<Enrolment | undefined>
  /** What the user's row holds, pending or verified. */
  readonly toStored: (enrolment: Enrolment, enabled: boolean) => StoredFactor
  /** For mails: `the number that ends in 0958`. */
  readonly describe: (enrolment: Enrolment) => string
  /** Asks the user for their factor at sign-in; the challenge that it returns is worth nothing without it. */
  readonly challenge: (ctx: Context, user: UserRow, origin: Origin, state: SignInState) => Promise<string>
}

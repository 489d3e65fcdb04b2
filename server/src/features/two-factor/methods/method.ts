import type { Actor, Context, Origin, Tx } from '../../../core/context.ts'
import type { Draft } from '../../../core/draft.ts'
import type { UserRow } from '../../accounts/users.table.ts'
import type { TokenRow } from '../../tokens/tokens.table.ts'

/** The stored factor in the user's row: `two_factor_options` and the phone number. */
export interface StoredFactor {
  readonly country_code: number
  readonly phone: string
  readonly options: { readonly enabled: boolean; readonly channel: string } & Readonly<Record<string, unknown>>
}

/** What the first step of a sign-in hands to the second. */
export interface SignInState {
  readonly cookie: boolean
  readonly device_name: string | null
}

/**
 * A kind of second factor. `Input` is the body of the enrolment request, `Enrolment` the data of a pending enrolment. The
 * service handles permissions, mails, the audit log and the user's row.
 */
export interface Method<Input, Enrolment> {
  readonly channel: string
  /** Reads the body; throws `validation_failed` if it cannot be enrolled. */
  readonly read: (ctx: Context, draft: Draft<Input>) => Enrolment
  /** Before the transaction: counts the cost of the enrolment; throws `too_many_requests` beyond the budget. */
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
  /** The value for the user's row, pending or verified. */
  readonly toStored: (enrolment: Enrolment, enabled: boolean) => StoredFactor
  /** For mails: `the number that ends in 0958`. */
  readonly describe: (enrolment: Enrolment) => string
  /** Asks the user for the factor at sign-in. The returned challenge is worth nothing without it. */
  readonly challenge: (ctx: Context, user: UserRow, origin: Origin, state: SignInState) => Promise<string>
  /**
   * Uses up a challenge if the proof is right and returns its row; else undefined. `whenWrong` is called for each wrong proof
   * of a pending challenge.
   */
  readonly answer: (
    ctx: Context,
    challenge: string,
    proof: string,
    whenWrong: (pending: TokenRow) => Promise<void>,
  ) => Promise<TokenRow | undefined>
}

import type { UserRow } from './users.table.ts'

/** What a user's row says about their second factors; it sums up the rows of `factors`. */
export interface TwoFactorSummary {
  /** True if sign-in asks for a second factor. */
  readonly enabled: boolean
  /** The preferred factor; `sms` also for a number that is pending. */
  readonly channel: 'totp' | 'sms' | 'passkey'
}

type Summed = Pick<UserRow, 'two_factor_options'>

/** True if sign-in asks for a second factor. */
export const isTwoFactorOn = ({ two_factor_options }: Summed): boolean =>
  two_factor_options !== null && (JSON.parse(two_factor_options) as TwoFactorSummary).enabled

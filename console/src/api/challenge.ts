import { ApiError } from './client.ts'

/** How long the server takes answers to a challenge, and how many wrong ones. */
const lifeMs = 5 * 60_000
const maxTries = 5

/** The second step of a sign-in: what it answers to, and by which methods, the preferred first. */
export interface Challenge {
  readonly challenge: string
  readonly methods: readonly string[]
  /** For a passkey. */
  readonly options?: Record<string, unknown> | undefined
  /** In milliseconds of the browser's clock. */
  readonly until: number
}

interface Asked {
  readonly challenge: string
  readonly methods?: readonly string[] | undefined
  readonly options?: Record<string, unknown> | undefined
}

/** As the answer of the first step has it. */
export const toChallenge = ({ challenge, methods = ['sms'], options }: Asked): Challenge => ({
  challenge,
  methods,
  options,
  until: Date.now() + lifeMs,
})

/** A code or a passkey that was refused as the second step. */
export const isRefused = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'two_factor_token_invalid'

/** Its message names no field: the form has but one. */
export function atToken(error: unknown): never {
  throw isRefused(error) ? new ApiError(error.message, 422, error.code, { token: [error.message] }) : error
}

/** Keyboards in Arabic and Persian type digits of their own. */
const inAscii = (text: string): string =>
  text.replaceAll(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 15))

/** The digits of a code that was typed or pasted in any form: `123 456`, `123-456`. */
export const digitsIn = (text: string): string => inAscii(text).replaceAll(/\D/g, '')

/** The same where a recovery code can be entered, too. */
export const codeIn = (text: string): string => inAscii(text).replaceAll(/[\s-]/g, '')

/** The same as an answer: six digits are those of the SMS, if one was sent. */
export function answerOf(text: string, isSmsSent: boolean): { token: string; method?: 'sms' } {
  const token = codeIn(text)
  return isSmsSent && /^\d+$/.test(token) ? { token, method: 'sms' } : { token }
}

const wrongAnswers = new Map<string, number>()

/** After an answer was refused: why no other will be taken, if so. The server only says that it was wrong. */
export function whyOver({ challenge, until }: Challenge, error: unknown): string | undefined {
  if (!isRefused(error)) return undefined
  const tries = (wrongAnswers.get(challenge) ?? 0) + 1
  wrongAnswers.set(challenge, tries)
  if (tries >= maxTries) return 'That was wrong too often. Enter your password again.'
  return Date.now() >= until ? 'That took longer than five minutes. Enter your password again.' : undefined
}

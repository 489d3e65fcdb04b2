import { isCommonPassword } from './common-passwords.ts'
import { type Estimate, estimateGuesses } from './guesses.ts'

interface Question {
  readonly password: string
  /** Names of the person and the service, as words. */
  readonly names: readonly string[]
  /** The number of guesses from which the exact number no longer matters. */
  readonly enough: number
}
interface Verdict extends Estimate {
  readonly isCommon: boolean
}

/** Judges a password. It takes milliseconds, and to load its word lists 0.2 s, so it runs in a thread (core/thread.ts). */
export function judge({ password, names, enough }: Question): Verdict {
  return { isCommon: isCommonPassword(password), ...estimateGuesses(password, names, enough) }
}

/** What was found about one part of an installation. */
export interface Finding {
  readonly check: string
  /** `warning`: it works, but not as it should in production. `broken`: the service does not start, or part of it fails. */
  readonly state: 'ok' | 'warning' | 'broken'
  readonly found: string
  /** What to do about it; null if nothing. */
  readonly advice: string | null
}

export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found, advice: null })
export const warning = (check: string, found: string, advice: string): Finding => ({
  check,
  state: 'warning',
  found,
  advice,
})
export const broken = (check: string, found: string, advice: string): Finding => ({
  check,
  state: 'broken',
  found,
  advice,
})

import { InvalidArgumentError, Option } from 'commander'

/* What several commands take. */

/** Parses a whole number within bounds, for commander. */
export const whole =
  (min: number, max: number) =>
  (text: string): number => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (!(number >= min && number <= max)) throw new InvalidArgumentError(`Write a whole number from ${min} to ${max}.`)
    return number
  }

/** An option with one of these values, in any case. */
export const oneOf = (flags: string, description: string, values: readonly string[]): Option =>
  new Option(flags, description).choices(values).argParser((text) => {
    const found = values.find((value) => value.toLowerCase() === text.toLowerCase())
    if (found === undefined) throw new InvalidArgumentError(`Allowed choices are ${values.join(', ')}.`)
    return found
  })

/** Of an option with a list, for commander: what is given again is added. */
export const listed = (text: string, before: string | undefined): string =>
  before === undefined ? text : `${before},${text}`

export const pageOption = ['--page <n>', 'which page', whole(1, Number.MAX_SAFE_INTEGER), 1] as const
export const perPageOption = ['--per-page <n>', 'maximum number, up to 100', whole(1, 100), 20] as const
export const jsonOption = ['--json', 'print JSON for programs'] as const

import { type Options, ZxcvbnFactory } from '@zxcvbn-ts/core'
import { rankWords, readZxcvbnData } from './word-lists.ts'

/*
 * Estimates with zxcvbn how many guesses a password withstands. The word lists take 0.2 s to load, and an estimate takes
 * milliseconds, so this runs in its own thread (`judge.ts`), never on the event loop.
 */

export interface Estimate {
  readonly guesses: number
  /** Explains what makes the password easy to guess; null if there is nothing to add. */
  readonly reason: string | null
}

/** Characters beyond this length add no information but make the estimate slower. */
const maxEstimated = 64
/** Tried first: if the beginning is hard to guess, the rest need not be looked at. */
const firstEstimated = 24

// Ten substitutions of look-alikes (`p4ssw0rd`) find every word of a usual password. The default of a hundred takes a second.
const zxcvbn = new ZxcvbnFactory({
  graphs: readZxcvbnData('adjacencyGraphs-common'),
  l33tMaxSubstitutions: 10,
  maxLength: 256,
})

/** Lists of a few words (seasons, planets) are left out: the large lists contain them, and each list slows an estimate down. */
const lists = ['diceware-common', 'passwords-common', 'commonWords-en', 'firstnames-en', 'lastnames-en', 'wikipedia-en']

// Not as its option `dictionary`: zxcvbn would make objects of them, which take 30 MB.
const { options } = zxcvbn as unknown as { options: Options }
for (const name of lists) {
  const words: string[] = readZxcvbnData(name)
  options.rankedDictionaries[name] = rankWords(words)
  options.rankedDictionariesMaxWordSize[name] = words.reduce((longest, { length }) => Math.max(longest, length), 0)
}

const reasons: Record<string, string> = {
  straightRow: 'Keys in a row are easy to guess.',
  keyPattern: 'Patterns on the keyboard are easy to guess.',
  simpleRepeat: 'Repeated characters like "aaa" are easy to guess.',
  extendedRepeat: 'Repeated patterns like "abcabc" are easy to guess.',
  sequences: 'Sequences like "abc" or "6543" are easy to guess.',
  recentYears: 'Recent years are easy to guess.',
  dates: 'Dates are easy to guess.',
  topTen: 'It is one of the most used passwords.',
  topHundred: 'It is one of the most used passwords.',
  common: 'It is a common password.',
  similarToCommon: 'It is much like a common password.',
  wordByItself: 'Single words are easy to guess.',
  namesByThemselves: 'Names are easy to guess.',
  commonNames: 'Common names are easy to guess.',
  userInputs: 'It is made of your own name or that of this service.',
}

function estimateWhole(password: string, names: readonly string[]): Estimate {
  const { guesses, feedback } = zxcvbn.check(password, [...names])
  return { guesses, reason: reasons[feedback.warning ?? ''] ?? null }
}

/** How many usual ways there are to fill the part before or after a word: a year, digits, one or two symbols. */
function guessesOfFiller(filler: string): number {
  const parts = filler.match(/\d+|\D/gu) ?? []
  return parts.reduce((product, part) => product * (/^(19|20)\d\d$/.test(part) ? 150 : 10 ** part.length), 1)
}

/**
 * The number of guesses for a password that consists of one of these names, once or more, with digits and marks around it;
 * infinite for any other password. zxcvbn misses some: it knows no year after 2019, and gets only the first characters.
 */
function guessesOfName(password: string, names: readonly string[]): number {
  const lower = password.toLowerCase()
  const guesses = names.map((name) => {
    const fillers = lower.split(name)
    if (fillers.length === 1 || /\p{L}/u.test(fillers.join(''))) return Number.POSITIVE_INFINITY
    return fillers.reduce((product, filler) => product * guessesOfFiller(filler), names.length)
  })
  return Math.min(...guesses)
}

/** `Welcome2026!`: a word with the additions that composition rules lead to. */
const decorated = /^(\P{L}*)(\p{L}.*\p{L}|\p{L})(\P{L}*)$/su

function estimatePart(password: string, names: readonly string[]): Estimate {
  const whole = estimateWhole(password, names)
  const [, before = '', word = '', behind = ''] = decorated.exec(password) ?? []
  if (word.length < 3 || word === password) return whole
  const bare = estimateWhole(word, names)
  const guesses = bare.guesses * guessesOfFiller(before) * guessesOfFiller(behind)
  if (guesses >= whole.guesses) return whole
  const reason =
    bare.reason === reasons.userInputs ? bare.reason : 'A word with digits or marks around it is easy to guess.'
  return { guesses, reason: reason ?? null }
}

/**
 * The number of guesses that a password withstands from an attacker who knows these names, which are in lower case. Only its
 * first 64 characters count, but for a name in it.
 */
export function estimateGuesses(password: string, names: readonly string[], enough: number): Estimate {
  const named = guessesOfName(password, names)
  if (named < enough) return { guesses: named, reason: reasons.userInputs ?? null }
  const characters = [...password]
  const first = estimatePart(characters.slice(0, firstEstimated).join(''), names)
  if (first.guesses >= enough || characters.length <= firstEstimated) return first
  return estimatePart(characters.slice(0, maxEstimated).join(''), names)
}

import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as commonLists } from '@zxcvbn-ts/language-common'
import { dictionary as englishLists } from '@zxcvbn-ts/language-en'

/*
 * How many guesses a password withstands, by zxcvbn. Its word lists take some 60 MB and half a second to load, and an
 * estimate takes milliseconds: this runs in a thread of its own (`judge-thread.ts`), never on the event loop.
 */

export interface Estimate {
  readonly guesses: number
  /** What makes the password easy to guess, for people; null where there is no more to say. */
  readonly reason: string | null
}

/** More than this says nothing new about a password, and costs ever more. */
const maxEstimated = 64
/** Tried first: a password with a hard beginning needs no look at the rest. */
const firstEstimated = 24

/**
 * Lists of a few words (seasons, planets) are left out: all their words are in the large ones, and each list makes an
 * estimate slower.
 */
const lists = Object.fromEntries(
  Object.entries({ ...commonLists, ...englishLists }).filter(([, words]) => words.length > 1_000),
)

// Ten substitutions of look-alikes (`p4ssw0rd`) find every word of a usual password; a hundred, the default, take a second.
const zxcvbn = new ZxcvbnFactory({
  dictionary: lists,
  graphs: adjacencyGraphs,
  l33tMaxSubstitutions: 10,
  maxLength: 256,
})

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

/** How many ways there are to fill the place before or behind a word as people do: a year, digits, a mark or two. */
function guessesOfFiller(filler: string): number {
  const parts = filler.match(/\d+|\D/gu) ?? []
  return parts.reduce((product, part) => product * (/^(19|20)\d\d$/.test(part) ? 150 : 10 ** part.length), 1)
}

/** `Welcome2026!`: a word in the middle of what every rule of composition makes people add. */
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

/** The guesses that a password withstands from somebody who knows these names; its first 64 characters count. */
export function estimateGuesses(password: string, names: readonly string[], enough: number): Estimate {
  const characters = [...password]
  const first = estimatePart(characters.slice(0, firstEstimated).join(''), names)
  if (first.guesses >= enough || characters.length <= firstEstimated) return first
  return estimatePart(characters.slice(0, maxEstimated).join(''), names)
}

import { readZxcvbnData } from './word-lists.ts'

/**
 * Passwords that are too common to be allowed.
 *
 * Source: the list `passwords-common` (49,233 entries from leaked passwords, most common first) of the package `@zxcvbn-
 * ts/language-common` (https://github.com/zxcvbn-ts/zxcvbn), MIT, (c) Dan Wheeler, Dropbox and zxcvbn-ts. It is read on
 * first use.
 */
const list = 'passwords-common'

/**
 * Only entries of at least this length are kept, about a third of the list: the password policy refuses shorter passwords
 * already. A lower minimum length would let short common passwords through.
 */
export const shortestCommon = 8

/** The entries that are long enough, folded. */
let loaded: ReadonlySet<string> | undefined

/** One form for all spellings of a password that differ only in case or in Unicode compatibility (such as full width). */
function fold(password: string): string {
  return password.normalize('NFKC').toLowerCase()
}

function load(): ReadonlySet<string> {
  const entries: string[] = readZxcvbnData(list)
  // Short entries are dropped before folding: it halves the garbage of the first call.
  return new Set(entries.filter((entry) => entry.length >= shortestCommon).map(fold))
}

/**
 * True if a password is on the list, ignoring case. Passwords of fewer than 8 characters never are: refuse them by length
 * first, counted in code points (in UTF-16 units, six mathematical digits would count as twelve).
 */
export function isCommonPassword(password: string): boolean {
  loaded ??= load()
  return loaded.has(fold(password))
}

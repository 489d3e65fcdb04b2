import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * Passwords that are too common to be allowed.
 *
 * Source: the list `passwords-common` (49,233 entries from leaked passwords, most common first) of the package `@zxcvbn-
 * ts/language-common` (https://github.com/zxcvbn-ts/zxcvbn), MIT, (c) Dan Wheeler, Dropbox and zxcvbn-ts. It is read on
 * first use from the JSON file in the package. Importing the package would also load its word lists and keyboard graphs and
 * keep them in memory.
 */
const listFile = '@zxcvbn-ts/language-common/src/passwords.json'

/**
 * Only entries of at least this length are kept, about a third of the list. The password policy already refuses shorter
 * passwords, so looking them up would change nothing. A lower minimum length would let short common passwords through.
 */
const shortestKept = 8

interface CommonPasswords {
  /** Entries in the source list, of any length. */
  listed: number
  /** The entries that are long enough, folded. */
  kept: ReadonlySet<string>
}

let loaded: CommonPasswords | undefined

/** One form for all spellings of a password that differ only in case or in Unicode compatibility (such as full width). */
function fold(password: string): string {
  return password.normalize('NFKC').toLowerCase()
}

function load(): CommonPasswords {
  const path = createRequire(import.meta.url).resolve(listFile)
  const entries: string[] = JSON.parse(readFileSync(path, 'utf8'))
  // Short entries are dropped before folding: it halves the garbage of the first call.
  return { listed: entries.length, kept: new Set(entries.filter((entry) => entry.length >= shortestKept).map(fold)) }
}

function commonPasswords(): CommonPasswords {
  loaded ??= load()
  return loaded
}

/**
 * True if a password is on the list, ignoring case. Passwords of fewer than 8 characters never are: refuse them by length
 * first, counted in code points (in UTF-16 units, six mathematical digits would count as twelve).
 */
export function isCommonPassword(password: string): boolean {
  return commonPasswords().kept.has(fold(password))
}

/** The number of entries in the source list, including those of fewer than 8 characters. */
export function commonPasswordCount(): number {
  return commonPasswords().listed
}

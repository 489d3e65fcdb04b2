import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * Passwords that are too common to be allowed.
 *
 * Source: the list `passwords-common` (49,233 entries, from leaked passwords, most common first) of the package
 * `@zxcvbn-ts/language-common` (https://github.com/zxcvbn-ts/zxcvbn), MIT, (c) Dan Wheeler, Dropbox and zxcvbn-ts.
 * It is read on first use from the plain JSON file that the package ships beside its bundle, which holds the same
 * entries: the package's entry point would also load word lists and keyboard graphs, and keep them.
 */
const listFile = '@zxcvbn-ts/language-common/src/passwords.json'

/**
 * Only entries of at least this many characters are kept, about a third of the list: the password policy refuses
 * shorter passwords for their length, so looking those up would change no answer. A minimum length under this one
 * would let short common passwords through.
 */
const shortestKept = 8

interface CommonPasswords {
  /** Entries in the source list, of any length. */
  listed: number
  /** The entries long enough to matter, folded. */
  kept: ReadonlySet<string>
}

let loaded: CommonPasswords | undefined

/** One form for all spellings of a password that differ in case or in Unicode compatibility (such as full width). */
function fold(password: string): string {
  return password.normalize('NFKC').toLowerCase()
}

function load(): CommonPasswords {
  const path = createRequire(import.meta.url).resolve(listFile)
  const entries: string[] = JSON.parse(readFileSync(path, 'utf8'))
  // Short entries go before folding: it halves the garbage that the first call leaves behind.
  return { listed: entries.length, kept: new Set(entries.filter((entry) => entry.length >= shortestKept).map(fold)) }
}

function commonPasswords(): CommonPasswords {
  loaded ??= load()
  return loaded
}

/**
 * Whether a password is on the list, in any case. Passwords of fewer than 8 characters never are: refuse them for
 * their length first, counted in code points (counted in UTF-16 units, six mathematical digits would pass as twelve).
 */
export function isCommonPassword(password: string): boolean {
  return commonPasswords().kept.has(fold(password))
}

/** The number of entries in the source list, those of fewer than 8 characters included. */
export function commonPasswordCount(): number {
  return commonPasswords().listed
}

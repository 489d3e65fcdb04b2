/** The forms in which text is compared (text itself is stored as it was sent), and its lines. */

const ascii = /^\p{ASCII}*$/u

/** Cherokee folds to its upper-case letters; every other script folds to lower case (Unicode CaseFolding.txt). */
const isCherokee = (point: number) => (point >= 0x13a0 && point <= 0x13fd) || (point >= 0xab70 && point <= 0xabbf)

function foldCharacter(character: string): string {
  if (character === 'ı') return character
  if (isCherokee(character.codePointAt(0) as number)) return character.toUpperCase()
  return character.toLowerCase().toUpperCase().toLowerCase()
}

/**
 * Full Unicode case folding (statuses C and F of CaseFolding.txt), character by character, so that a folded substring is
 * always a substring of the folded text: `ß` gives `ss`, and `ς` always gives `σ`.
 */
export function caseFold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  let folded = ''
  for (const character of text) folded += foldCharacter(character)
  return folded
}

/** The form that sorting compares, by code point. Null sorts first, as the empty string: empty text is never stored. */
export const sortKey = (text: string | null): string => (text === null ? '' : caseFold(text))

/**
 * More combining marks in a row than any writing has (UAX 15, stream-safe text), with the two that only the compatibility form
 * makes marks. To put them in order takes quadratic time.
 */
const excessMarks = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/** The form that search compares: ignores compatibility forms, case, and marks beyond 30 in a row, but not accents. */
export const searchForm = (text: string): string =>
  ascii.test(text) ? text.toLowerCase() : caseFold(text.replace(excessMarks, '$1').normalize('NFKC')).normalize('NFKC')

/** The blocks of combining accents. Marks of other scripts stay: in Devanagari or Japanese they make another letter. */
const accents = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g
/** Letters that Unicode does not decompose although people type the plain letter for them. */
const plainLetters: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i' }
const letteredForms = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g')

/** The form that the search for people compares: ignores compatibility forms, case and accents. */
export function accentlessForm(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  const form = searchForm(text)
    .normalize('NFKD')
    .replace(accents, '')
    .replace(letteredForms, (letter) => plainLetters[letter] as string)
  // Again: letters that an accent kept apart may now combine.
  return ascii.test(form) ? form : searchForm(form)
}

/** Invisible characters: two names that differ only in them would look the same. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu

/**
 * The form in which usernames are unique: NFKC, case-folded, trimmed (Unicode TR 36). In addition, invisible characters are
 * ignored and the Turkish dotless and dotted i become an i, so that nobody can register a second account that reads like the
 * first. Email addresses use `canonicalEmail` instead: addresses that look alike may belong to different people.
 */
export function canonicalName(name: string): string {
  if (ascii.test(name)) return name.trim().toLowerCase()
  const form = searchForm(name.replace(invisible, ''))
    .replaceAll('ı', 'i')
    .replaceAll(/i\u0307+/g, 'i')
  return form.normalize('NFKC').trim() // again: an i that was just created may combine with the accent behind it
}

/** True for text that every database can hold and every JSON reader can read: no NUL, no lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Line ends and the like, and characters that turn the direction of the text around them. */
const steering = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu

/** Text as it may stand within one line of a mail or of its head: nothing in it begins a line or a header of its own. */
export const toOneLine = (text: string): string => text.replaceAll(steering, ' ').trim()

const lineEnd = 10

/** How many lines end in these bytes of UTF-8. */
export function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) lines++
  return lines
}

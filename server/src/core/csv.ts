/** Cells of CSV files: RFC 4180, and safe to open in a spreadsheet. */

/** What a spreadsheet would take for a formula, with any apostrophes that stand before it already. */
const formula = /^'*[=+\-@\t\r]/

/** An apostrophe makes a formula a text. Texts that look like one with an apostrophe get another, so that none is lost. */
const neutralize = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** Takes back what `neutralize` did. */
export const withoutApostrophe = (text: string): string =>
  text.startsWith("'") && formula.test(text) ? text.slice(1) : text

const quoted = /[",;\t\r\n]|^\s|\s$/

/** A value as a cell: null is empty, an object is JSON. */
function toCell(value: unknown): string {
  if (value == null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = neutralize(typeof value === 'string' ? value : JSON.stringify(value))
  return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line of a file, with its end. */
export const toLine = (values: readonly unknown[]): string => `${values.map(toCell).join(',')}\r\n`

/** So that what Excel opens is read as UTF-8. */
export const byteOrderMark = '\uFEFF'

/**
 * A cell of a CSV file (RFC 4180). A spreadsheet would run what begins like a formula: an apostrophe before it makes it text
 * again (https://owasp.org/www-community/attacks/CSV_Injection).
 */
function toCell(value: string | number | null | undefined): string {
  const text = value == null ? '' : String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const toLine = (values: readonly (string | number | null | undefined)[]): string =>
  `${values.map(toCell).join(',')}\r\n`

/** As much of a file as the preview needs; the server reads the whole. */
const headBytes = 256 * 1024
const previewRows = 20

export interface FileHead {
  readonly format: 'csv' | 'ndjson'
  readonly delimiter: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** How many bytes the header has, with its line end. */
  readonly headerBytes: number
  /** How many lines these are: cells may hold line breaks, and blank lines may come first. */
  readonly headerLines: number
}

/** The cells of the first rows of a text (RFC 4180). */
function parseRows(text: string, delimiter: string, limit: number): { rows: string[][]; headerLength: number } {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  let headerLength = 0
  for (let at = 0; at <= text.length && rows.length < limit; at++) {
    const character = text[at]
    if (isQuoted && character === '"' && text[at + 1] === '"') {
      cell += '"'
      at++
    } else if (character === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted
    else if (isQuoted && character !== undefined) cell += character
    else if (character === delimiter) {
      row.push(cell)
      cell = ''
    } else if (character === '\n' || character === undefined) {
      row.push(cell.replace(/\r$/, ''))
      if (row.some((text) => text !== '')) rows.push(row)
      if (rows.length === 1 && headerLength === 0) headerLength = at + 1
      row = []
      cell = ''
    } else cell += character
  }
  return { rows, headerLength }
}

/** That which a header has most of, outside of quotes. */
const detectDelimiter = (header: string): string =>
  [',', ';', '\t'].reduce((best, one) => (header.split(one).length > header.split(best).length ? one : best))

/** None where the line holds anything else: the server says what is wrong with it. */
function objectIn(line: string): Record<string, unknown>[] {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? [{ ...value }] : []
  } catch {
    return []
  }
}

const asText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')

/** Reads the columns and the first rows of a file; rejects a file that is not text. */
export async function readHead(file: File): Promise<FileHead> {
  // Not `file.text()`: after the byte order mark of UTF-16, Chromium reads that, and the server does not.
  const text = new TextDecoder().decode(await file.slice(0, headBytes).arrayBuffer())
  if (text.trim() === '') throw new Error('The file is empty.')
  // What replaces bytes that are no text, or zeros, as UTF-16 and pictures have them; the slice may have cut the last character.
  if (/[\0\uFFFD]/.test(text.slice(0, -1))) {
    throw new Error('This is no CSV or NDJSON file in UTF-8. In a spreadsheet, save it as “CSV UTF-8”.')
  }
  if (text.trimStart().startsWith('{')) {
    const values = text.split('\n').slice(0, previewRows).flatMap(objectIn)
    const columns = [...new Set(values.flatMap((value) => Object.keys(value)))]
    const rows = values.map((value) => columns.map((name) => asText(value[name])))
    return { format: 'ndjson', delimiter: '', columns, rows, headerBytes: 0, headerLines: 0 }
  }
  const unquoted = text.trimStart().replaceAll(/"[^"]*"/g, '')
  const [firstLine = ''] = unquoted.split('\n', 1)
  // As old Macs end lines: all of it would be the header.
  if (/\r./.test(firstLine)) {
    throw new Error('The lines of this file end with carriage returns alone. In a spreadsheet, save it as “CSV UTF-8”.')
  }
  const delimiter = detectDelimiter(firstLine)
  const { rows, headerLength } = parseRows(text, delimiter, previewRows + 1)
  const [columns = [], ...others] = rows
  // Bytes, not characters; with the byte order mark, if the file has one.
  const mark = new Uint8Array(await file.slice(0, 3).arrayBuffer())
  const header = text.slice(0, headerLength)
  const headerBytes = new TextEncoder().encode(header).length + (mark[0] === 0xef ? 3 : 0)
  const headerLines = Math.max(1, header.split('\n').length - 1)
  return { format: 'csv', delimiter, columns, rows: others, headerBytes, headerLines }
}

/** The file with other names in its header. It keeps its lines, because errors name them by their numbers. */
export const withHeader = (
  file: File,
  { delimiter, headerBytes, headerLines }: FileHead,
  names: readonly string[],
): Blob => new Blob([names.join(delimiter), '\n'.repeat(headerLines), file.slice(headerBytes)])

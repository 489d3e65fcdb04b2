/** The bytes of one row of a file, without its line end. */
export interface RowPlace {
  readonly start: number
  readonly end: number
  /** The line of the file on which it begins; the first is 1. */
  readonly line: number
}

export type FileFormat = 'csv' | 'ndjson'

const newline = 0x0a
const quote = 0x22
const carriageReturn = 0x0d

/** A row longer than this is refused. */
export const maxRowBytes = 1024 * 1024
/** A row with more columns is refused. */
export const maxColumns = 200

/** Where in a cell the next byte stands: `closed` follows a quote that may have closed the cell, or is the first of two. */
type Place = 'start' | 'plain' | 'quoted' | 'closed'

/**
 * Finds where the rows of a file begin and end, in one pass over its bytes, so that each of them can be counted, limited and
 * found again after a kill. What stands in them is for the parser. A quote counts only at the start of a cell (RFC 4180).
 */
export class RowScanner {
  readonly #isCsv: boolean
  readonly #delimiter: number
  /** The position in the file of the next byte. */
  #at: number
  #line: number
  #start: number
  #startLine: number
  #place: Place = 'start'
  #lastByte = newline
  #quoteLine = 0

  constructor(format: FileFormat, delimiter: string, from: { readonly at: number; readonly line: number }) {
    this.#isCsv = format === 'csv'
    this.#delimiter = delimiter.charCodeAt(0)
    this.#at = from.at
    this.#start = from.at
    this.#line = from.line
    this.#startLine = from.line
  }

  /** The length so far of the row that has not ended yet, and the line on which it begins. */
  get open(): { readonly bytes: number; readonly line: number } {
    return { bytes: this.#at - this.#start, line: this.#startLine }
  }

  /** The line on which a quote opened that has not closed; undefined if there is none. */
  get openQuote(): number | undefined {
    return this.#place === 'quoted' ? this.#quoteLine : undefined
  }

  /** Where the file goes on after the last whole row. */
  get position(): { readonly at: number; readonly line: number } {
    return { at: this.#start, line: this.#startLine }
  }

  /** Reads the next bytes of the file and returns the rows that end in them. Empty lines are skipped. */
  scan(bytes: Buffer): RowPlace[] {
    const rows: RowPlace[] = []
    const base = this.#at
    let place = this.#place
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte === newline) {
        this.#line++
        if (place === 'quoted') continue
        const before = at > 0 ? bytes[at - 1] : this.#lastByte
        this.#endRow(rows, base + at - (before === carriageReturn ? 1 : 0))
        this.#start = base + at + 1
        this.#startLine = this.#line
        place = 'start'
      } else if (byte === quote) {
        if (place === 'quoted') place = 'closed'
        else if (this.#isCsv && place !== 'plain') {
          if (place === 'start') this.#quoteLine = this.#line
          place = 'quoted'
        }
      } else if (place !== 'quoted') place = byte === this.#delimiter ? 'start' : 'plain'
    }
    this.#place = place
    this.#at = base + bytes.length
    this.#lastByte = bytes[bytes.length - 1] ?? this.#lastByte
    return rows
  }

  /** The row at the end of the file, if it has no line end. */
  finish(): RowPlace[] {
    const rows: RowPlace[] = []
    this.#endRow(rows, this.#at)
    this.#start = this.#at
    return rows
  }

  #endRow(rows: RowPlace[], end: number): void {
    if (end > this.#start) rows.push({ start: this.#start, end, line: this.#startLine })
  }
}

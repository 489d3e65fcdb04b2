import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { parse as createParser, type Options } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import type { Context } from '../../core/context.ts'
import { withoutApostrophe } from '../../core/csv.ts'
import { compileDraft, Draft } from '../../core/draft.ts'
import { createYielder } from '../../core/yielder.ts'
import { readUpload } from '../jobs/uploads.ts'
import { clearable, columns, ImportRow, ignoredColumns } from './import.schemas.ts'
import type { ReceivedFile } from './receive.ts'
import { maxColumns, maxRowBytes, type RowPlace, RowScanner } from './rows.ts'

/** Where a job stands in its file. */
export interface Position {
  readonly at: number
  readonly line: number
}

/** A row as the rules see it. */
export interface ReadRow {
  readonly line: number
  readonly draft: Draft<ImportRow>
}

type File = Pick<ReceivedFile, 'upload' | 'format' | 'columns' | 'delimiter'> & { readonly ignoreUnknown: boolean }

const windowBytes = 128 * 1024
/** How much is searched for rows in one go. */
const scannedAtOnce = 64 * 1024
/** How many rows, and how much of them, is parsed in one go, during which nobody else is answered. */
const parsedAtOnce = { rows: 50, bytes: 64 * 1024 }

const readRow = compileDraft(ImportRow)

/** Reads up to `limit` rows from a position, and returns where the next ones begin. */
export async function readRows(
  ctx: Context,
  file: File,
  from: Position,
  limit: number,
): Promise<{ rows: ReadRow[]; position: Position; isEnd: boolean }> {
  const scanner = new RowScanner(file.format, file.delimiter, from)
  const places: RowPlace[] = []
  const yieldNow = createYielder()
  let bytes: Buffer = Buffer.alloc(0)
  let isEnd = false
  // A row is at most as long as was checked when the file came, so this ends.
  while (places.length < limit && !isEnd && (places.length === 0 || bytes.length < maxRowBytes)) {
    const more = await readUpload(ctx, file.upload, from.at + bytes.length, windowBytes)
    bytes = bytes.length === 0 ? more : Buffer.concat([bytes, more])
    for (let at = 0; at < more.length; at += scannedAtOnce) {
      places.push(...scanner.scan(more.subarray(at, at + scannedAtOnce)))
      await yieldNow()
    }
    isEnd = more.length < windowBytes
  }
  if (isEnd) places.push(...scanner.finish())
  const taken = places.slice(0, limit)
  const next = places[limit]
  const position = next === undefined ? scanner.position : { at: next.start, line: next.line }
  const rows = await parseRows(file, bytes, from.at, taken)
  return { rows, position, isEnd: isEnd && next === undefined }
}

async function parseRows(file: File, bytes: Buffer, base: number, places: readonly RowPlace[]): Promise<ReadRow[]> {
  const yieldNow = createYielder()
  const rows: ReadRow[] = []
  for (const part of partsOf(places)) {
    const texts = part.map(({ start, end }) => bytes.subarray(start - base, end - base))
    const drafts =
      file.format === 'ndjson'
        ? texts.map((text) => ofJson(text, file))
        : (await parseCsv(file, texts)).map((cells) => ofRecord(cells, file))
    rows.push(...part.map(({ line }, index) => ({ line, draft: drafts[index] as Draft<ImportRow> })))
    await yieldNow()
  }
  return rows
}

/** What is parsed in one go; a longer row makes a part of its own. */
function* partsOf(places: readonly RowPlace[]): Generator<RowPlace[]> {
  let part: RowPlace[] = []
  for (const place of places) {
    const start = part[0]?.start ?? place.start
    if (part.length === parsedAtOnce.rows || (part.length > 0 && place.end - start > parsedAtOnce.bytes)) {
      yield part
      part = []
    }
    part.push(place)
  }
  if (part.length > 0) yield part
}

/** The cells of each row; undefined for a row that is not CSV. */
async function parseCsv({ delimiter }: File, rows: readonly Buffer[]): Promise<(string[] | undefined)[]> {
  const options = { delimiter, relax_column_count: true, record_delimiter: ['\r\n', '\n'] }
  const [first] = rows
  if (first !== undefined && first.length > parsedAtOnce.bytes) return [await parseLongRow(first, options)]
  const newline = Buffer.from('\n')
  try {
    const records = parse(Buffer.concat(rows.flatMap((row) => [row, newline])), options)
    if (records.length === rows.length) return records
  } catch {
    // One of them is wrong: each is read alone.
  }
  return rows.map((row) => {
    try {
      return parse(row, options)[0]
    } catch {
      return undefined
    }
  })
}

/** The cells of one row, parsed piece by piece; undefined if it is not CSV. */
async function parseLongRow(row: Buffer, options: Options): Promise<string[] | undefined> {
  const pieces = async function* () {
    for (let at = 0; at < row.length; at += parsedAtOnce.bytes) {
      yield row.subarray(at, at + parsedAtOnce.bytes)
      await setImmediate()
    }
  }
  const records: string[][] = []
  const keep = async (parsed: AsyncIterable<string[]>) => {
    for await (const record of parsed) records.push(record)
  }
  try {
    await pipeline(pieces, createParser(options), keep)
    return records[0]
  } catch {
    return undefined
  }
}

const rejected = (message: string): Draft<ImportRow> => {
  const draft = new Draft<ImportRow>({})
  draft.reject('row', message)
  return draft
}

const tooManyColumns = () => rejected(`The row must not have more than ${maxColumns} columns.`)

function ofRecord(cells: readonly string[] | undefined, { columns: names }: File): Draft<ImportRow> {
  if (cells === undefined) return rejected('The row is not valid CSV: a quote stands in the wrong place.')
  if (cells.length > maxColumns) return tooManyColumns()
  if (cells.length > names.length && cells.slice(names.length).some((cell) => cell.trim() !== ''))
    return rejected(`The row has ${cells.length} cells, but the header has ${names.length}.`)
  const given: Record<string, string> = {}
  names.forEach((name, at) => {
    const cell = cells[at] ?? ''
    if (name !== null && cell.trim() !== '') given[name] = withoutApostrophe(cell)
  })
  return readRow(given)
}

function ofJson(bytes: Buffer, { ignoreUnknown }: File): Draft<ImportRow> {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString())
  } catch {
    return rejected('The line is not valid JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return rejected('The line must be a JSON object.')
  const members = Object.entries(value)
  if (members.length > maxColumns) return tooManyColumns()
  const given: Record<string, unknown> = {}
  const unknown: string[] = []
  for (const [name, field] of members) {
    if (columns.includes(name)) {
      if ((field !== null && field !== '') || name === 'email' || clearable.has(name)) given[name] = field
    } else if (!ignoredColumns.includes(name) && !ignoreUnknown) unknown.push(name)
  }
  const draft = readRow(given)
  for (const name of unknown.slice(0, 20)) draft.reject(name.slice(0, 100), 'This field is unknown.')
  return draft
}

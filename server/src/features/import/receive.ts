import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import type { Context } from '../../core/context.ts'
import { errors, validationFailed } from '../../core/errors.ts'
import { excerpts } from '../../core/excerpt.ts'
import { countLines } from '../../core/text.ts'
import { createUpload, type Upload } from '../jobs/uploads.ts'
import { columns, ignoredColumns } from './import.schemas.ts'
import { type FileFormat, maxColumns, maxRowBytes, type RowPlace, RowScanner } from './rows.ts'

/** What is known of a file once all of it is there. */
export interface ReceivedFile {
  readonly upload: string
  readonly format: FileFormat
  /** Of CSV: the names in its header, null for columns that are ignored. */
  readonly columns: readonly (string | null)[]
  readonly delimiter: string
  /** Where the first row begins. */
  readonly from: { readonly at: number; readonly line: number }
  readonly rows: number
  /** SHA-256 of its bytes. */
  readonly digest: Buffer
}

export interface ReceiveOptions {
  readonly format: FileFormat
  readonly isGzip: boolean
  readonly ignoreUnknown: boolean
  readonly idleMs?: number | undefined
  readonly maxBytes?: number
}

/** 4 GiB, also of what was packed. */
const defaultMaxBytes = 4 * 1024 ** 3
/** A longer header is refused: it is read in one go, during which nobody else is answered. */
const maxHeaderBytes = 64 * 1024
const bom = Buffer.from([0xef, 0xbb, 0xbf])

const refuse = (message: string) => validationFailed({ file: [message] })
const tooLong = (line: number) => refuse(`Line ${line} is longer than 1 MiB.`)
const notUtf8 = (line: number) =>
  errors.malformed_request(`The file is not valid UTF-8 (near line ${line}). Save it as UTF-8 and send it again.`)

/** How many bytes at the end of a chunk may begin a character that continues in the next one. */
function incompleteEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0
  }
  return 0
}

const withoutQuoted = (header: string): string => header.replaceAll(/"[^"]*"/g, '')

/** The delimiter that the header has most often outside of quotes; throws 422 where that makes too many columns. */
function detectDelimiter(header: string): string {
  const bare = withoutQuoted(header)
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: bare.split(delimiter).length }))
  const { delimiter, count } = counts.reduce((best, one) => (one.count > best.count ? one : best))
  if (count > maxColumns) throw refuse(`The file must not have more than ${maxColumns} columns.`)
  return delimiter
}

/** As old Macs end lines: the whole file would be its header, and its import would do nothing. */
function refuseLoneReturns(header: string): void {
  if (/\r./.test(withoutQuoted(header)))
    throw refuse(
      'The lines end with a carriage return (CR) alone. Save the file with LF or CR LF at the ends of lines.',
    )
}

/** The columns of a header; throws 422 that names those that are unknown. */
function readHeader(header: string, delimiter: string, ignoreUnknown: boolean): (string | null)[] {
  let cells: string[]
  try {
    cells = parse(header, { delimiter })[0] ?? []
  } catch {
    throw refuse('The header line cannot be read as CSV.')
  }
  const names = cells.map((cell) => cell.trim().toLowerCase())
  const known = names.map((name) => (columns.includes(name) ? name : null))
  const unknown = cells.filter((_, at) => known[at] === null && !ignoredColumns.includes(names[at] ?? ''))
  if (unknown.length > 0 && !ignoreUnknown) {
    throw validationFailed({
      columns: [
        `Unknown columns: ${excerpts(unknown)}. Remove or rename them, or ignore them with --ignore-unknown (HTTP: ignore_unknown=1). Known: ${columns.join(', ')}.`,
      ],
    })
  }
  const twice = known.find((name, at) => name !== null && known.indexOf(name) !== at)
  if (twice != null) throw validationFailed({ columns: [`The column ${twice} stands in the header twice.`] })
  if (!known.includes('email')) throw validationFailed({ columns: ['The column email is missing in the header.'] })
  return known
}

/** Looks at a file while it arrives: what can never be imported is refused before all of it was sent. */
class FileCheck {
  readonly #options: ReceiveOptions
  #scanner: RowScanner | undefined
  #head: Buffer = Buffer.alloc(0)
  #rest: Buffer = Buffer.alloc(0)
  #bytes = 0
  rows = 0
  columns: (string | null)[] = []
  delimiter = ','
  from = { at: 0, line: 1 }
  readonly #digest = createHash('sha256')

  constructor(options: ReceiveOptions) {
    this.#options = options
  }

  take(bytes: Buffer): void {
    this.#bytes += bytes.length
    if (this.#bytes > (this.#options.maxBytes ?? defaultMaxBytes))
      throw errors.payload_too_large('The file must not be larger than 4 GiB.')
    this.#checkEncoding(bytes)
    this.#digest.update(bytes)
    this.#scan(bytes)
  }

  #checkEncoding(bytes: Buffer): void {
    const joined = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const open = incompleteEnd(joined)
    if (!isUtf8(joined.subarray(0, joined.length - open))) throw notUtf8(this.#scanner?.open.line ?? 1)
    this.#rest = Buffer.from(joined.subarray(joined.length - open))
  }

  #scan(bytes: Buffer): void {
    if (this.#scanner !== undefined || this.#options.format === 'ndjson') {
      this.#scanner ??= new RowScanner(this.#options.format, this.delimiter, this.from)
      this.#count(this.#scanner.scan(bytes))
    } else {
      this.#head = Buffer.concat([this.#head, bytes])
      this.#beginAfterHeader(false)
    }
    const open = this.#scanner?.open
    if (open !== undefined && open.bytes > maxRowBytes) throw tooLong(open.line)
  }

  #count(rows: readonly RowPlace[]): void {
    const long = rows.find(({ start, end }) => end - start > maxRowBytes)
    if (long !== undefined) throw tooLong(long.line)
    this.rows += rows.length
  }

  /** Reads the header once its line is whole, and scans what came after it. */
  #beginAfterHeader(isEnd: boolean): void {
    const end = headerEnd(this.#head)
    if (end === undefined && !isEnd && this.#head.length <= maxHeaderBytes) return
    const header = this.#head.subarray(0, end ?? this.#head.length)
    const text = header.toString()
    refuseLoneReturns(text)
    this.delimiter = detectDelimiter(text)
    if (header.length > maxHeaderBytes) throw refuse('The header is longer than 64 KiB.')
    this.columns = readHeader(text, this.delimiter, this.#options.ignoreUnknown)
    this.from = { at: header.length, line: 1 + countLines(header) }
    this.#scanner = new RowScanner('csv', this.delimiter, this.from)
    this.#count(this.#scanner.scan(this.#head.subarray(header.length)))
    this.#head = Buffer.alloc(0)
  }

  /** Throws if the file ends in the middle of something. */
  finish(upload: string): ReceivedFile {
    if (this.#rest.length > 0) throw notUtf8(this.#scanner?.open.line ?? 1)
    if (this.#bytes === 0) throw refuse('The file is empty.')
    if (this.#scanner === undefined) this.#beginAfterHeader(true)
    const quoteLine = this.#scanner?.openQuote
    if (quoteLine !== undefined) throw refuse(`The quote that opens on line ${quoteLine} never closes.`)
    this.rows += this.#scanner?.finish().length ?? 0
    const { columns, delimiter, from, rows } = this
    return { upload, format: this.#options.format, columns, delimiter, from, rows, digest: this.#digest.digest() }
  }
}

/** Where the first line ends outside of quoted cells; undefined if the end has not arrived yet. */
function headerEnd(bytes: Buffer): number | undefined {
  let isQuoted = false
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 0x22) isQuoted = !isQuoted
    else if (bytes[at] === 0x0a && !isQuoted) return at + 1
  }
  return undefined
}

/** Receives a file and keeps it. Nothing of it stays if it is refused, or cut. */
export async function receiveFile(ctx: Context, body: Readable, options: ReceiveOptions): Promise<ReceivedFile> {
  const check = new FileCheck(options)
  const upload = await createUpload(ctx)
  try {
    for await (const bytes of withoutMark(piecesOf(body, options))) {
      check.take(bytes)
      await upload.write(bytes)
    }
    const file = check.finish(upload.name)
    await upload.finish()
    return file
  } catch (error) {
    await discard(upload)
    throw asRefusal(error)
  }
}

const discard = (upload: Upload) => upload.discard().catch(() => {})

/** The pieces of a body as they come. The rest of a refused one is discarded elsewhere: to destroy it would cut the answer off. */
async function* arriving(body: Readable, idleMs = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  const pieces = body.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      const late = Promise.withResolvers<never>()
      const isBounded = idleMs !== Number.POSITIVE_INFINITY
      const timer = isBounded ? setTimeout(() => late.reject(errors.request_timeout()), idleMs) : undefined
      const next = await Promise.race([pieces.next(), late.promise]).finally(() => clearTimeout(timer))
      if (next.done === true) return
      yield next.value as Buffer
    }
  } finally {
    // Lets go of the body, so that the rest can be discarded. Not waited for, because a piece may still be pending.
    pieces.return?.().catch(() => {})
  }
}

/** The pieces without a byte order mark, which may arrive in pieces itself. */
async function* withoutMark(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const piece of pieces) {
    if (head === undefined) {
      yield piece
      continue
    }
    head = Buffer.concat([head, piece])
    if (head.length < bom.length) continue
    yield head.subarray(0, bom.length).equals(bom) ? head.subarray(bom.length) : head
    head = undefined
  }
  if (head !== undefined) yield head
}

async function* piecesOf(body: Readable, { isGzip, idleMs }: ReceiveOptions): AsyncGenerator<Buffer> {
  const source = arriving(body, idleMs)
  if (!isGzip) return yield* source
  const gunzip = createGunzip()
  pipeline(source, gunzip, () => {}) // an error of the source ends the reader below, too
  yield* gunzip
}

function asRefusal(error: unknown): unknown {
  const { code, status } = error as { code?: string; status?: number }
  if (status !== undefined) return error
  if (code?.startsWith('Z_') === true) return errors.malformed_request('The body is not valid gzip.')
  if (code === 'ENOSPC') return errors.unavailable('There is no room left for the file.')
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE' || (error as Error).message === 'cut')
    return errors.malformed_request('The file was cut.')
  return error
}

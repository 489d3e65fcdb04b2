import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { systemActor } from '../core/context.ts'
import { compileDraft } from '../core/draft.ts'
import { BulkUsers } from '../features/bulk/bulk.schemas.ts'
import { changeManyUsers } from '../features/bulk/bulk.service.ts'
import { openExport, recordExport } from '../features/export/export.ts'
import { importUsers } from '../features/import/import.service.ts'
import { parseImportOptions } from '../features/import/options.ts'
import type { FileFormat } from '../features/import/rows.ts'
import { roleIdOf } from './find-role.ts'
import { followJob } from './follow-job.ts'
import { withExisting, withNewOrExisting } from './open.ts'
import { CommandFailed } from './run-failure.ts'
import { writeWhole } from './write-whole.ts'

export interface ImportCommandOptions {
  dryRun?: true
  onConflict?: string
  ignoreUnknown?: true
  notify?: string
  hashParameters?: string
  format?: FileFormat
  json?: true
}

/** The first bytes of a stream, and the whole stream. */
async function peek(source: Readable): Promise<{ head: Buffer; body: Readable }> {
  const pieces = source[Symbol.asyncIterator]()
  const first = await pieces.next()
  const head = first.done === true ? Buffer.alloc(0) : Buffer.from(first.value)
  async function* all() {
    yield head
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value
  }
  return { head, body: Readable.from(all(), { objectMode: false }) }
}

const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b

/** By its name, or by its first character. */
function formatOf(path: string, head: Buffer): FileFormat {
  if (/\.(ndjson|jsonl)(\.gz)?$/.test(path)) return 'ndjson'
  return !isGzip(head) && head.toString().trimStart().startsWith('{') ? 'ndjson' : 'csv'
}

/** The file as a stream whose errors name it: the error for a folder comes at the first read and has no path. */
const openFile = (path: string) => createReadStream(path).once('error', (error) => Object.assign(error, { path }))

export async function importUsersCommand(path: string, options: ImportCommandOptions): Promise<void> {
  const query = new URLSearchParams()
  if (options.dryRun) query.set('dry_run', '1')
  if (options.ignoreUnknown) query.set('ignore_unknown', '1')
  if (options.onConflict !== undefined) query.set('on_conflict', options.onConflict)
  if (options.notify !== undefined) query.set('notify', options.notify)
  const parameters = options.hashParameters
  if (parameters !== undefined)
    query.set('hash_parameters', parameters.startsWith('@') ? await text(openFile(parameters.slice(1))) : parameters)
  const parsed = parseImportOptions(query)
  const { head, body } = await peek(path === '-' ? process.stdin : openFile(path))
  const format = options.format ?? formatOf(path, head)
  const open = options.dryRun ? withExisting : withNewOrExisting
  await open(async (ctx) => {
    const job = await importUsers(ctx, systemActor, { body, format, isGzip: isGzip(head) }, parsed)
    await followJob(ctx, job.id, options.json === true)
  })
}

/** Of `--filter status=Active`: a filter of the list. */
export type Filter = readonly [name: string, value: string]

export interface ExportCommandOptions {
  format: string
  fields?: string
  filter: Filter[]
  sort?: string
  output?: string
  withPasswordHashes?: true
}

export async function exportUsersCommand(options: ExportCommandOptions): Promise<void> {
  const query = new URLSearchParams({ format: options.format })
  if (options.fields !== undefined) query.set('fields', options.fields)
  if (options.sort !== undefined) query.set('sort', options.sort)
  for (const [name, value] of options.filter) query.append(`filter[${name}]`, value)
  await withExisting(async (ctx) => {
    const opened = openExport(ctx, query, { withPasswordHashes: options.withPasswordHashes === true })
    const pieces = counted(opened.pieces())
    const record = () => ctx.transaction(systemActor, (tx) => recordExport(tx, opened))
    if (options.output !== undefined && options.output !== '-') return writeWhole(options.output, pieces, record)
    await record()
    // Standard output stays open for whoever writes after us. `… | head` closes it: that is no failure to report.
    await pipeline(pieces, process.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EPIPE' ? new CommandFailed() : error
    })
  })
}

const mib = 1024 * 1024

/** Says on standard error how much was written, at every 16 MiB and at the end. */
async function* counted(pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  let told = 0
  for await (const piece of pieces) {
    bytes += piece.length
    yield piece
    if (bytes - told < 16 * mib) continue
    told = bytes
    process.stderr.write(`${Math.floor(bytes / mib)} MiB are written\n`)
  }
  process.stderr.write(`${(bytes / mib).toFixed(1)} MiB are written; that is all.\n`)
}

export interface BulkCommandOptions {
  ids?: string
  filter: Filter[]
  expected: number
  role?: string
  roleId?: number
  json?: true
}

const readBulk = compileDraft(BulkUsers)

export async function bulkUsersCommand(action: string, options: BulkCommandOptions): Promise<void> {
  await withExisting(async (ctx) => {
    const body: Record<string, unknown> = { action, expected: options.expected }
    if (options.roleId !== undefined) body.role_id = options.roleId
    else if (options.role !== undefined) body.role_id = await roleIdOf(ctx.db, options.role)
    if (options.ids !== undefined) body.ids = options.ids.split(',').map((id) => id.trim())
    if (options.filter.length > 0) {
      const filter: Record<string, string[]> = {}
      for (const [name, value] of options.filter) filter[name] = [...(filter[name] ?? []), value]
      body.filter = filter
    }
    const job = await changeManyUsers(ctx, systemActor, readBulk(body))
    await followJob(ctx, job.id, options.json === true)
  })
}

import { Readable } from 'node:stream'
import type { Actor, Context } from '../../core/context.ts'
import { toLine } from '../../core/csv.ts'
import { busyFor, validationFailed } from '../../core/errors.ts'
import { excerpts } from '../../core/excerpt.ts'
import { createSharedPlaces } from '../../core/shared-slots.ts'
import { toDate } from '../../core/time.ts'
import { isPostgres } from '../../db/dialect.ts'
import { chooseAside, streamRows } from '../../db/direct.ts'
import { formatOf } from '../../http/format-parameter.ts'
import { concat, fragment, numberedFor, quoted, whereAll } from '../../http/lists/fragment.ts'
import { parseUnpaged } from '../../http/lists/request.ts'
import { orderBy } from '../../http/lists/slice.ts'
import { filterConditions } from '../../http/lists/spec.ts'
import { shownColumns } from '../accounts/users.table.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { userJson, userList } from '../users/users.list.ts'
import type { ExportFormat, RenderOptions } from './render.ts'

export interface Export {
  readonly format: ExportFormat
  readonly fields: readonly string[]
  /** The name of the file. */
  readonly name: string
  readonly type: string
  /** The text in UTF-8, piece by piece. */
  readonly pieces: () => AsyncGenerator<Uint8Array>
}

const types = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson; charset=utf-8' } as const
const fieldNames: readonly string[] = shownColumns

/**
 * How many are sent at a time by this process: each holds a thread, or a connection to the database. Whoever reads slowly
 * leaves a place to others.
 */
const places = { all: 3, each: { user: 2 } }
const takePlace = createSharedPlaces(places, () => busyFor(5, 'Other exports are running. Try again later.'))

/** Gives the place back before the answer ends, so that whoever has the whole file can ask for another one. */
async function* leaving(pieces: AsyncIterable<Uint8Array>, leave: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces
  } finally {
    leave()
  }
}

function parseFields(query: URLSearchParams, allowed: readonly string[]): readonly string[] {
  const given = [...query.getAll('fields'), ...query.getAll('fields[]')].flatMap((text) => text.split(','))
  const names = given.map((name) => name.trim()).filter((name) => name !== '')
  const unknown = names.filter((name) => !allowed.includes(name))
  if (unknown.length > 0) {
    throw validationFailed({ fields: [`Unknown fields: ${excerpts(unknown)}. Allowed: ${allowed.join(', ')}.`] })
  }
  return names.length === 0 ? allowed : names
}

/** Reads what is asked for: format, fields, and filters and sorts of the list. */
export function openExport(ctx: Context, query: URLSearchParams, { withPasswordHashes = false } = {}): Export {
  const { db, config } = ctx
  const format = formatOf(query, ['csv', 'ndjson'])
  const secret = withPasswordHashes ? ['password_hash'] : []
  const fields = [...new Set([...parseFields(query, [...fieldNames, ...secret]), ...secret])]
  const { filters, sort } = parseUnpaged(userList, query)
  const conditions = filterConditions(userList.filters, filters, db)
  // SQLite writes the JSON of a row in half the time that JavaScript needs to read its columns and serialise them.
  const isLine = format === 'ndjson' && !isPostgres(db)
  const columns = fragment(isLine ? `${userJson(fields, config)} as line` : fields.map(quoted).join(', '))
  const all = concat(
    fragment('select'),
    columns,
    fragment('from users'),
    whereAll(conditions),
    fragment(orderBy(sort, false)),
  )
  const options: RenderOptions = { format, fields, publicUrl: config.publicUrl }
  const renderer = { module: new URL('./render.ts', import.meta.url).href, options }
  return {
    format,
    fields,
    name: `users-${toDate(ctx.clock())}.${format}`,
    type: types[format],
    pieces: async function* () {
      if (format === 'csv') yield Buffer.from(toLine(fields))
      yield* streamRows(db, numberedFor(db, all), renderer)
    },
  }
}

/** The same for a caller, as a stream, with the event in the audit log. */
export async function exportUsers(
  ctx: Context,
  actor: Actor,
  query: URLSearchParams,
): Promise<Export & { readonly stream: Readable }> {
  const leave = takePlace({ user: String(actor.userId) })
  try {
    const opened = openExport({ ...ctx, db: await chooseAside(ctx.db, actor.userId) }, query)
    await ctx.transaction(actor, (tx) => recordExport(tx, opened))
    const stream = Readable.from(leaving(opened.pieces(), leave))
    return { ...opened, stream: stream.once('close', leave) } // one that is cut before its first piece never leaves by itself
  } catch (error) {
    leave()
    throw error
  }
}

/** Records in the audit log who exported the users. */
export const recordExport = (tx: Parameters<typeof recordActivity>[0], { format, fields }: Export): Promise<void> =>
  recordActivity(tx, tx.actor, 'users.exported', { type: 'users', id: null }, { format, fields: [...fields] })

import { ApiError, api, unwrap } from '../../../api/client.ts'
import type { User } from '../../session.ts'
import { exportedFields, type Lookup, textOf } from '../fields.tsx'
import { byteOrderMark, toLine } from './csv.ts'

export interface Progress {
  readonly done: number
  readonly total: number
  /** How long the server has asked to wait before it goes on. */
  readonly waitSeconds?: number
}

interface Options {
  /** `sort` and `filter[…]`, as the list has them. */
  readonly query: Record<string, string | number>
  readonly lookup: Lookup
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

const perPage = 100

const sleep = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

/** Walks the whole filtered list by cursor and makes a CSV file of it; a full limit of requests is waited for. */
export async function exportUsers({ query, lookup, signal, onProgress }: Options): Promise<Blob> {
  const toRow = (user: User) => exportedFields.map((field) => textOf(field, user, lookup))
  const parts: string[] = [byteOrderMark + toLine(exportedFields.map(({ name }) => name))]
  let done = 0
  let total = 0
  let cursor: string | null | undefined = ''
  while (cursor != null) {
    const page: Awaited<ReturnType<typeof fetchPage>> | number = await fetchPage(query, cursor, signal).catch(toWait)
    if (typeof page === 'number') {
      onProgress({ done, total, waitSeconds: page })
      await sleep(page * 1000, signal)
      continue
    }
    done += page.data.length
    total = page.meta.total
    parts.push(page.data.map((user) => toLine(toRow(user))).join(''))
    onProgress({ done, total })
    cursor = page.meta.next_cursor
  }
  return new Blob(parts, { type: 'text/csv;charset=utf-8' })
}

const fetchPage = (query: Options['query'], cursor: string, signal: AbortSignal) =>
  unwrap(
    api.GET('/users', {
      params: { query: { ...query, per_page: perPage, ...(cursor === '' ? {} : { cursor }) } },
      signal,
    }),
  )

/** How many seconds to wait before the same page is asked for again; every other failure ends the export. */
function toWait(error: unknown): number {
  if (error instanceof ApiError && (error.status === 429 || error.status === 503)) return error.retryAfterSeconds ?? 5
  throw error
}

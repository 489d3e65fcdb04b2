import { fetchFile, orCut } from '../../fetch-file.ts'

export interface Progress {
  readonly bytes: number
  readonly rows: number
}

interface Options {
  /** `sort` and `filter[…]`, as the list has them. */
  readonly query: Record<string, string | number>
  readonly format: 'csv' | 'ndjson'
  readonly fields: readonly string[]
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

const newline = 0x0a
/** So that what Excel opens is read as UTF-8. */
const byteOrderMark = '\uFEFF'

function countLines(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines++
  return lines
}

/** Has the server stream the whole filtered list. A stream that is cut is an error, never half a file. */
export async function exportUsers({ query, format, fields, signal, onProgress }: Options): Promise<Blob> {
  const all = new URLSearchParams({ format, fields: fields.join(',') })
  for (const [name, value] of Object.entries(query)) all.set(name, String(value))
  const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson'
  const { body } = await fetchFile(`/users/export?${all}`, type, signal)
  if (body === null) throw new Error('The users cannot be exported now.')
  const parts: BlobPart[] = format === 'csv' ? [byteOrderMark] : []
  let bytes = 0
  let rows = format === 'csv' ? -1 : 0
  for (const reader = body.getReader(); ; ) {
    const { value, done } = await orCut(reader.read())
    if (done) break
    parts.push(value)
    bytes += value.length
    rows += countLines(value)
    onProgress({ bytes, rows: Math.max(0, rows) })
  }
  return new Blob(parts, { type: `${type};charset=utf-8` })
}

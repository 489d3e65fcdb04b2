/*
 * The text format of PostgreSQL's COPY: a line for each row, a tab between values, `\N` for null. The rows of both databases
 * are written in it, so that they can be compared byte by byte.
 */

export type ColumnType = 'integer' | 'text' | 'bytes'

const special = /[\\\b\f\n\r\t\v]/
const letters: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}
const characters: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(letters).map(([character, escaped]) => [escaped.slice(1), character]),
)

function encodeValue(value: unknown): string {
  if (value === null) return '\\N'
  if (typeof value === 'string')
    return special.test(value)
      ? value.replaceAll(new RegExp(special, 'g'), (character) => letters[character] ?? '')
      : value
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`
  return String(value)
}

function decodeValue(text: string, type: ColumnType): string | number | Buffer | null {
  if (text === '\\N') return null
  if (type === 'integer') return Number(text)
  const value = text.includes('\\')
    ? text.replaceAll(/\\(.)/g, (_, letter: string) => characters[letter] ?? letter)
    : text
  return type === 'bytes' ? Buffer.from(value.slice(2), 'hex') : value
}

const chunkLength = 64 * 1024

/** Rows as chunks of whole lines. */
export function* encodeRows(rows: Iterable<readonly unknown[]>): Generator<Buffer> {
  let text = ''
  for (const row of rows) {
    let line = ''
    for (const [index, value] of row.entries()) line += index === 0 ? encodeValue(value) : `\t${encodeValue(value)}`
    text += `${line}\n`
    if (text.length < chunkLength) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}

/** The rows in chunks, which may be cut anywhere; some of them at a time. */
export async function* decodeRows(
  chunks: AsyncIterable<Buffer>,
  types: readonly ColumnType[],
): AsyncGenerator<(string | number | Buffer | null)[][]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield lines.map((line) => {
      const values = line.split('\t')
      if (values.length !== types.length)
        throw new Error(`a row has ${values.length} values instead of ${types.length}`)
      return values.map((value, index) => decodeValue(value, types[index] as ColumnType))
    })
  }
  if (rest !== '') throw new Error('the last row is cut')
}

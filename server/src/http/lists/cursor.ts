import { hash } from 'node:crypto'
import { errors } from '../../core/errors.ts'
import { isStorable } from '../../core/text.ts'
import type { ListRequest } from './request.ts'

/** A place in a list: the sort values of a row, and the direction in which to continue. */
export interface Position {
  readonly direction: 'forward' | 'backward'
  readonly values: readonly (string | number)[]
}

/** Binds a cursor to the list, sort and filter that it was made for. */
const sealOf = (request: ListRequest, payload: string): string => {
  const sort = request.sort.map(({ name, descending }) => [name, descending])
  const filters = [...request.filters].sort(([a], [b]) => (a < b ? -1 : 1))
  return hash('sha256', JSON.stringify([request.path, sort, filters, payload]), 'base64url').slice(0, 16)
}

export function encodeCursor(request: ListRequest, position: Position): string {
  const payload = Buffer.from(JSON.stringify([position.direction, ...position.values])).toString('base64url')
  return `${payload}.${sealOf(request, payload)}`
}

/** Throws `invalid_cursor` for one that was not issued here, or belongs to another list, sort or filter. */
export function decodeCursor(request: ListRequest, cursor: string): Position {
  const [payload = '', seal, ...rest] = cursor.split('.')
  if (rest.length > 0 || seal !== sealOf(request, payload)) throw errors.invalid_cursor()
  // The key need not be secret: a forged cursor is only a place in a list that the caller may read anyway.
  const [direction, ...values] = parsePayload(payload)
  const fits =
    values.length === request.sort.length &&
    values.every((value, index) =>
      request.sort[index]?.type === 'number'
        ? Number.isSafeInteger(value)
        : typeof value === 'string' && isStorable(value),
    )
  if (!fits || (direction !== 'forward' && direction !== 'backward')) throw errors.invalid_cursor()
  return { direction, values: values as (string | number)[] }
}

function parsePayload(payload: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

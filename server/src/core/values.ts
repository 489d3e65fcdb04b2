/** Reads values, as clients of this family of APIs send them, as the type of their field. Anything else stays unchanged. */

export interface FieldSchema {
  readonly type?: string | readonly string[]
  /** `password`: text is unchanged; an empty optional one counts as not sent. */
  readonly format?: string
  /** Text of digits that may come as a number; `six`: six of them, which it may lack the leading zeros of. */
  readonly 'x-digits'?: 'any' | 'six'
  readonly maxLength?: number
  readonly maxItems?: number
  readonly items?: FieldSchema
  /** Further texts that mean true. */
  readonly 'x-also-true'?: readonly string[]
  /** Text that is `''` when it is empty, and not null. */
  readonly 'x-may-be-empty'?: boolean
}

const booleans = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  [1, true],
  [0, false],
])

const isType = ({ type }: FieldSchema, name: string): boolean =>
  type === name || (Array.isArray(type) && type.includes(name))

function readInteger(text: string): number | string {
  if (!/^(?:0|-?[1-9]\d{0,15})$/.test(text)) return text
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : text
}

const readDecimal = (text: string): number | string =>
  /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/.test(text) ? Number(text) : text

const emptyOf = (schema: FieldSchema): '' | null => (schema['x-may-be-empty'] === true ? '' : null)

function readText(schema: FieldSchema, value: string): unknown {
  const text = value.trim()
  if (text === '') return emptyOf(schema)
  if (isType(schema, 'string')) return text
  if (isType(schema, 'integer')) return readInteger(value)
  if (isType(schema, 'number')) return readDecimal(value)
  if (isType(schema, 'boolean')) return schema['x-also-true']?.includes(value) ? true : (booleans.get(value) ?? value)
  return text
}

function readNumber(schema: FieldSchema, value: number): unknown {
  if (isType(schema, 'boolean')) return booleans.get(value) ?? value
  if (!Number.isSafeInteger(value) || value < 0 || isType(schema, 'integer')) return value
  if (schema['x-digits'] === 'any') return String(value)
  if (schema['x-digits'] === 'six' && value < 1_000_000) return String(value).padStart(6, '0')
  return value
}

/** A value as the type of its field: text is trimmed where the field is a text, and null if empty; passwords unchanged. */
export function readValue(schema: FieldSchema, value: unknown): unknown {
  if (typeof value === 'string') {
    return schema.format === 'password' ? value : readText(schema, value)
  }
  if (typeof value === 'number') return readNumber(schema, value)
  if (value === null) return emptyOf(schema)
  const { items } = schema
  if (!Array.isArray(value) || items === undefined || !isType(items, 'integer') || isType(items, 'string')) return value
  return value.map((item) => (typeof item === 'string' ? readInteger(item) : item))
}

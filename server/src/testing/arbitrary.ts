import fc, { type Arbitrary } from 'fast-check'

/** As much of JSON Schema as the bodies of our routes use. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly examples?: readonly unknown[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

/** Text that breaks things: controls, unpaired halves, what folds or normalises into something longer, patterns, markup. */
export const oddText = fc.oneof(
  fc.constantFrom(
    ...['\0', 'a\0b', '\ud800', 'x\udfff', '\udc00\ud800', '\u{1f469}\u200d\u{1f4bb}', 'ß', 'ſ', 'ı', 'İ', 'ΐ', 'ﬃ'],
    ...['ﷺ'],
    ...['%', '_', '\\', "'", '"', '""', "'; drop table users; --", '#{7*7}', '{{1}}', '<b>', '../..', '\r\nX-A: b'],
    ...['\u202e', '\ufeff', '\u00a0', '\u001f', 'a\u0300', '\u0345', 'x\u0301\u0327', 'ᏸ', 'ꭰ', '𐐀', '\u{10ffff}'],
    ...['\uffff'],
    ...['__proto__', 'constructor', 'toString', 'null', 'true', '0', '-1', '1e9', 'NaN', '', ' ', '\t\n'],
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
)

const numbers = [0, -0, -1, 1.5, 1e-9, 1e21, 1e308, -1e308, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 63, 2 ** 64]

/** An own property of that name, which an object literal would not make. */
const prototypeKey = fc.constantFrom('__proto__', 'constructor', 'prototype').map((name) => [name, { polluted: true }])

/** A value that hardly any field takes. */
const oddValue: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, [], {}, [[]], [null], '', '   ', ...numbers),
  oddText,
  fc.array(oddText, { maxLength: 3 }),
  fc.array(prototypeKey, { minLength: 1, maxLength: 2 }).map((entries) => Object.fromEntries(entries)),
  fc.integer({ min: 2, max: 1_000 }).map((depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown),
  fc.jsonValue({ maxDepth: 3 }),
)

const typesOf = ({ type = [] }: JsonSchema): readonly string[] => (typeof type === 'string' ? [type] : type)

/** Text of just such a length, one less or one more than allowed; astral characters count as one. */
const boundaryText = ({ minLength = 0, maxLength = 255 }: JsonSchema): Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(minLength - 1, minLength, maxLength, maxLength + 1, maxLength * 40),
      fc.constantFrom('a', 'é', '\u{1f600}', 'ﷺ', 'ΐ', '\ud800'),
    )
    .map(([length, character]) => character.repeat(Math.max(0, length)))

/** A field that is wrong in one of the ways that its schema forbids, or as near to it as can be. */
const brokenValue = (schema: JsonSchema): Arbitrary<unknown> => {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER, items, maxItems = 10 } = schema
  const types = typesOf(schema)
  const boundaries: Arbitrary<unknown>[] = []
  if (types.includes('string')) boundaries.push(boundaryText(schema), oddText)
  if (types.includes('integer')) boundaries.push(fc.constantFrom(minimum - 1, minimum, maximum, maximum + 1, '1'))
  if (items !== undefined) {
    boundaries.push(fc.array(fc.oneof(validValue(items), oddValue), { maxLength: 5 }))
    boundaries.push(fc.constantFrom(maxItems, maxItems + 1).map((length) => Array.from({ length }, () => 'x')))
  }
  return fc.oneof(oddValue, ...boundaries)
}

const number2 = (max: number) => fc.nat({ max }).map((number) => String(number).padStart(2, '0'))
const date = fc.tuple(fc.integer({ min: 1000, max: 9999 }), number2(13), number2(32)).map((parts) => parts.join('-'))
const names = ['ada', 'Grace', 'Ω', 'straße', 'ΣΊΣΥΦΟΣ', 'Zoë', 'i̇', '李', '\u{1f600}', 'A%_\\', "O'Neil", 'b,c']

const formats: Record<string, Arbitrary<string>> = {
  email: fc
    .tuple(
      fc.integer({ min: 1, max: 400 }),
      fc.constantFrom('example.com', 'EXAMPLE.com', 'xn--mnchen-3ya.de', 'münchen.de'),
    )
    .map(([number, domain]) => `user${number}@${domain}`),
  'http-url': fc.constantFrom('https://cdn.example.com/ada.png', 'http://[::1]:8/?a#b', 'https://münchen.de/ß'),
  date: fc.oneof({ weight: 5, arbitrary: fc.constantFrom('1990-12-10', '2000-02-29', '2026-01-15') }, date),
  timestamp: fc.oneof(
    fc.constant('2027-01-01 00:00:00'),
    fc.tuple(date, number2(24)).map(([day, hour]) => `${day} ${hour}:00:00`),
  ),
  password: fc.constantFrom('correct horse battery staple', 'пароль пароль', '\u{1f600}'.repeat(8)),
}

/** A value as the schema wants it; ids are small, so that some of them exist. */
function validValue(schema: JsonSchema): Arbitrary<unknown> {
  const { format = '', pattern, minLength = 0, maxLength = 255, minimum = 0, items } = schema
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const text =
    pattern !== undefined
      ? fc.stringMatching(new RegExp(pattern), { size: 'xsmall' })
      : fc.oneof(
          fc.constantFrom(...names),
          fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 8) }),
        )
  const byType: Record<string, Arbitrary<unknown>> = {
    string: formats[format] ?? text,
    integer: schema.minimum === undefined ? fc.constantFrom(826, 250) : fc.integer({ min: minimum, max: minimum + 2 }),
    boolean: fc.boolean(),
    null: fc.constant(null),
    array: items === undefined ? fc.constant([]) : fc.array(validValue(items), { maxLength: 4 }),
    object: fc.object({ maxDepth: 1 }),
  }
  const types = typesOf(schema)
  if (types.length === 0) return oddValue // a field that takes anything
  // What no general rule finds, such as phone numbers, the schema's own examples show.
  const examples = format === '' && pattern === undefined ? (schema.examples ?? []) : []
  const shown = examples.length === 0 ? [] : [fc.constantFrom(...examples)]
  return fc.oneof(...types.map((type) => byType[type] as Arbitrary<unknown>), ...shown)
}

const unknownField = fc.tuple(
  fc.constantFrom(
    ...['__proto__', 'constructor', 'toString', 'id', 'created_at', 'password_hash', 'removable', '', '\0'],
  ),
  oddValue,
)

/**
 * A body for a schema: the required fields and some of the others, each right but, in about half of the bodies, one or two
 * that are broken or left out, and now and then a field that nobody knows. What confirms a field repeats it.
 */
export function bodyFor(schema: JsonSchema): Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [] } = schema
  const fields = Object.keys(properties)
  if (fields.length === 0) return fc.dictionary(fc.string(), fc.jsonValue())
  const valid = fc
    .record(Object.fromEntries(fields.map((name) => [name, validValue(properties[name] as JsonSchema)])), {
      requiredKeys: fields.filter((name) => required.includes(name)),
    })
    .map((body) =>
      Object.fromEntries(
        Object.entries(body).map(([name, value]) => {
          const confirmed = name.replace(/_confirmation$/, '')
          return [name, confirmed !== name && confirmed in body ? body[confirmed] : value]
        }),
      ),
    )
  const wrong = fc.oneof(
    ...fields.map((name) => fc.tuple(fc.constant(name), brokenValue(properties[name] as JsonSchema))),
    fc.tuple(fc.constantFrom(...fields), fc.constant(undefined)),
    unknownField,
  )
  const faults = fc.oneof(fc.constant([]), fc.array(wrong, { minLength: 1, maxLength: 2 }))
  return fc.tuple(valid, faults).map(([body, entries]) => Object.fromEntries([...Object.entries(body), ...entries]))
}

/** What stands where a body should: broken JSON, other JSON, bytes that are no text, numbers beyond all bounds. */
export const oddBody: Arbitrary<string | Buffer> = fc.oneof(
  fc.constantFrom<string | Buffer>(
    ...['', 'null', 'true', '1', '""', '[]', '[{}]', '{', '{"a":}', '{"a":1,}', "{'a':1}", '\ufeff{}', 'undefined'],
    ...['{}{}'],
    ...['{"name":1e999}', '{"role_id":1e999}', '{"country_id":-1e999}', '{"permissions":[1e999]}'],
    ...['{"name":"a","name":1}'],
    ...['{"name":"\\ud800"}', '{"name":"\\u0000"}', '{"__proto__":{"name":"x"}}', '{"name":"a\nb"}'],
    ...[`{"role_id":${'9'.repeat(10_000)}}`, '['.repeat(200_000), `{"name":${'[{"a":'.repeat(20_000)}`],
    ...[
      Buffer.from('{"name":"\xff\xfe"}', 'latin1'),
      Buffer.from([0xef, 0xbb, 0xbf, 0xed, 0xa0, 0x80]),
      Buffer.alloc(64),
    ],
  ),
  fc.json(),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
)

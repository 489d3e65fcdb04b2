import fc, { type Arbitrary } from 'fast-check'
import { encodeCursor } from '../http/lists/cursor.ts'
import { bodyFor, type JsonSchema, oddBody, oddText } from './arbitrary.ts'
import { formOf } from './images.ts'

/** As much of a route as its requests are made from. */
export interface FuzzedRoute {
  /** As it was registered: `/api/users/:id`. */
  readonly url: string
  readonly schema: { readonly body?: JsonSchema; readonly querystring?: JsonSchema }
}

export interface FuzzedRequest {
  readonly id: string
  /** With its question mark, percent-encoded or meant not to be. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON; a string or Buffer is sent as it is. */
  readonly body: unknown
}

const oddIds = [
  ...['0', '01', '-1', '1e3', '1.0', '0x1', '%31%00', '%00', '%ED%A0%80', '%', '%zz', '%2e%2e', '%2F', '%F0%9F'],
  ...['__proto__', '٣', '9007199254740991', '9007199254740993', '9223372036854775808', '999999', 'null', '1;x'],
  ...['%EF%BC%91', '\u00ff'],
  ...['a'.repeat(199), '9'.repeat(250), '%41'.repeat(300)],
].map((id) => Buffer.from(id).toString('latin1'))

const oddNames = [
  ...['filter', 'filter[', 'filter[]', 'filter[__proto__]', 'filter[constructor]', 'filter[id][x]'],
  ...[
    'filter[password_hash]',
    'sort[]',
    'include[]',
    '__proto__',
    'constructor',
    '',
    'page[size]',
    'q',
    '%00',
    '%ED%A0%80',
  ],
  ...['%', 'filter%5Bsearch%5D'],
]

const values = fc.oneof(
  fc.constantFrom(
    ...['id', '-created_at', 'updated_at,-id', 'first_name', 'name', '-email,last_name', 'role', 'country'],
    ...['role,country'],
    ...['1', '2', '1,2,3', '0', '-1', '1e3', '99999999', '999999999999999', '9007199254740993', 'Active', 'bANNED'],
    ...['a', 'exa'],
    ...['2026-01-15', '2026-02-30', '2026-01-15+12:00:00', 'user.created', 'user1@example.com', '1,'.repeat(2_000)],
    ...['%00', 'a%00b', '%ED%A0%80', '%ED%A0%BD%ED%B8%80', '%', '%zz', '%C3', '%u0041', '+', '%2525', ',', '-'],
    ...['--id', '[]'],
  ),
  oddText.map((odd) => encodeURIComponent(odd.toWellFormed())),
)

/** With the right seal, which is no secret, around a position that no list ever gave out. */
const forgedCursor = (path: string): Arbitrary<string> =>
  fc
    .record({
      direction: fc.constantFrom('forward', 'backward', '__proto__') as Arbitrary<'forward'>,
      values: fc.array(fc.oneof(fc.constantFrom(0, -1, 1.5, 2 ** 53 - 1, 2 ** 63, 'a\0', '\ud800', ''), fc.integer()), {
        maxLength: 2,
      }),
      descending: fc.boolean(),
    })
    .map(({ descending, ...position }) => {
      const sort = [{ name: 'id', column: 'id', type: 'number', descending } as const]
      const request = { path, sort, filters: new Map(), includes: [], page: 1, perPage: 20, cursor: null }
      return `sort=${descending ? '-' : ''}id&cursor=${encodeCursor(request, position)}`
    })

function queryFor(route: FuzzedRoute): Arbitrary<string> {
  const known = Object.keys(route.schema.querystring?.properties ?? { page: {} })
  const name = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...known) }, fc.constantFrom(...oddNames))
  const parameter = fc.tuple(name, values).map((pair) => pair.join('='))
  const cursor = fc.constantFrom('cursor=x', 'cursor=.', 'cursor=a.b.c', 'cursor=W10.AAAAAAAAAAAAAAAA', 'cursor=%00')
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    { weight: 5, arbitrary: fc.array(parameter, { maxLength: 4 }).map((list) => `?${list.join('&')}`) },
    fc
      .tuple(fc.constantFrom(...known), fc.constantFrom('a', '1', 'id', 'role'), fc.constantFrom(2, 300, 700, 1_500))
      .map(([one, value, times]) => `?${`${one}=${value}&`.repeat(times)}`),
    fc.oneof(cursor, forgedCursor(route.url)).map((query) => `?${query}`),
  )
}

const noHeaders: Record<string, string> = {}
const oddHeaders = fc.oneof(
  { weight: 6, arbitrary: fc.constant(noHeaders) },
  fc.constantFrom<Record<string, string>>(
    ...[
      'text/plain',
      'application/json; charset=utf-16',
      'application/json;',
      'application/x-www-form-urlencoded',
      ';',
      '\xff',
    ]
      .concat([
        'multipart/form-data; boundary=x',
        'APPLICATION/JSON',
        'application/json, text/html',
        '__proto__',
        'a'.repeat(5_000),
      ])
      .map((type) => ({ 'content-type': type })),
    ...[
      '',
      'Bearer',
      'Bearer ',
      'Bearer \xff',
      'Basic YTpi',
      'bearer null',
      `Bearer ${'a'.repeat(6_000)}`,
      'Bearer gh_x, Bearer gh_y',
    ].map((authorization) => ({ authorization })),
    ...['evil.example', '', '[::1', 'a:b:c', '\xff', 'a'.repeat(3_000)].map((host) => ({ host })),
    { accept: 'application/xml' },
    { 'accept-encoding': 'gzip, br' },
    { 'content-encoding': 'gzip' },
    { 'accept-version': '9' },
    { 'x-request-id': '<script>' },
    { 'x-http-method-override': 'DELETE' },
    { 'user-agent': 'ÿ"\'\\ '.repeat(300) },
    { 'x-forwarded-for': '%,,::g' },
    { cookie: `a=${';'.repeat(4_000)}` },
    { expect: 'the unexpected' },
    { range: 'bytes=-1' },
    { 'if-none-match': '*' },
    { connection: 'upgrade', upgrade: 'websocket' },
    { 'x-long': 'a'.repeat(17_000) },
  ),
)

export const takesFile = ({ schema }: FuzzedRoute): boolean => schema.body?.properties?.file?.format === 'binary'

/** A form with the file, with another one, with none or with two of them. */
const formWith = (file: Buffer): Arbitrary<Buffer> => {
  const bytes = fc.oneof(fc.constant(file), fc.constant(file.subarray(0, file.length / 2)), fc.uint8Array())
  const part = fc.record({
    name: fc.constantFrom('file', 'file', 'file', 'File', '__proto__', ''),
    bytes: bytes.map((content) => Buffer.from(content)),
    filename: fc.constantFrom('a.png', '../../a.php', '', 'ü\0.svg'),
  })
  return fc.array(part, { maxLength: 2, size: 'max' }).map(formOf)
}

/** A request to a route; `ids` are those of objects that exist, `file` is one that forms take. */
export function requestTo(route: FuzzedRoute, ids: readonly string[], file: Buffer): Arbitrary<FuzzedRequest> {
  const { body } = route.schema
  return fc.record({
    id: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...ids) }, fc.constantFrom(...oddIds)),
    query: queryFor(route),
    headers: oddHeaders,
    body:
      body === undefined
        ? fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, oddBody)
        : fc.oneof({ weight: 8, arbitrary: takesFile(route) ? formWith(file) : bodyFor(body) }, oddBody),
  })
}

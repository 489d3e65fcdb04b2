import type * as Accounts from '../../server/src/testing/accounts.ts'
import type * as Messages from '../../server/src/testing/messages.ts'
import type * as Raw from '../../server/src/testing/raw-http.ts'
import { load, type Measure, withApp } from './measure.ts'

const post = (lines: string, body = '') => `POST /api/login HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n${body}`
const get = (lines: string, target = '/healthz') => `GET ${target} HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`

/** Requests that a proxy before the service may have parsed differently. */
const ambiguous = [
  ...['Host: x\r\nhOsT: evil.example', 'Host: x\r\nHost: x', 'Host: evil.example\r\nHost: x', 'A: b'].map((lines) =>
    get(lines),
  ),
  get('Host: x\r\nHost: y', '/api/users/%zz'),
  'GET /healthz HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n',
  ...['Host : x', 'Host: x\r\n A: b', 'Host: x\r\nA: b\nC: d', 'Host: x\r\nA\r\n: b'].map((lines) => get(lines)),
  post('Host: x\r\nContent-Length: 1\r\nContent-Length: 2', 'ab'),
  post('Host: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked', '0\r\n\r\n'),
  post('Host: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 1', '0\r\n\r\n'),
  post('Host: x\r\nTransfer-Encoding: chunked, identity', '0\r\n\r\n'),
  post('Host: x\r\nTransfer-Encoding : chunked', '0\r\n\r\n'),
  ...['-1', '+1', '0x1', '1 1', '1,1', ''].map((length) => post(`Host: x\r\nContent-Length: ${length}`, 'a')),
  post('Host: x\r\nTransfer-Encoding: chunked', '0x1\r\na\r\n0\r\n\r\n'),
  post('Host: x\r\nTransfer-Encoding: chunked', '-1\r\na\r\n0\r\n\r\n'),
]

const evil = 'evil.example'
/** What must not get into the link of a mail. */
const misleading: Record<string, string>[] = [
  { host: evil },
  { host: `${evil}:80` },
  { host: `gatehouse.test@${evil}` },
  ...['x-forwarded-host', 'x-host', 'x-forwarded-server', 'x-http-host-override', 'x-original-host', 'x-forwarded'].map(
    (name) => ({ [name]: evil }),
  ),
  { forwarded: `for=1.2.3.4;host=${evil};proto=https` },
  { 'x-forwarded-proto': 'https', 'x-forwarded-port': '444', 'x-forwarded-host': evil },
  { origin: `https://${evil}`, referer: `https://${evil}/` },
  { 'x-original-url': `//${evil}/`, 'x-rewrite-url': `//${evil}/` },
  { 'x-forwarded-prefix': `//${evil}` },
]

export const headers: Measure = {
  promise: 'an ambiguous request is 400; no header gets into the link of a mail',
  guards: {
    'one Host': [{ file: 'http/server.ts', find: 'return hosts === 1 ||', replace: 'return hosts >= 0 ||' }],
    'the strict parser': [
      {
        file: 'http/server.ts',
        find: 'http: { requireHostHeader: false }',
        replace: 'http: { requireHostHeader: false, insecureHTTPParser: true }',
      },
    ],
  },
  take: (stand) =>
    withApp(
      stand,
      async (t) => {
        const { sendRaw } = await load<typeof Raw>(stand, 'testing/raw-http.ts')
        const { createAccount } = await load<typeof Accounts>(stand, 'testing/accounts.ts')
        const { messageTo } = await load<typeof Messages>(stand, 'testing/messages.ts')
        const wrong: string[] = []
        for (const bytes of ambiguous) {
          const { status } = await sendRaw(t.app, bytes)
          if (status !== 400) wrong.push(`${status} to ${JSON.stringify(bytes.slice(0, 90))}`)
        }
        for (const lines of misleading) {
          const { user } = await createAccount(t)
          await t.call('POST /password/remind', { key: null, body: { email: user.email }, headers: lines })
          const { body_text } = await messageTo(t, user.email, 'reset-password')
          if (!body_text?.includes('http://gatehouse.test/reset-password#') || body_text.includes(evil)) {
            wrong.push(`a link with ${JSON.stringify(lines)}`)
          }
        }
        const figure = `${ambiguous.length} ambiguous requests and ${misleading.length} misleading headers, ${wrong.length} got through`
        return { figure: `${figure}${wrong[0] === undefined ? '' : ` (${wrong[0]})`}`, holds: wrong.length === 0 }
      },
      { GATEHOUSE_TRUST_PROXY: '127.0.0.1' },
    ),
}

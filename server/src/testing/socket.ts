import type { AddressInfo } from 'node:net'
import type { TestApp } from './app.ts'

/** `TestApp.call` over a socket, with this key unless another one is named. */
export const caller =
  (url: string, defaultKey: string): TestApp['call'] =>
  async (request, { key = defaultKey, body, headers = {}, ip } = {}) => {
    if (ip !== undefined) throw new Error('over a socket every request comes from 127.0.0.1')
    const [method = '', path = ''] = request.split(' ', 2)
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
    const response = await fetch(path.startsWith('//') ? url + path.slice(1) : `${url}/api${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== ''
    return {
      status: response.status,
      body: isJson ? JSON.parse(text) : undefined,
      text,
      headers: Object.fromEntries(response.headers),
    }
  }

/** The same app, called over a socket: what `inject` goes past, a connection goes through, e.g. the read transaction that the requests of one turn share. */
export async function overSocket(t: TestApp): Promise<TestApp> {
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = t.app.server.address() as AddressInfo
  return { ...t, call: caller(`http://127.0.0.1:${port}`, t.adminKey) }
}

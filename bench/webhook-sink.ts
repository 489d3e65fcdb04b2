import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * The receivers of webhooks in a separate process, named by the arguments: `slow` takes 2 s, `flaky` answers 500 every second time,
 * the others are quick. It tells its parent their ports, and whenever it is asked what they got.
 */

const slowMs = 2_000

interface Count {
  /** The greatest id that was taken, by subject. */
  readonly last: Map<number, number>
  readonly ids: Set<number>
  taken: number
  /** Messages that came after a later one about the same subject. */
  disordered: number
}

const counts = new Map<string, Count>()
let asked = 0

function countOf(path: string): Count {
  const known = counts.get(path)
  if (known !== undefined) return known
  const made = { last: new Map(), ids: new Set<number>(), taken: 0, disordered: 0 }
  counts.set(path, made)
  return made
}

function take(path: string, body: string): void {
  const { id, subject } = (JSON.parse(body) as { data: { id: number; subject: { id: number } } }).data
  const count = countOf(path)
  count.taken++
  if (!count.ids.has(id) && id < (count.last.get(subject.id) ?? 0)) count.disordered++
  count.ids.add(id)
  count.last.set(subject.id, Math.max(id, count.last.get(subject.id) ?? 0))
}

/** An endpoint with a port of its own, as another host would be. */
async function listen(path: string): Promise<number> {
  const server = createServer((request, response) => answer(path, request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

async function answer(path: string, request: IncomingMessage, response: ServerResponse) {
  const body = (await request.toArray()).join('')
  if (path === 'slow') await pause(slowMs)
  if (path === 'flaky' && asked++ % 2 === 0) return response.writeHead(500).end()
  take(path, body)
  return response.writeHead(204).end()
}

const read = () =>
  Object.fromEntries(
    [...counts].map(([path, { ids, taken, disordered }]) => [path, { different: ids.size, taken, disordered }]),
  )

const paths = process.argv.slice(2)
const ports = await Promise.all(paths.map(listen))
process.on('message', () => process.send?.(read()))
process.send?.(Object.fromEntries(paths.map((path, at) => [path, ports[at]])))
process.on('disconnect', () => process.exit())

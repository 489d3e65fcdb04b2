import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * The receivers of webhooks in a separate process: `/0`, `/1`, … are quick, `/slow` takes 2 s, `/flaky` answers 500 every second
 * time. It counts, and tells its parent what it has.
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

const server = createServer(async (request, response) => {
  const path = (request.url ?? '').slice(1)
  const body = (await request.toArray()).join('')
  if (path === 'slow') await pause(slowMs)
  if (path === 'flaky' && asked++ % 2 === 0) return response.writeHead(500).end()
  take(path, body)
  return response.writeHead(204).end()
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', () =>
  process.send?.(
    Object.fromEntries(
      [...counts].map(([path, { ids, taken, disordered }]) => [path, { different: ids.size, taken, disordered }]),
    ),
  ),
)
process.on('disconnect', () => process.exit())

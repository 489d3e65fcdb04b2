import type { ServerProcess } from '../../server/src/testing/server-process.ts'

interface Writes {
  /** How many write at the same time. */
  readonly clients: number
  /** How many answered writes to wait for. */
  readonly count: number
  /** Part of the names. */
  readonly label: string
  /** Gets the name of each role whose write was answered. */
  readonly answered: Set<string>
}

/** Creates roles in parallel until enough were answered; then calls `end`, which ends the server amid other writes. */
export async function writeRoles(
  server: ServerProcess,
  { clients, count, label, answered }: Writes,
  end: () => void,
): Promise<void> {
  const enough = answered.size + count
  const ended = Promise.withResolvers<void>()
  let isEnded = false
  const write = async (client: number): Promise<void> => {
    for (let number = 0; !isEnded; number++) {
      const name = `Role ${label} ${client} ${number}`
      const { status } = await server.call('POST /roles', { body: { name } })
      if (isEnded) return
      if (status === 201) answered.add(name)
      if (answered.size < enough) continue
      isEnded = true
      end()
      ended.resolve()
    }
  }
  const all = Array.from({ length: clients }, (_, client) => write(client))
  for (const one of all) {
    one.catch((error) => {
      if (!isEnded) ended.reject(error)
    })
  }
  await ended.promise
}

interface Role {
  readonly id: number
  readonly name: string
}

async function readAll<Row>(server: ServerProcess, path: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page++) {
    const { body } = await server.call(`GET ${path}per_page=100&page=${page}`)
    rows.push(...body.data)
    if (body.data.length < 100) return rows
  }
}

const readRoles = (server: ServerProcess) => readAll<Role>(server, '/roles?')

export const readRoleNames = async (server: ServerProcess): Promise<Set<string>> =>
  new Set((await readRoles(server)).map(({ name }) => name))

/** How long the feed may take to have every event that was committed. */
const feedMs = 10_000

/** The subjects of all `role.created` in the feed, as soon as there are this many. */
async function readCreatedInFeed(server: ServerProcess, expected: number): Promise<number[]> {
  const giveUpAt = performance.now() + feedMs
  const ids: number[] = []
  for (let after = ''; ids.length < expected && performance.now() < giveUpAt; ) {
    const { body } = await server.call(`GET /events?types=role.created&wait=1${after}`)
    for (const event of body.data) ids.push(event.data.subject.id)
    after = `&after=${encodeURIComponent(body.meta.next_cursor)}`
  }
  return ids
}

/** The names of all roles, and how many of them are not there once each in the audit log and in the feed of events. */
export async function readWritten(server: ServerProcess): Promise<{ names: Set<string>; halfWritten: number }> {
  const roles = (await readRoles(server)).filter(({ name }) => name.startsWith('Role '))
  const logged = await readAll<{ subject_id: number }>(server, '/activity?filter[event]=role.created&')
  const sent = await readCreatedInFeed(server, roles.length)
  const ids = new Set([...roles.map(({ id }) => id), ...logged.map((row) => row.subject_id), ...sent])
  const counts = [roles.map(({ id }) => id), logged.map((row) => row.subject_id), sent].map(countEach)
  const halfWritten = [...ids].filter((id) => counts.some((count) => count.get(id) !== 1)).length
  return { names: new Set(roles.map(({ name }) => name)), halfWritten }
}

function countEach(ids: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

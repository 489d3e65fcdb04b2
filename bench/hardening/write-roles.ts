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

export async function readRoleNames(server: ServerProcess): Promise<Set<string>> {
  const names = new Set<string>()
  for (let page = 1; ; page++) {
    const { body } = await server.call(`GET /roles?per_page=100&page=${page}`)
    for (const { name } of body.data) names.add(name)
    if (body.data.length < 100) return names
  }
}

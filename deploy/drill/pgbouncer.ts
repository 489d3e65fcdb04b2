import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { freePort } from '@gatehouse/plugin-kit/testing'
import { call, describe, header, makeFolder, type Node, readRoles, row, run, startNode } from './harness.ts'
import { startPostgres, userId } from './postgres.ts'

// Two nodes behind PgBouncer in transaction mode. Reads are compared with what was written; every hundredth request writes.
//
//   node deploy/drill/pgbouncer.ts                  # 100,000 reads; needs root and Debian's postgresql and pgbouncer
//   READS=5000 node deploy/drill/pgbouncer.ts
//   MAX_PREPARED=200 node deploy/drill/pgbouncer.ts # from PgBouncer 1.21 on: it keeps named statements
//
// The pooler has fewer connections to the server than the nodes have to it, so that every one is shared.

const reads = Number(process.env.READS ?? 100_000)
const users = 80
const clients = 8
const maxPrepared = process.env.MAX_PREPARED

const folder = makeFolder()
const postgres = await startPostgres('-c', 'fsync=off')
const port = await freePort()
const owner = userId()
const config = join(folder, 'pgbouncer.ini')
const lines = [
  '[databases]',
  `* = host=127.0.0.1 port=${postgres.port} user=postgres`,
  '[pgbouncer]',
  'listen_addr = 127.0.0.1',
  `listen_port = ${port}`,
  'unix_socket_dir =',
  'auth_type = any',
  'pool_mode = transaction',
  'default_pool_size = 6',
  'server_idle_timeout = 5',
  ...(maxPrepared === undefined ? [] : [`max_prepared_statements = ${maxPrepared}`]),
]
writeFileSync(config, `${lines.join('\n')}\n`)
chmodSync(folder, 0o755)
chownSync(config, owner.uid, owner.gid)
const pooler = run('pgbouncer', ['-q', config], {}, folder, owner)
const settings = { GATEHOUSE_DATABASE_URL: postgres.url(port) }

const nodes: Node[] = []
for (let nth = 0; nth < 2; nth++) nodes.push(await startNode(folder, await freePort(), settings))
const nodeOf = (nth: number): Node => nodes[nth % nodes.length] as Node

interface User {
  readonly id: number
  readonly email: string
  firstName: string
}
const known: User[] = []
for (let nth = 0; nth < users; nth++) {
  const email = `user${nth}@drill.test`
  const body = { email, first_name: `First ${nth}`, role_id: 2, password: 'correct horse battery staple' }
  const answer = await call(`${nodeOf(nth).url}/api/users`, 'POST', { ...body, password_confirmation: body.password })
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.body}`)
  known.push({ id: JSON.parse(answer.body).data.id, email, firstName: body.first_name })
}

const failures = new Map<string, number>()
const fail = (why: string) => failures.set(why, (failures.get(why) ?? 0) + 1)
let sent = 0
let wrong = 0
let writes = 0

/** Each client has users of its own, so that it knows what a read must answer. */
async function runClient(which: number): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const own = known.filter((_, at) => at % clients === which)
  while (sent < reads) {
    const nth = sent++
    const user = own[nth % own.length] as User
    try {
      if (nth % 100 === 0) {
        const firstName = `First ${nth}`
        const { status } = await call(
          `${nodeOf(nth / 100).url}/api/users/${user.id}`,
          'PATCH',
          { first_name: firstName },
          agent,
        )
        if (status === 200) user.firstName = firstName
        else fail(String(status))
        writes++
      }
      const path =
        nth % 4 === 0 ? `?filter[email]=${user.email}` : nth % 4 === 1 ? `/${user.id}?include=role` : `/${user.id}`
      const { status, body } = await call(`${nodeOf(nth).url}/api/users${path}`, 'GET', undefined, agent)
      if (status !== 200) fail(String(status))
      else {
        const { data } = JSON.parse(body)
        const found = Array.isArray(data) ? data[0] : data
        if (found?.id !== user.id || found.email !== user.email || found.first_name !== user.firstName) wrong++
      }
    } catch (error) {
      fail((error as { code?: string }).code ?? String(error))
    }
  }
  agent.destroy()
}

const begun = performance.now()
await Promise.all(Array.from({ length: clients }, (_, which) => runClient(which)))
const seconds = Math.round((performance.now() - begun) / 1_000)
// A second start migrates nothing and waits for no lock that a shared session has kept.
const third = await startNode(folder, await freePort(), settings)
const roles = (await readRoles(third.url)).size

header('nodes', 'connections to PgBouncer', 'to PostgreSQL', 'checked reads', 'wrong', 'failed', 'writes', 'seconds')
row(nodes.length, 'up to 22', 6, sent, wrong, describe(failures), writes, seconds)
for (const node of [...nodes, third]) await node.stop('SIGKILL')
pooler.kill('SIGKILL')
await postgres.stop()
process.exit(wrong === 0 && failures.size === 0 && roles > 0 ? 0 : 1)

import { setTimeout } from 'node:timers/promises'
import { freePort } from '@gatehouse/plugin-kit/testing'
import { call, describe, header, makeFolder, readRoles, row, startLoad, startNode, until } from './harness.ts'
import { type Machine, startCluster } from './patroni-cluster.ts'

// Failover between two PostgreSQL servers of Patroni, with a synchronous standby, while the service writes: the primary's
// machine dies, its network is cut, its PostgreSQL freezes.
//
//   unshare --net --mount node deploy/drill/patroni.ts          # all three
//   unshare --net --mount node deploy/drill/patroni.ts freezes  # one of dies, cut, freezes
//
// Needs root and Debian's postgresql, patroni, etcd-server, python3-etcd and python3-psycopg2.

process.on('SIGTERM', () => process.exit(1))
process.on('SIGINT', () => process.exit(1))
const [first, second] = await startCluster()
const hosts = [first, second].map(({ address }) => `${address}:5432`).join(',')
const settings = {
  GATEHOUSE_DATABASE_URL: `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write&connect_timeout=700ms`,
}
const node = await startNode(makeFolder(), await freePort(), settings)
const acknowledged = new Set<string>()
let primary: Machine = first
let standby: Machine = second
let names = 0

const canWrite = async (): Promise<boolean> => {
  const name = `Probe ${names++}`
  const { status } = await call(`${node.url}/api/roles`, 'POST', { name })
  if (status === 201) acknowledged.add(name)
  return status === 201
}

/** Harms the primary, and measures until the other one takes writes, and until the service does. */
async function drill(
  what: string,
  harm: () => void | Promise<void>,
  repair: () => void | Promise<void>,
): Promise<void> {
  await until(primary.isSynchronous, 'a synchronous standby')
  const load = startLoad(node.url, 4, 5)
  await setTimeout(3_000)
  const begun = performance.now()
  const since = () => (performance.now() - begun) / 1_000
  await harm()
  const promoted = until(standby.takesWrites, 'the standby to take writes').then(since)
  // Where writes still work right after the harm, they go to the new primary: the old one has no synchronous standby.
  const isBack = async () => (await standby.takesWrites().catch(() => false)) && (await canWrite())
  const back = until(isBack, 'the service to write again').then(since)
  const [patroni, service] = await Promise.all([promoted, back])
  const { sent, failures, written } = await load.stop()
  for (const name of written) acknowledged.add(name)
  await repair()
  ;[primary, standby] = [standby, primary]
  await until(primary.isSynchronous, 'the old primary to follow the new one')
  const found = await readRoles(node.url)
  const lost = [...acknowledged].filter((name) => !found.has(name)).length
  const plus = (service - patroni).toFixed(1)
  row(what, patroni.toFixed(1), `+${plus}`, sent, describe(failures), written.size, lost)
}

header(
  'the primary',
  'Patroni, s',
  'the service, s',
  'requests',
  'failed',
  'writes acknowledged',
  'lost of all until now',
)
const drills: Record<string, () => Promise<void>> = {
  dies: () =>
    drill(
      'its machine dies',
      () => primary.kill(),
      () => primary.start(),
    ),
  cut: () =>
    drill(
      'its network is cut',
      () => primary.setPlugged(false),
      () => primary.setPlugged(true),
    ),
  freezes: () =>
    drill(
      'its PostgreSQL freezes',
      () => {
        for (const pid of primary.postgresProcesses()) process.kill(pid, 'SIGSTOP')
      },
      async () => {
        await primary.kill() // as an operator resets a machine that hangs
        primary.start()
      },
    ),
}
const chosen = process.argv.slice(2)
for (const name of chosen.length > 0 ? chosen : Object.keys(drills)) await drills[name]?.()
await node.stop('SIGKILL')
process.exit()

import { setTimeout } from 'node:timers/promises'
import { freePort } from '@gatehouse/plugin-kit/testing'
import { header, makeFolder, readRoles, row, startLoad, startNode } from './harness.ts'

// Kills a node with SIGKILL under load, again and again, and looks for every write that it had acknowledged.
//
//   node deploy/drill/kill.ts               # 20 kills, SQLite
//   KILLS=5 DATABASE_URL=postgres://… node deploy/drill/kill.ts

const kills = Number(process.env.KILLS ?? 20)
const database = process.env.DATABASE_URL
const settings: Record<string, string> = database === undefined ? {} : { GATEHOUSE_DATABASE_URL: database }

const folder = makeFolder()
const acknowledged = new Set<string>()
let unanswered = 0
for (let nth = 0; nth < kills; nth++) {
  const node = await startNode(folder, await freePort(), settings)
  const load = startLoad(node.url, 4)
  await setTimeout(300 + 97 * (nth % 10)) // at another moment each time
  await node.stop('SIGKILL')
  const { written, failures } = await load.stop()
  for (const name of written) acknowledged.add(name)
  for (const count of failures.values()) unanswered += count
}
const node = await startNode(folder, await freePort(), settings)
const found = await readRoles(node.url)
const lost = [...acknowledged].filter((name) => !found.has(name)).length
await node.stop('SIGKILL')
header('database', 'kill -9', 'writes acknowledged', 'lost', 'requests without an answer')
row(database === undefined ? 'SQLite' : 'PostgreSQL', kills, acknowledged.size, lost, unanswered)
process.exit(lost === 0 ? 0 : 1)

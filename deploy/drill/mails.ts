import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@gatehouse/plugin-kit/testing'
import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { call, header, makeFolder, root, row, run, startNode, until } from './harness.ts'

// Sends an announcement to many users, stops the node three times in the middle, and counts the mails that arrived.
//
//   node deploy/drill/mails.ts               # 10,000 mails
//   MAILS=1000 node deploy/drill/mails.ts

const mails = Number(process.env.MAILS ?? 10_000)
const stops = 3
/** After so long without a mail there are no more. */
const quietMs = 5_000

const arrived = new Map<string, number>()
const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData: async (stream, session, done) => {
    const mail = await simpleParser(stream)
    if (mail.subject?.includes('Drill')) {
      const to = session.envelope.rcptTo[0]?.address ?? ''
      arrived.set(to, (arrived.get(to) ?? 0) + 1)
    }
    done()
  },
})
const mailPort = await freePort()
server.listen(mailPort, '127.0.0.1')

const folder = makeFolder()
const settings = { GATEHOUSE_MAIL_URL: `smtp://127.0.0.1:${mailPort}?tls=opportunistic` }
const begun = await startNode(folder, await freePort())
await begun.stop()
const program = join(root, 'server/bin/gatehouse.js')
// Some of the synthetic users are not active and get no mail: more are made than are counted.
await once(run(process.execPath, [program, 'seed', '--users', String(Math.ceil(mails * 1.3))], {}, folder), 'exit')

let node = await startNode(folder, await freePort(), settings)
const announcement = { title: 'Drill', body: 'To everybody.' }
const created = JSON.parse((await call(`${node.url}/api/announcements`, 'POST', announcement)).body)
const notify = await call(`${node.url}/api/announcements/${created.data.id}/notifications`, 'POST', {})
if (notify.status >= 300) throw new Error(`the mails were not started: ${notify.status} ${notify.body}`)
const began = performance.now()
for (let nth = 1; nth <= stops; nth++) {
  await until(() => arrived.size > (mails * nth) / (stops + 1), `part ${nth} of the mails`)
  await node.stop()
  node = await startNode(folder, await freePort(), settings)
}
const waiting = async () =>
  JSON.parse((await call(`${node.url}/api/deliveries?filter[status]=queued,sending&per_page=1`)).body).meta.total
let [seen, seenAt] = [-1, 0]
await until(async () => {
  // The mails are queued in parts, and between two of them nothing waits.
  if (arrived.size !== seen || (await waiting()) > 0) [seen, seenAt] = [arrived.size, performance.now()]
  return performance.now() - seenAt > quietMs
}, 'the rest of the mails')
const users = JSON.parse((await call(`${node.url}/api/users?filter[status]=Active&per_page=1`)).body).meta.total
const twice = [...arrived.values()].filter((count) => count > 1).length
await node.stop()
header('active users', 'mails arrived', 'twice', 'missing', 'stops', 'seconds')
row(users, arrived.size, twice, users - arrived.size, stops, Math.round((seenAt - began) / 1000))
process.exit(twice === 0 && users === arrived.size ? 0 : 1)

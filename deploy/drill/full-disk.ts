import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@gatehouse/plugin-kit/testing'
import { call, header, makeFolder, readRoles, row, startLoad, startNode, until } from './harness.ts'

// Fills the disk of an SQLite database (a small tmpfs in a mount namespace) under load, and frees it again.
//
//   unshare --mount node deploy/drill/full-disk.ts         # needs root

const folder = makeFolder()
const data = join(folder, 'data')
mkdirSync(data)
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=700', 'tmpfs', data])
process.prependListener('exit', () => execFileSync('umount', ['--lazy', data]))
const filler = join(data, 'filler')

const node = await startNode(folder, await freePort())
const isReady = async () => (await call(`${node.url}/readyz`)).body
const write = async (name: string) => (await call(`${node.url}/api/roles`, 'POST', { name })).status
const read = async () => (await call(`${node.url}/api/roles`)).status

header('moment', '/readyz', 'a write', 'a read')
row('before', await isReady(), await write('before'), await read())
const { bavail, bsize } = statfsSync(data)
writeFileSync(filler, Buffer.alloc(bavail * bsize - 64 * 1024))
const load = startLoad(node.url, 2)
await until(async () => (await isReady()).includes('disk_full'), '/readyz to say that the disk is full')
const { written, failures } = await load.stop()
row('full', await isReady(), await write('full'), await read())
rmSync(filler)
await until(async () => (await isReady()).includes('"ready"'), '/readyz to be ready again')
row('free again', await isReady(), await write('free again'), await read())
const found = await readRoles(node.url)
const lost = [...written].filter((name) => !found.has(name)).length
process.stdout.write(
  `\nAcknowledged while it filled: ${written.size}, lost: ${lost}. Failed: ${JSON.stringify([...failures])}\n`,
)
await node.stop('SIGKILL')
process.exit(lost === 0 ? 0 : 1)

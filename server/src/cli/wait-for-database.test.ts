import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@gatehouse/plugin-kit/testing'
import { expect, inject, it, onTestFinished } from 'vitest'
import { password, startPostgres } from '../testing/postgres-server.ts'
import { createInstallation, root } from '../testing/server-process.ts'
import { until } from '../testing/until.ts'

const program = join(root, 'server/bin/gatehouse.js')

/** A start of the service on a database that is not there. */
async function startWithout(env: Readonly<Record<string, string>> = {}, ...args: string[]) {
  const port = await freePort()
  const place = await createInstallation(null, {
    GATEHOUSE_DATABASE_URL: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
  })
  onTestFinished(place.remove)
  const servicePort = await freePort()
  const child = place.spawn('node', [program, 'start', ...args], { GATEHOUSE_PORT: String(servicePort), ...env })
  await until(() => child.said.stderr !== '', 'the start to say that it waits')
  return { child, port, url: `http://127.0.0.1:${servicePort}` }
}

it.runIf(inject('postgresUrl'))('a start waits for a database that comes up meanwhile, and says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-late-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { child, port, url } = await startWithout()
  const where = `the database at 127.0.0.1:${port}`
  expect(child.said.stderr).toBe(`gatehouse: waiting up to 60 s for ${where} (ECONNREFUSED)\n`)
  const database = await startPostgres(folder, ['-c', 'fsync=off'], port)
  onTestFinished(database.stop)
  await until(() => child.said.stdout.includes('is ready: '), 'the service to be ready')
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  child.process.kill('SIGTERM')
  expect((await child.ended).code).toBe(0)
})

it.runIf(inject('postgresUrl')).each(['1', '2'])(
  'a start that waits stops at once, with %s processes',
  async (processes) => {
    const { child } = await startWithout({ GATEHOUSE_PROCESSES: processes })
    child.process.kill('SIGTERM')
    expect((await child.ended).code).toBe(0)
  },
)

it.runIf(inject('postgresUrl'))('a start whose wait is over ends with one more line', async () => {
  const { child, port } = await startWithout({}, '--wait', '1')
  const { code, stderr } = await child.ended
  const lines = stderr.trimEnd().split('\n')
  expect({ code, lines: lines.length }).toEqual({ code: 1, lines: 2 })
  expect(lines[0]).toContain('waiting up to 1 s')
  expect(lines[1]).toBe(
    `gatehouse: GATEHOUSE_DATABASE_URL: the database at 127.0.0.1:${port} cannot be used (ECONNREFUSED). Is it running, and are name and password right?`,
  )
})

import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it, onTestFinished, vi } from 'vitest'
import { createInstallation, createMigrated, type Installation, root } from '../testing/server-process.ts'
import { until } from '../testing/until.ts'

vi.setConfig({ testTimeout: 120_000 }) // each starts the program several times

let from: Installation
let file: string
beforeAll(async () => {
  from = await createMigrated(inject('postgresUrl'))
  file = join(from.folder, 'a.tar.zst')
  await from.run(['seed', '--users', '3000'])
  expect(await from.run(['backup', 'create', file])).toMatchObject({ code: 0 })
})
afterAll(() => from?.remove())

/** Starts a command and kills it when it says that it is there. */
async function killAt(installation: Installation, words: string, ...args: string[]): Promise<void> {
  const { process: child, said, ended } = installation.spawn('node', [join(root, 'server/bin/gatehouse.js'), ...args])
  await until(() => said.stderr.includes(words) || child.exitCode !== null, words)
  child.kill('SIGKILL')
  expect((await ended).code).toBe(null)
}

// Again where the backup was done before the signal came.
it.each(['SIGINT', 'SIGTERM'] as const)(
  'a backup that %s ends leaves nothing beside it',
  { retry: 4 },
  async (signal) => {
    const path = join(from.folder, `${signal}.tar.zst`)
    rmSync(path, { force: true })
    const program = join(root, 'server/bin/gatehouse.js')
    const { process: child, ended } = from.spawn('node', [program, 'backup', 'create', path])
    const beside = () => readdirSync(from.folder).filter((name) => name.startsWith(`${signal}.tar.zst.`))
    await until(() => beside().length > 0 || child.exitCode !== null, 'the backup to begin')
    child.kill(signal)
    expect((await ended).code).toBe(null)
    expect(beside()).toEqual([])
  },
)

/** On SQLite, the first leaves what each leaves: a file beside its mark. */
const steps =
  inject('postgresUrl') === null
    ? ['Loading the rows']
    : ['Loading the rows', 'Building the indexes', 'Comparing every row']

for (const step of steps) {
  it(`a restore that is killed at "${step}" leaves a database that is refused, and begins again`, async () => {
    const to = await createInstallation(inject('postgresUrl'))
    onTestFinished(to.remove)
    await killAt(to, step, 'restore', file)
    const refused = await to.run(['start'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('the database is not whole') })
    expect(await to.run(['restore', file])).toMatchObject({ code: 0, stdout: expect.stringContaining('3000 users') })
    const list = await to.run(['users', 'list', '--per-page', '1'])
    expect(list.stdout).toContain('1 of 3000')
  })
}

it('what a killed restore left in the data folder is taken by the same command, and by no other', async () => {
  const postgresUrl = inject('postgresUrl')
  // On SQLite the database and its mark are in the data folder, too.
  const to = await createInstallation(postgresUrl, postgresUrl === null ? { GATEHOUSE_DATABASE_URL: '' } : {})
  onTestFinished(to.remove)
  await killAt(to, 'Comparing every row', 'restore', file)
  expect(existsSync(join(to.folder, 'data/secret-key'))).toBe(true)
  const another = join(from.folder, 'another.tar.zst')
  copyFileSync(file, another)
  expect(await to.run(['restore', another])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Restore into an empty data folder'),
  })
  expect(await to.run(['restore', file])).toMatchObject({ code: 0, stdout: expect.stringContaining('3000 users') })
})

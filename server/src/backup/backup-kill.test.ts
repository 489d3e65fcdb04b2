import { join } from 'node:path'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { createInstallation, type Installation, root } from '../testing/server-process.ts'
import { until } from '../testing/until.ts'

vi.setConfig({ testTimeout: 120_000 }) // each starts the program several times

async function install(postgresUrl = inject('postgresUrl')): Promise<Installation> {
  const installation = await createInstallation(postgresUrl)
  onTestFinished(installation.remove)
  return installation
}

/** Starts a command and kills it when it says that it is there. */
async function killAt(installation: Installation, words: string, ...args: string[]): Promise<void> {
  const { process: child, said, ended } = installation.spawn('node', [join(root, 'server/bin/gatehouse.js'), ...args])
  await until(() => said.stderr.includes(words) || child.exitCode !== null, words)
  child.kill('SIGKILL')
  expect((await ended).code).toBe(null)
}

const steps = ['Loading the rows', 'Building the indexes', 'Comparing every row']

for (const step of steps) {
  it(`a restore that is killed at "${step}" leaves a database that is refused, and begins again`, async () => {
    const from = await install()
    await from.run(['seed', '--users', '3000'])
    await from.run(['backup', 'create', 'a.tar.zst'])
    const file = join(from.folder, 'a.tar.zst')
    const to = await install()
    await killAt(to, step, 'restore', file)
    const refused = await to.run(['start'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('the database is not whole') })
    expect(await to.run(['restore', file])).toMatchObject({ code: 0, stdout: expect.stringContaining('3000 users') })
    const list = await to.run(['users', 'list', '--per-page', '1'])
    expect(list.stdout).toContain('1 of 3000')
  })
}

import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { itOnce } from '../../testing/it-once.ts'
import { createInstallation } from '../../testing/server-process.ts'

it.runIf(inject('postgresUrl'))(
  'a node with a folder of its own is refused until it is adopted, which waits for the others to stop',
  async () => {
    const { start, run, folder, remove } = await createInstallation(inject('postgresUrl'))
    onTestFinished(remove)
    const first = await start()
    const second = await start() // shares the folder
    const other = { settings: { GATEHOUSE_STORAGE_URL: `file:${folder}/other` } }
    const early = await run(['storage', 'adopt'], other)
    expect(early).toMatchObject({ code: 1, stderr: expect.stringMatching(/^gatehouse: a node of this database runs/) })
    await Promise.all([first.stop(), second.stop()])
    const refused = await run(['start'], other)
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^gatehouse: GATEHOUSE_STORAGE_URL: .*storage adopt/),
    })
    expect(await run(['storage', 'adopt'], other)).toMatchObject({ code: 0 })
    const adopted = await start(other.settings)
    await adopted.stop()
    expect(await run(['start'])).toMatchObject({ code: 1, stderr: expect.stringContaining('storage adopt') })
  },
  120_000,
)

itOnce(
  'a folder that cannot be made or written stops the start with one line',
  async () => {
    const { run, folder, remove } = await createInstallation(inject('postgresUrl'))
    onTestFinished(remove)
    const closed = join(folder, 'closed')
    mkdirSync(closed)
    chmodSync(closed, 0o500)
    for (const path of ['/dev/null/x', '/dev/null', '/proc', '/proc/x', closed]) {
      const settings = { GATEHOUSE_STORAGE_URL: `file:${path}` }
      const { code, stdout, stderr } = await run(['start', '--wait', '0'], { settings, obeysModes: true })
      expect({ code, stderr, isListening: stdout.includes('listening') }).toEqual({
        code: 1,
        stderr: expect.stringMatching(
          /^gatehouse: GATEHOUSE_STORAGE_URL: \S+ cannot be used \(E[A-Z]+\)\. Name a folder [^\n]+\n$/,
        ),
        isListening: false,
      })
    }
  },
  120_000,
)

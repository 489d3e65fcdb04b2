import { join } from 'node:path'
import { afterAll, expect, inject, it, onTestFinished, vi } from 'vitest'
import { adminQuery, createTestDatabase } from '../testing/databases.ts'
import { runHere } from '../testing/run-here.ts'
import { createMigrated, type Installation, newKey, root } from '../testing/server-process.ts'
import { until } from '../testing/until.ts'

vi.setConfig({ testTimeout: 120_000 }) // each starts the program several times

type Kind = 'sqlite' | 'postgres'
const postgresUrl = inject('postgresUrl')
const pairs: readonly (readonly [Kind, Kind])[] =
  postgresUrl === null
    ? [['sqlite', 'sqlite']]
    : [
        ['sqlite', 'postgres'],
        ['postgres', 'sqlite'],
      ]

const key = newKey()
const publicUrl = { GATEHOUSE_PUBLIC_URL: 'http://gatehouse.test' }
const urlOf = (kind: Kind): string | null => (kind === 'postgres' ? postgresUrl : null)

async function createSeeded(kind: Kind): Promise<Installation> {
  const installation = await createMigrated(urlOf(kind), { ...publicUrl, GATEHOUSE_ADMIN_API_KEY: key })
  const node = await installation.start()
  await node.stop()
  expect(await runHere(installation, ['seed', '--users', '3000'])).toMatchObject({ code: 0 })
  return installation
}

/** One for all tests: a move leaves its source as it was. */
const seeded: Partial<Record<Kind, Promise<Installation>>> = {}
const getSeeded = (kind: Kind): Promise<Installation> => (seeded[kind] ??= createSeeded(kind))
afterAll(async () => {
  for (const installation of Object.values(seeded)) await (await installation).remove()
})

/** When a move to such a database is killed. */
const stepsOf: Record<Kind, readonly string[]> = {
  postgres: ['Copying the rows', 'Comparing every row'],
  sqlite: ['Building the indexes'],
}

/** The address of a database without a table. */
async function createEmpty(kind: Kind): Promise<string> {
  const { url, remove } = await createTestDatabase(urlOf(kind))
  onTestFinished(remove)
  if (kind === 'postgres') await adminQuery(url, 'drop schema public cascade; create schema public')
  return url
}

for (const [source, target] of pairs) {
  it(`moves every row from ${source} to ${target}, and refuses a target that is not empty`, async () => {
    const installation = await getSeeded(source)
    const to = await createEmpty(target)
    const moved = await runHere(installation, ['move', '--to', to])
    expect(moved).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/rows of \d+ tables were copied to .+ and compared/),
    })
    const settings = { GATEHOUSE_DATABASE_URL: to }
    const [before, after] = [await installation.start(), await installation.start(settings)]
    for (const path of [
      '/users?per_page=100&sort=-created_at',
      '/users?filter[search]=anna',
      '/stats',
      '/roles',
      '/settings',
      '/me',
    ]) {
      const [old, now] = [await before.call(`GET ${path}`), await after.call(`GET ${path}`)]
      expect(now.body).toEqual(old.body)
    }
    const made = await after.call('POST /users', {
      body: {
        email: 'new@example.com',
        role_id: 2,
        password: 'correct horse battery',
        password_confirmation: 'correct horse battery',
      },
    })
    expect(made.body.data.id).toBe(3002)
    expect((await after.call('GET /stats')).body.data.users.total).toBe(3002)
    await before.stop()
    await after.stop()
    expect(await runHere(installation, ['move', '--to', to])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not empty'),
    })
  })

  it.runIf(source === 'sqlite')(`refuses to move from ${source} to ${target} while a node runs`, async () => {
    const installation = await getSeeded(source)
    const to = await createEmpty(target)
    const node = await installation.start()
    const refused = await runHere(installation, ['move', '--to', to])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`process ${node.process.pid} on `) })
    await node.stop()
    expect(await runHere(installation, ['move', '--to', to])).toMatchObject({ code: 0 })
  })

  // What a kill leaves behind is in the target, so one source is enough.
  const steps = source === 'sqlite' ? stepsOf[target] : []
  for (const step of steps) {
    it(`a move from ${source} to ${target} that is killed at "${step}" leaves a target that is refused, and begins again`, async () => {
      const installation = await getSeeded(source)
      const to = await createEmpty(target)
      const {
        process: child,
        said,
        ended,
      } = installation.spawn('node', [join(root, 'server/bin/gatehouse.js'), 'move', '--to', to])
      await until(() => said.stderr.includes(step) || child.exitCode !== null, step)
      child.kill('SIGKILL')
      expect((await ended).code).toBe(null)
      const refused = await installation.run(['start'], { settings: { GATEHOUSE_DATABASE_URL: to } })
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('the database is not whole') })
      const onward = await runHere(installation, ['move', '--to', await createEmpty(source)], {
        GATEHOUSE_DATABASE_URL: to,
      })
      expect(onward).toMatchObject({ code: 1, stderr: expect.stringContaining('the database is not whole') })
      const old = await runHere(installation, ['users', 'list', '--per-page', '1'])
      expect(old).toMatchObject({ code: 0, stderr: '' }) // it is as it was
      const again = await runHere(installation, ['move', '--to', to])
      expect(again.stderr).toContain('Comparing every row')
      expect(again.code).toBe(0)
      const list = await runHere(installation, ['users', 'list', '--per-page', '1'], { GATEHOUSE_DATABASE_URL: to })
      expect(list.stdout).toContain('1 of 3001')
    })
  }
}

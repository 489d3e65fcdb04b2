import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { freePort } from '@gatehouse/plugin-kit/testing'
import { sql } from 'kysely'
import { expect, inject, it, onTestFinished } from 'vitest'
import { compareMigrations } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { createInstallation, newKey } from '../testing/server-process.ts'

const isPostgres = inject('postgresUrl') !== null

/** A place where nothing is, without a setting for the database on SQLite: it would be in the data folder. */
async function createEmpty() {
  const place = await createInstallation(inject('postgresUrl'), isPostgres ? {} : { GATEHOUSE_DATABASE_URL: '' })
  onTestFinished(place.remove)
  const countTables = async (): Promise<number> => {
    const db = openDatabase(place.database.address, () => {})
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
    await db.destroy()
    return tables.length
  }
  return { ...place, countTables: () => (isPostgres ? countTables() : Promise.resolve(0)) }
}

async function takePort(): Promise<string> {
  const other = createServer()
  onTestFinished(() => void other.close())
  return new Promise((done) => {
    other.listen(0, '127.0.0.1', () => done(String((other.address() as { port: number }).port)))
  })
}

const elsewhere = { GATEHOUSE_PUBLIC_URL: 'http://g.example' }

it.each<[what: string, settings: Record<string, string>, line: RegExp]>([
  ['an address that is none', { GATEHOUSE_ADMIN_EMAIL: 'nobody' }, /GATEHOUSE_ADMIN_EMAIL: /],
  ['a common password', { GATEHOUSE_ADMIN_PASSWORD: 'password1' }, /GATEHOUSE_ADMIN_PASSWORD: /],
  ['a host of another machine', { ...elsewhere, GATEHOUSE_HOST: '192.0.2.1' }, /GATEHOUSE_HOST: /],
  [
    'an unknown host',
    { ...elsewhere, GATEHOUSE_HOST: 'nowhere.invalid', GATEHOUSE_PROCESSES: '2' },
    /GATEHOUSE_HOST: /,
  ],
  ['a socket without a folder', { ...elsewhere, GATEHOUSE_HOST: 'unix:/proc/g.sock' }, /GATEHOUSE_HOST: /],
  ['no place for pictures', { GATEHOUSE_STORAGE_URL: 'file:/proc/g' }, /GATEHOUSE_STORAGE_URL: /],
])('a first start that is refused for %s has written nothing and told no secret', async (_what, settings, line) => {
  const place = await createEmpty()
  const { code, stdout, stderr } = await place.run(['start'], {
    settings: { GATEHOUSE_PORT: String(await freePort()), ...settings },
  })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^gatehouse: [^\n]+\n$/)
  expect(stderr).toMatch(line)
  expect(readdirSync(place.folder)).toEqual([])
  expect(await place.countTables()).toBe(0)
})

it('a first start that is refused for its port has written nothing and told no secret', async () => {
  const place = await createEmpty()
  const settings = { GATEHOUSE_PORT: await takePort() }
  const { code, stdout, stderr } = await place.run(['start'], { settings })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('GATEHOUSE_PORT: ')
  expect(readdirSync(place.folder)).toEqual([])
  expect(await place.countTables()).toBe(0)
})

it('a first start that is refused for a route of a plugin has told no secret', async () => {
  const place = await createEmpty()
  const plugin = join(place.folder, 'clashing')
  mkdirSync(plugin)
  writeFileSync(join(plugin, 'package.json'), '{ "type": "module", "exports": "./index.js", "version": "1.0.0" }')
  const route = `{ method: 'GET', path: '/users/{name}', operationId: 'x', summary: 'x', access: 'public', answer: 'success', handle: async () => {} }`
  writeFileSync(join(plugin, 'index.js'), `export default { id: 'clashing', routes: () => [${route}] }`)
  const settings = { GATEHOUSE_PORT: String(await freePort()), GATEHOUSE_PLUGINS: plugin }
  const { code, stdout, stderr } = await place.run(['start'], { settings })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('the route GET /users/{name} is there already')
})

it('a file that holds no secret key is refused before the database is created', async () => {
  const place = await createEmpty()
  mkdirSync(join(place.folder, 'data'))
  writeFileSync(join(place.folder, 'data/secret-key'), 'lost')
  for (const command of ['start', 'migrate']) {
    const settings = { GATEHOUSE_PORT: String(await freePort()) }
    const { code, stderr } = await place.run([command], { settings })
    expect([code, stderr]).toEqual([1, expect.stringContaining('this is no secret key')])
  }
  expect(readdirSync(join(place.folder, 'data'))).toEqual(['secret-key'])
  expect(await place.countTables()).toBe(0)
})

it('a folder that takes no file of the first secrets is refused before the database is created', async () => {
  const place = await createEmpty()
  const { code, stderr } = await place.run(['start'], {
    settings: {
      NODE_ENV: 'production',
      GATEHOUSE_PORT: String(await freePort()),
      GATEHOUSE_DATA_DIR: '/proc/g',
      GATEHOUSE_SECRET_KEY: newKey().slice(3),
      GATEHOUSE_STORAGE_URL: 'file:pictures',
      ...(isPostgres ? {} : { GATEHOUSE_DATABASE_URL: 'sqlite:g.db' }),
    },
  })
  expect([code, stderr]).toEqual([1, expect.stringContaining('GATEHOUSE_DATA_DIR: /proc/g/first-start.txt')])
  expect(readdirSync(place.folder)).toEqual([])
  expect(await place.countTables()).toBe(0)
})

it('a node with another secret key is refused before it migrates the database', async () => {
  const place = await createInstallation(inject('postgresUrl'))
  onTestFinished(place.remove)
  await place.run(['migrate'])
  const db = openDatabase(place.database.address, () => {})
  onTestFinished(() => db.destroy())
  const last = '0047-permission-texts'
  await sql`delete from kysely_migration where name = ${last}`.execute(db)
  const { code, stderr } = await place.run(['migrate'], { settings: { GATEHOUSE_SECRET_KEY: newKey().slice(3) } })
  expect([code, stderr]).toEqual([1, expect.stringContaining('another secret key')])
  expect((await compareMigrations(db)).pending).toEqual([last])
  expect((await place.run(['migrate'])).code).toBe(0)
})

it('a wrong administrator is no matter where there is one already', async () => {
  const place = await createInstallation(inject('postgresUrl'))
  onTestFinished(place.remove)
  await (await place.start()).stop()
  const { stop } = await place.start({ GATEHOUSE_ADMIN_EMAIL: 'nobody', GATEHOUSE_ADMIN_PASSWORD: 'password1' })
  expect((await stop()).code).toBe(0)
})

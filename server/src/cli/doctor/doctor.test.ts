import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { unfinishedFile } from '../../db/unfinished.ts'
import { adminQuery } from '../../testing/databases.ts'
import { itOnce } from '../../testing/it-once.ts'
import { runHere } from '../../testing/run-here.ts'
import { createInstallation, newKey } from '../../testing/server-process.ts'
import type { Finding } from './check.ts'

vi.setConfig({ testTimeout: 120_000 }) // each starts the program several times

async function install(settings: Record<string, string> = {}) {
  const place = await createInstallation(inject('postgresUrl'), settings)
  onTestFinished(place.remove)
  const examine = async (more: Record<string, string> = {}, { obeysModes = false } = {}) => {
    const args = ['doctor', '--json']
    const { code, stdout } = obeysModes
      ? await place.run(args, { settings: more, obeysModes })
      : await runHere(place, args, more)
    const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Finding[] }
    const find = (name: string) => checks.find(({ check }) => check === name)
    return { code, ok, checks, find }
  }
  return { ...place, examine }
}

const filesIn = (folder: string) => readdirSync(folder, { recursive: true }).sort()

it('finds an installation sound before and after its first start, and creates no file', async () => {
  const place = await install()
  const before = await place.examine()
  expect(before.checks.filter(({ state }) => state === 'broken')).toEqual([])
  expect(before).toMatchObject({ code: 0, ok: true })
  expect(filesIn(place.folder)).toEqual([])

  await (await place.start()).stop()
  const files = filesIn(place.folder)
  const after = await place.examine()
  expect(after).toMatchObject({ code: 0, ok: true })
  expect(after.find('schema')).toMatchObject({ state: 'ok', found: expect.stringMatching(/^all \d+ migrations/) })
  expect(after.find('secret key')).toMatchObject({ state: 'ok', found: 'is that of the database' })
  expect(after.find('mail')).toMatchObject({ state: 'warning' })
  expect(filesIn(place.folder)).toEqual(files)
})

itOnce('prints a line for each check that says what to do', async () => {
  const place = await install()
  const { code, stdout, stderr } = await place.run(['doctor'], {
    settings: { GATEHOUSE_MAIL_URL: 'smtp://ada:hunter2@127.0.0.1:1' },
  })
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout).toMatch(/^broken {3}mail +127\.0\.0\.1:1: .*GATEHOUSE_MAIL_URL/m)
  expect(stdout).toMatch(/^ok {7}disk/m)
  expect(stdout).not.toContain('hunter2')
  const wrong = await place.run(['doctor'], { settings: { GATEHOUSE_MAIL_URL: 'ftp://x' } })
  expect(wrong.stdout).toMatch(/^broken {3}configuration .*[^.]\. Correct this setting/m)
})

it('names what is broken: a setting, the key, the database, the SMS gateway, a folder', async () => {
  const place = await install()
  await (await place.start()).stop()
  expect((await place.examine({ GATEHOUSE_PORT: 'abc' })).find('configuration')).toMatchObject({
    state: 'broken',
    found: expect.stringContaining('GATEHOUSE_PORT: "abc" is not a port'),
  })
  const otherKey = await place.examine({ GATEHOUSE_SECRET_KEY: newKey().slice(3) })
  expect(otherKey).toMatchObject({ code: 1, ok: false })
  expect(otherKey.find('secret key')).toMatchObject({ state: 'broken', found: 'is not that of the database' })
  writeFileSync(join(place.folder, 'data/secret-key'), 'short\n')
  const damaged = await place.examine()
  expect(damaged.find('secret key')).toMatchObject({ state: 'broken', found: expect.stringContaining('no secret key') })
  expect(damaged.find('database')).toMatchObject({ state: 'ok' })
  rmSync(join(place.folder, 'data/secret-key'))
  expect((await place.examine()).find('secret key')).toMatchObject({ state: 'broken', found: 'is missing' })
  const away = await place.examine({
    GATEHOUSE_DATABASE_URL: 'postgres://127.0.0.1:1/none',
    GATEHOUSE_SMS_URL: 'http://127.0.0.1:1/',
    GATEHOUSE_STORAGE_URL: 'file:/dev/null/pictures',
    GATEHOUSE_PLUGINS: './nothing',
  })
  for (const check of ['database', 'SMS', 'storage', 'plugins']) {
    expect(away.find(check)).toMatchObject({ state: 'broken', advice: expect.stringMatching(/\.$/) })
  }
})

itOnce('names a data folder that it may not enter beside the other checks', async () => {
  const place = await install(inject('postgresUrl') === null ? { GATEHOUSE_DATABASE_URL: '' } : {}) // SQLite in this folder
  await (await place.start()).stop()
  const folder = join(place.folder, 'data')
  onTestFinished(() => chmodSync(folder, 0o700)) // to be removed
  chmodSync(folder, 0)
  const { code, stdout, stderr } = await place.run(['doctor'], { obeysModes: true })
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout).toMatch(/^broken {3}data folder {3}\S+\/data cannot be written to\. Give this user the folder/m)
  expect(stdout).toMatch(/^ok {7}disk/m)

  const { ok, checks, find } = await place.examine({}, { obeysModes: true })
  expect(ok).toBe(false)
  expect(find('data folder')).toMatchObject({ state: 'broken', found: `${folder} cannot be written to` })
  const unreadable = checks.filter(({ found }) => found.includes('EACCES')).map(({ check }) => check)
  expect(unreadable).toEqual(inject('postgresUrl') === null ? ['database'] : ['secret key', 'pictures'])
})

itOnce(
  'says what would stop the start: the address, the file of breached passwords, a restore that was interrupted',
  async () => {
    const place = await install()
    await (await place.start()).stop()
    const public_ = { GATEHOUSE_PUBLIC_URL: 'http://localhost' }
    expect((await place.examine()).find('address')).toMatchObject({ state: 'ok' })
    for (const host of ['192.0.2.1', 'unix:/proc/nothing/socket', `unix:${place.folder}`]) {
      const found = await place.examine({ GATEHOUSE_HOST: host, ...public_ })
      expect(found).toMatchObject({ code: 1 })
      expect(found.find('address')).toMatchObject({
        state: 'broken',
        advice: expect.stringContaining('GATEHOUSE_HOST'),
      })
    }
    const breached = await place.examine({ GATEHOUSE_BREACHED_PASSWORDS: '/proc/nothing' })
    expect(breached.find('passwords')).toMatchObject({ state: 'broken', found: expect.stringContaining('ENOENT') })

    const { database } = place
    if (database.address.kind === 'sqlite') writeFileSync(unfinishedFile(database.address.path), 'restore a.zst\n')
    else
      await adminQuery(
        database.url,
        `create table unfinished_restore (command text); insert into unfinished_restore values ('restore a.zst')`,
      )
    const marked = await place.examine()
    expect(marked.find('database')).toMatchObject({
      state: 'broken',
      found: 'is not whole: `gatehouse restore a.zst` is running or was interrupted',
    })
  },
)

it.runIf(inject('postgresUrl'))('says that a folder of pictures is not the one that the database knows', async () => {
  const place = await install()
  await (await place.start()).stop()
  expect((await place.examine()).find('pictures')).toBeUndefined()
  const other = await place.examine({ GATEHOUSE_STORAGE_URL: `file:${place.folder}/other` })
  expect(other.find('pictures')).toMatchObject({ state: 'broken', advice: expect.stringContaining('storage adopt') })
  expect(existsSync(join(place.folder, 'other'))).toBe(false)
})

it.runIf(inject('postgresUrl'))('names a replica that cannot be read, and a server that is none', async () => {
  const place = await install()
  const away = 'postgres://127.0.0.1:1/none'
  expect(await place.examine({ GATEHOUSE_DATABASE_READ_URL: away })).toMatchObject({
    code: 0,
    checks: expect.arrayContaining([
      expect.objectContaining({ check: 'replica', state: 'warning', found: expect.stringMatching(/^127\.0\.0\.1:1 /) }),
    ]),
  })
  const primary = await place.examine({ GATEHOUSE_DATABASE_READ_URL: place.database.url })
  expect(primary.find('replica')).toMatchObject({ state: 'warning', found: expect.stringMatching(/is no standby$/) })
})

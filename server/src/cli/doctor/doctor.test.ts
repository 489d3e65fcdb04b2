import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { createInstallation, newKey } from '../../testing/server-process.ts'
import type { Finding } from './check.ts'

async function install(settings: Record<string, string> = {}) {
  const place = await createInstallation(inject('postgresUrl'), settings)
  onTestFinished(place.remove)
  const examine = async (more: Record<string, string> = {}) => {
    const { code, stdout } = await place.run(['doctor', '--json'], { settings: more })
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

it('prints a line for each check that says what to do', async () => {
  const place = await install()
  const { code, stdout, stderr } = await place.run(['doctor'], {
    settings: { GATEHOUSE_MAIL_URL: 'smtp://ada:hunter2@127.0.0.1:1' },
  })
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout).toMatch(/^broken {3}mail +127\.0\.0\.1:1: .*GATEHOUSE_MAIL_URL/m)
  expect(stdout).toMatch(/^ok {7}disk/m)
  expect(stdout).not.toContain('hunter2')
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

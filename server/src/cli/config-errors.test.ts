import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { freePort } from '@gatehouse/plugin-kit/testing'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createInstallation, type Installation, newKey } from '../testing/server-process.ts'

let place: Installation
let port: string
beforeAll(async () => {
  place = await createInstallation(inject('postgresUrl'))
  port = String(await freePort())
})
afterAll(() => place.remove())

/** The single line of a failed start. */
async function failToStart(settings: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await place.run(['start', '--wait', '0'], {
    settings: { GATEHOUSE_PORT: port, ...settings },
  })
  expect(stderr).toMatch(/^gatehouse: [^\n]+\n$/)
  expect(code).toBe(1)
  expect(stdout).not.toContain('is ready')
  expect(stderr + stdout).not.toContain('hunter2')
  return stderr.slice('gatehouse: '.length)
}

describe('a start that fails exits with 1 and one line', () => {
  const nobody = { GATEHOUSE_ADMIN_EMAIL: 'nobody' }
  const ada = { GATEHOUSE_ADMIN_EMAIL: 'ada@example.com' }
  const noFile = { GATEHOUSE_DATABASE_URL: '' } // removes the installation's own setting: the default is in the folder
  const password = (text: string) => ({ GATEHOUSE_ADMIN_PASSWORD: text })
  const database = (url: string) => ({ GATEHOUSE_DATABASE_URL: url })

  it.each<[what: string, settings: Record<string, string>, line: RegExp]>([
    ['an unknown name', { GATEHOUSE_PROT: '8080' }, /^GATEHOUSE_PROT: .* GATEHOUSE_PORT,/],
    ['a bad port', { GATEHOUSE_PORT: 'abc' }, /^GATEHOUSE_PORT: .* 0 to 65535/],
    ['a public host alone', { GATEHOUSE_HOST: '0.0.0.0' }, /^GATEHOUSE_PUBLIC_URL: must be set/],
    ['a bad key', { GATEHOUSE_ADMIN_API_KEY: 'gh_hunter2' }, /^GATEHOUSE_ADMIN_API_KEY: write gh_ followed by 43/],
    ['a bad address', nobody, /^GATEHOUSE_ADMIN_EMAIL: .*valid email address/],
    ['a short password', password('hunter2'), /^GATEHOUSE_ADMIN_PASSWORD: .*at least 8/],
    ['a common password', password('password1'), /^GATEHOUSE_ADMIN_PASSWORD: .*too common/],
    ['a password that is easy to guess', password('Gatehouse2026!'), /^GATEHOUSE_ADMIN_PASSWORD: .*too easy to guess/],
    ['the address as password', { ...ada, ...password('Ada@example.com') }, /^GATEHOUSE_ADMIN_PASSWORD: .*not be/],
    ['two bad ones', { ...nobody, ...password('hunter2') }, /^GATEHOUSE_ADMIN_EMAIL: .* GATEHOUSE_ADMIN_PASSWORD: /],
    ['a silent PostgreSQL', database('postgres://a:hunter2@127.0.0.1:1/g'), /^GATEHOUSE_DATABASE_URL: .*ECONNREFUSED/],
    ['an unknown PostgreSQL', database('postgres://a:hunter2@db.invalid/g'), /^GATEHOUSE_DATABASE_URL: .*db\.invalid/],
    ['no place for a database', database('sqlite:/proc/g.db'), /^GATEHOUSE_DATABASE_URL: .*may write to/],
    ['no place for data', { ...noFile, GATEHOUSE_DATA_DIR: '/proc/g/data' }, /^GATEHOUSE_DATA_DIR: .*may write to/],
    [
      'an address that is not ours',
      { GATEHOUSE_HOST: '192.0.2.1', GATEHOUSE_PUBLIC_URL: 'http://g.example' },
      /^GATEHOUSE_HOST: .*no address 192\.0\.2\.1/,
    ],
  ])('%s', async (_what, settings, line) => {
    expect(await failToStart(settings)).toMatch(line)
  })

  it('a data folder that is a file, and a database that is no database', async () => {
    const file = join(place.folder, 'notes.txt')
    writeFileSync(file, 'These are notes, and long enough to be told from a database. '.repeat(20))
    const folder = { ...noFile, GATEHOUSE_DATA_DIR: join(file, 'data') }
    expect(await failToStart(folder)).toContain('GATEHOUSE_DATA_DIR: ')
    expect(await failToStart(database(`sqlite:${file}`))).toContain('GATEHOUSE_DATABASE_URL: ')
  })

  it('a plugin that TypeScript has compiled to CommonJS', async () => {
    const plugin = join(place.folder, 'old')
    mkdirSync(plugin)
    writeFileSync(join(plugin, 'package.json'), '{ "exports": "./index.js" }')
    const compiled = `Object.defineProperty(exports, '__esModule', { value: true }); exports.default = { id: 'old' }`
    writeFileSync(join(plugin, 'index.js'), compiled)
    expect(await failToStart({ GATEHOUSE_PLUGINS: plugin })).toMatch(
      /^GATEHOUSE_PLUGINS: .*compiled to CommonJS.*"type": "module".*package\.json/,
    )
  })

  it('a port that is in use', async () => {
    const other = createServer()
    const taken = await new Promise<string>((done) => {
      other.listen(0, '127.0.0.1', () => done(String((other.address() as { port: number }).port)))
    })
    onTestFinished(() => void other.close())
    const line = await failToStart({ GATEHOUSE_PORT: taken, GATEHOUSE_ADMIN_API_KEY: newKey() })
    expect(line).toContain(`GATEHOUSE_PORT: ${taken} is in use on 127.0.0.1.`)
  })
})

describe.runIf(inject('postgresUrl'))('on PostgreSQL', () => {
  it.each([
    ['a wrong password', (url: URL) => Object.assign(url, { password: 'hunter2' }), '28P01'],
    ['a missing database', (url: URL) => Object.assign(url, { pathname: '/hunter' }), '3D000'],
  ])('%s is one line without the password', async (_what, change, code) => {
    const line = await failToStart({ GATEHOUSE_DATABASE_URL: change(new URL(place.database.url)).href })
    expect(line).toContain('GATEHOUSE_DATABASE_URL: ')
    expect(line).toContain(code)
  })
})

import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { runHere } from '../testing/run-here.ts'
import { createInstallation, createMigrated, type Installation, root } from '../testing/server-process.ts'

vi.setConfig({ testTimeout: 60_000 }) // some start the program several times

let place: Installation
let notes: string
beforeAll(async () => {
  place = await createMigrated(inject('postgresUrl'))
  notes = join(place.folder, 'notes.txt')
  writeFileSync(notes, 'These are notes, and long enough to be told from a database. '.repeat(20))
})
afterAll(() => place.remove())

const nothing = '/proc/nothing'

it.each<[what: string, args: () => string[], line: RegExp]>([
  [
    'a backup in a folder that is missing',
    () => ['backup', 'create', `${nothing}/a.zst`],
    /^\/proc\/nothing is no folder/,
  ],
  [
    'a backup in a folder that takes no file',
    () => ['backup', 'create', '/proc/a.zst'],
    /^\/proc: no file can be created here: no such file or directory\.$/m,
  ],
  ['a backup over a folder', () => ['backup', 'create', place.folder, '--force'], /is not a file/],
  ['a backup that is a folder', () => ['backup', 'verify', place.folder], /cannot be read \(EISDIR\)/],
  ['a backup that is missing', () => ['backup', 'verify', join(place.folder, 'none')], /none: there is no such file/],
  ['a backup from standard input', () => ['backup', 'verify', '-'], /^a backup cannot be read from standard input/],
  ['a restore from standard input', () => ['restore', '-'], /^a backup cannot be read from standard input/],
  [
    'a move into what is no database',
    () => ['move', '--to', `sqlite:${notes}`],
    /notes\.txt cannot be used \(SQLITE_NOTADB/,
  ],
  [
    'a move into a place that takes no file',
    () => ['move', '--to', 'sqlite:/proc/g.db'],
    /\/proc\/g\.db cannot be used \(ENOENT/,
  ],
  [
    'a move to a silent PostgreSQL',
    () => ['move', '--to', 'postgres://a:hunter2@127.0.0.1:1/g'],
    /^127\.0\.0\.1:1\/g cannot be used \(ECONNREFUSED/,
  ],
  ['an import of a missing file', () => ['users', 'import', nothing], /^\/proc\/nothing: there is no such file/],
  ['an export into a folder', () => ['users', 'export', '--output', place.folder], /: this is a folder/],
])('%s is refused with one line', async (_what, args, line) => {
  const { code, stderr } = await runHere(place, args())
  expect(stderr).toMatch(/^gatehouse: [^\n]+\n$/)
  expect(stderr).not.toContain('hunter2')
  expect(stderr.slice('gatehouse: '.length)).toMatch(line)
  expect(code).toBe(1)
})

it('a backup in a folder that this user may not write to is refused with one line that names it', async () => {
  const folder = join(place.folder, 'read-only')
  mkdirSync(folder, { mode: 0o500 })
  const backup = ['backup', 'create', join(folder, 'a.tar.zst')]
  expect(await place.run(backup, { obeysModes: true })).toEqual({
    code: 1,
    stdout: '',
    stderr: `gatehouse: ${folder}: no file can be created here: permission denied.\n`,
  })
  chmodSync(folder, 0o700)
  expect(await place.run(backup, { obeysModes: true })).toMatchObject({ code: 0 })
  expect(readdirSync(folder)).toEqual(['a.tar.zst'])
})

it.skipIf(inject('postgresUrl') !== null)(
  'a database whose disk has no room for it is refused with one line that says so',
  async () => {
    const program = join(root, 'server/bin/gatehouse.js')
    // Files of at most 8 KiB, and no signal for who writes more.
    const { code, stderr } = await place.spawn('bash', [
      '-c',
      `trap '' XFSZ; ulimit -f 8; exec node ${program} users list`,
    ]).ended
    expect(stderr).toMatch(/^gatehouse: [^\n]+ cannot be opened \([^\n]+\)\. There is no space left on its disk\.\n$/)
    expect(code).toBe(1)
  },
)

it('a move or restore whose own database cannot be used is refused with one line that names it', async () => {
  const settings = { GATEHOUSE_DATABASE_URL: `sqlite:${notes}` }
  const missing = { GATEHOUSE_DATABASE_URL: `sqlite:${place.folder}/none/gatehouse.db` }
  const target = `sqlite:${join(place.folder, 'target.db')}`
  for (const [args, more, name] of [
    [['move', '--to', target], settings, 'notes.txt'],
    [['move', '--to', target], missing, 'none/gatehouse.db'],
    [['restore', join(place.folder, 'backup')], settings, 'notes.txt'],
  ] as const) {
    const { code, stderr } = await runHere(place, args, more)
    expect(stderr).toMatch(/^gatehouse: [^\n]+ cannot be used \([^\n]+\)\.\n$/)
    expect(stderr).toContain(name)
    expect(code).toBe(1)
  }
  expect(existsSync(join(place.folder, 'target.db'))).toBe(false)
})

it.each([
  ['users', 'list', '--status', 'Nope'],
  ['users', 'list', '--per-page', '101'],
  ['users', 'list', '--page', '0'],
  ['deliveries', 'list', '--status', 'nope'],
  ['deliveries', 'list', '--kind', 'fax'],
  ['deliveries', 'list', '--per-page', 'all'],
])('%s %s %s %s is wrong usage', async (...args) => {
  const { code, stdout, stderr } = await runHere(place, args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(args[2])
})

it.each([
  ['backup', 'create', 'empty.tar.zst'],
  ['users', 'list'],
  ['users', 'export', '--output', 'users.csv'],
  ['keys', 'list'],
  ['deliveries', 'list'],
  ['activity', 'verify'],
  ['users', 'set-password', 'ada'],
  ['users', 'disable-2fa', 'ada'],
  ['users', 'recovery-codes', 'ada'],
  ['users', 'bulk', 'ban', '--ids', '1', '--expected', '1'],
  ['users', 'import', '/proc/cpuinfo', '--dry-run'],
  ['keys', 'create', '--user', 'ada', '--name', 'x'],
  ['keys', 'revoke', '1'],
  ['deliveries', 'retry', '1'],
  ['deliveries', 'release'],
  ['storage', 'adopt'],
  ['plugins', 'list'],
  ['plugins', 'remove', 'notes'],
])('%s %s is refused where no database is, and creates nothing', async (...args) => {
  const empty = await createInstallation(null)
  try {
    for (const [settings, name] of [
      [{ GATEHOUSE_DATA_DIR: 'mistyped', GATEHOUSE_DATABASE_URL: '' }, 'GATEHOUSE_DATA_DIR'],
      [{ GATEHOUSE_DATABASE_URL: 'sqlite:mistyped/gatehouse.db' }, 'GATEHOUSE_DATABASE_URL'],
    ] as const) {
      const { code, stdout, stderr } = await runHere(empty, args, settings)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(
        new RegExp(`^gatehouse: ${name}: there is no database at \\S+mistyped/gatehouse\\.db\\. [^\\n]+\\n$`),
      )
    }
    expect(readdirSync(empty.folder)).toEqual([])
  } finally {
    await empty.remove()
  }
})

it('a new database begins with the first user, and the command says where; not for a wrong value', async () => {
  const empty = await createInstallation(null)
  try {
    const create = (email: string) => runHere(empty, ['users', 'create', '--email', email, '--json'])
    expect(await create('nobody')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('email') })
    expect(readdirSync(empty.folder)).toEqual([])
    const first = await create('ada@example.com')
    expect(first).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/no database at \S+gatehouse\.db: a new one/),
    })
    expect(JSON.parse(first.stdout)).toMatchObject({ email: 'ada@example.com' })
    expect(await create('grace@example.com')).toMatchObject({ code: 0, stderr: '' })
  } finally {
    await empty.remove()
  }
})

it('an import of a missing file creates no database', async () => {
  const empty = await createInstallation(null)
  try {
    const { code, stderr } = await runHere(empty, ['users', 'import', nothing], { GATEHOUSE_DATABASE_URL: '' })
    expect({ code, stderr }).toEqual({ code: 1, stderr: `gatehouse: ${nothing}: there is no such file or folder.\n` })
    expect(readdirSync(empty.folder)).toEqual([])
  } finally {
    await empty.remove()
  }
})

it('migrate --status and --dry-run create nothing', async () => {
  const empty = await createInstallation(inject('postgresUrl'))
  try {
    for (const option of ['--status', '--dry-run']) {
      const { code, stdout } = await empty.run(['migrate', option])
      expect(code).toBe(0)
      expect(stdout).toMatch(/\n\d+ migrations wait\. Nothing was changed\.\n$/)
    }
    expect(existsSync(join(empty.folder, 'data'))).toBe(false)
  } finally {
    await empty.remove()
  }
})

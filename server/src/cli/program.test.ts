import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { runHere } from '../testing/run-here.ts'
import { createInstallation, type Installation, root } from '../testing/server-process.ts'
import { version } from '../version.ts'
import { createProgram } from './program.ts'

let place: Installation
beforeAll(async () => {
  place = await createInstallation(inject('postgresUrl'))
})
afterAll(() => place.remove())

describe('--help', () => {
  it.each([
    [[], ['start', 'migrate', 'openapi', 'seed', 'keys', 'users', '--version', 'GATEHOUSE_*', 'Exit codes: 0 done']],
    [['start'], ['SIGTERM']],
    [['migrate'], ["this version's schema"]],
    [['openapi'], ['OpenAPI document']],
    [['seed'], ['--users <n>', '--random-seed <n>']],
    [['keys'], ['create', 'list', 'revoke']],
    [
      ['keys', 'create'],
      ['--user <id|email|username>', '--name', '--permissions', '--expires', '--json'],
    ],
    [
      ['keys', 'list'],
      ['--user <id|email|username>', '--json'],
    ],
    [['keys', 'revoke'], ['<id>']],
    [['users'], ['create', 'list']],
    [
      ['users', 'create'],
      ['--email', '--role', '--username', '--first-name', '--last-name', '--password-stdin'],
    ],
    [
      ['users', 'list'],
      ['--search', '--status', '--sort', '--page', '--per-page', '--json'],
    ],
    [
      ['users', 'export'],
      ['may be repeated (default: none)', '--output'],
    ],
  ])('of %j exits with 0 and lists what exists', async (command, expected) => {
    const { code, stdout, stderr } = await runHere(place, [...command, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`Usage: ${['gatehouse', ...command].join(' ')}`)
    for (const word of expected) expect(stdout).toContain(word)
  })

  it('is also what `help` shows, for groups and the commands in them', async () => {
    const paths = optionsOf(createProgram()).map(([path]) => path.split(' '))
    for (const words of [[], ['users'], ...paths]) {
      const asked = await runHere(place, ['help', ...words])
      expect(asked).toEqual(await runHere(place, [...words, '--help']))
      expect(asked).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: /) })
    }
  })

  it('works with wrong settings', async () => {
    expect(await place.run(['--help'], { settings: { GATEHOUSE_PORT: 'abc' } })).toMatchObject({ code: 0 })
  })
})

/** The commands below this one that do something, each with its options. */
const optionsOf = (command: Command, path: readonly string[] = []): [string, string[]][] =>
  command.commands.length === 0
    ? [[path.join(' '), command.options.map(({ long }) => long ?? '').sort()]]
    : command.commands.flatMap((below) => optionsOf(below, [...path, below.name()]))

it('docs/operations.md has a row for each command, with all of its options and no other', () => {
  const guide = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  const section = guide.split(/^## /m).find((part) => part.startsWith('The command line\n')) ?? ''
  const rows = [...section.matchAll(/^\| `([a-z0-9 -]+)[^|]*\|[^|]*\|([^|]*)\|$/gm)].map(
    ([, path = '', options = '']) => [path.trim(), (options.match(/--[a-z-]+/g) ?? []).sort()],
  )
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(optionsOf(createProgram())))
})

it.each([
  [['serve'], "unknown command 'serve'"],
  [['help', 'serve'], "unknown command 'serve'"],
  [['help', 'users', 'imports'], "unknown command 'imports'"],
  [['help', 'users', 'import', 'FILE'], "unknown command 'FILE'"],
  [['start', 'now'], 'too many arguments'],
  [['start', '--port', '80'], "unknown option '--port'"],
  [['keys'], 'Usage: gatehouse keys'],
  [['keys', 'show'], "unknown command 'show'"],
  [['keys', 'create'], "required option '--user <id|email|username>' not specified"],
  [['keys', 'revoke'], "missing required argument 'id'"],
  [['keys', 'revoke', 'first'], 'Write a whole number from 1'],
  [['users', 'create'], "required option '--email <address>' not specified"],
  [['users', 'import', '-', '--on-conflict', 'replace'], 'Allowed choices are fail, skip, update.'],
  [['users', 'import', '-', '--notify', 'everybody'], 'Allowed choices are invite.'],
  [['users', 'bulk', 'promote', '--ids', '1', '--expected', '1'], 'Allowed choices are ban, activate, delete, '],
  [['users', 'bulk', 'ban', '--ids', '1'], "required option '--expected <n>' not specified"],
  [['users', 'bulk', 'ban', '--expected', '1'], 'error: Give either --ids or --filter.'],
  [
    ['users', 'bulk', 'ban', '--ids', '1', '--filter', 'id=2', '--expected', '1'],
    'error: Give either --ids or --filter.',
  ],
  [['users', 'bulk', 'set_role', '--ids', '1', '--expected', '1'], 'error: set_role needs --role or --role-id.'],
  [
    ['users', 'bulk', 'ban', '--filter', 'id=1', '--expected', '1', '--role', 'Admin'],
    'error: Only set_role takes --role.',
  ],
  [
    ['users', 'bulk', 'ban', '--ids', '1', '--expected', '1', '--role-id', '2'],
    'error: Only set_role takes --role-id.',
  ],
  [['users', 'export', '--output', ''], "error: option '--output <file>' argument '' is invalid. Name a file."],
  [['migrate', '--status', '--dry-run'], "error: option '--dry-run' cannot be used with option '--status'"],
  [['seed'], "required option '--users <n>' not specified"],
  [['seed', '--users', '0'], 'Write a whole number from 1 to 10000000.'],
  [['seed', '--users', '5', '--random-seed', 'x'], 'Write a whole number from 0'],
])('wrong usage, %j, exits with 2, says what is wrong and changes nothing', async (args, message) => {
  // No database exists, so usage must be checked first.
  const settings = { GATEHOUSE_DATABASE_URL: 'postgres://127.0.0.1:1/none' }
  const { code, stdout, stderr } = await runHere(place, args, settings)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
})

it('--version prints the version', async () => {
  expect(await place.run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})

it('`migrate` creates the schema; a second run changes nothing', async () => {
  for (const _time of [1, 2]) {
    expect(await place.run(['migrate'])).toEqual({ code: 0, stdout: 'The database is up to date.\n', stderr: '' })
  }
})

describe('`openapi`', () => {
  const noDatabase = { GATEHOUSE_DATABASE_URL: 'postgres://127.0.0.1:1/none' }

  it('prints the whole document without a database', async () => {
    const { code, stdout, stderr } = await place.run(['openapi'], { settings: noDatabase })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const document = JSON.parse(stdout)
    expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), info: { version } })
    expect(document.paths).toHaveProperty(['/users/{id}', 'patch'])
  })

  it('arrives completely through a pipe, and tolerates a reader that leaves early', async () => {
    const piped = (reader: string) =>
      place.spawn('sh', ['-c', `node "${root}/server/bin/gatehouse.js" openapi | ${reader}`], noDatabase).ended
    const { stdout, stderr } = await piped('(sleep 1; cat)')
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toHaveProperty('openapi')
    expect(await piped('head -n 1')).toEqual({ code: 0, stdout: '{\n', stderr: '' })
  })
})

it('fails where its output cannot be written', async () => {
  const print = `node "${root}/server/bin/gatehouse.js" openapi > /dev/full`
  expect(await place.spawn('sh', ['-c', print]).ended).toEqual({
    code: 1,
    stdout: '',
    stderr: 'gatehouse: standard output: the disk is full.\n',
  })
})

describe('a Node that cannot run it', () => {
  it('gets one line that says which version can, and how to get it', async () => {
    const script = `exec '${process.execPath}' --no-experimental-strip-types '${root}/server/bin/gatehouse.js' start`
    const { code, stdout, stderr } = await place.spawn('sh', ['-c', script]).ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(
      `gatehouse: this is Node ${process.version}, and 22.18 or newer is needed: \`npm ci && npm start\` brings one and starts on it\n`,
    )
  })
})

it('goes on where nobody reads its standard error any more: `2>&1 | head -1`', async () => {
  expect(await place.run(['migrate'])).toMatchObject({ code: 0 })
  const file = join(place.folder, 'whole.tar.zst')
  const program = join(root, 'server/bin/gatehouse.js')
  const { process: child, ended } = place.spawn('node', [program, 'backup', 'create', file])
  child.stderr?.destroy()
  expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining('whole.tar.zst holds') })
})

it.each([
  ['keys create', '--permissions'],
  ['users list', '--sort'],
  ['users export', '--sort'],
  ['users export', '--fields'],
  ['users bulk', '--ids'],
])('%s adds the values of each %s, as of one list', (path, option) => {
  let command: Command | undefined = createProgram()
  for (const word of path.split(' ')) command = command?.commands.find((one) => one.name() === word)
  command?.parseOptions([option, 'a', option, 'b,c'])
  expect(command?.opts()[option.slice(2)]).toBe('a,b,c')
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { RootDb } from '../db/database.ts'
import { openDatabase } from '../db/open.ts'
import { verifyPassword } from '../features/passwords/passwords.service.ts'
import { runHere } from '../testing/run-here.ts'
import { createInstallation, type Installation } from '../testing/server-process.ts'

let place: Installation
let db: RootDb
beforeAll(async () => {
  place = await createInstallation(inject('postgresUrl'))
  await runHere(place, ['migrate'])
  db = openDatabase(place.database.address, () => {})
})
afterAll(async () => {
  await db?.destroy()
  await place?.remove()
})

const create = (email: string, ...args: string[]) => runHere(place, ['users', 'create', '--email', email, ...args])
const getRow = (email: string) =>
  db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

describe('users create', () => {
  it('creates an Active user with the default role and prints a working password once', async () => {
    const { code, stdout, stderr } = await create('ada@example.com')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [, id, password] = /^User (\d+) is created\. Password, shown once: (\S{20})\n$/.exec(stdout) ?? []
    const row = await getRow('ada@example.com')
    expect(row).toMatchObject({ id: Number(id), status: 'Active', role_id: 2, username: null, first_name: null })
    expect(await verifyPassword(row.password_hash, password as string)).toBe(true)
    const events = await db.selectFrom('activity').selectAll().where('subject_id', '=', row.id).execute()
    expect(events).toMatchObject([{ event: 'user.created', actor_id: null }])
  })

  it.each(['the whole of it\n', 'the whole of it\r\n', 'the whole of it'])(
    'reads the password %j from standard input, without the line end, and does not show it',
    async (stdin) => {
      const email = `stdin${stdin.length}@example.com`
      const args = ['users', 'create', '--email', email, '--password-stdin']
      const { code, stdout, stderr } = await place.run(args, { stdin })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(/^User \d+ is created\.\n$/)
      expect(await verifyPassword((await getRow(email)).password_hash, 'the whole of it')).toBe(true)
    },
  )

  it('--json prints the user like the API, and the password only if it was generated', async () => {
    const names = ['--username', 'grace', '--first-name', 'Grace', '--last-name', 'Hopper']
    const made = await create('grace@example.com', '--role', 'admin', ...names, '--json')
    const { password, ...user } = JSON.parse(made.stdout)
    expect(user).toMatchObject({ email: 'grace@example.com', role_id: 1, username: 'grace', last_name: 'Hopper' })
    expect(password).toMatch(/^\S{20}$/)
    expect(Object.keys(user)).not.toContain('password_hash')
    const args = ['users', 'create', '--email', 'json@example.com', '--password-stdin', '--json']
    const given = await place.run(args, { stdin: 'the whole of it\n' })
    expect(JSON.parse(given.stdout)).not.toHaveProperty('password')
    expect(given.stdout).not.toContain('the whole of it')
  })

  it.each([
    [['nobody'], '', 'email: The email field must be a valid email address.'],
    [['ADA@example.com'], '', 'email: The email has already been taken.'],
    [['x@example.com', '--role', 'Emperor'], '', 'role: There is no role "Emperor".'],
    [['x@example.com', '--password-stdin'], 'short\n', 'password: The password field must be at least 8 characters.'],
    [['x@example.com', '--password-stdin'], 'password1\n', 'password: This password is too common.'],
    [['x@example.com', '--password-stdin'], 'Passw0rd!\n', 'password: This password is too easy to guess.'],
    [['x@example.com', '--password-stdin'], 'X@example.com\n', 'password: The password must not be the email'],
    [['x@example.com', '--password-stdin'], '', 'password: '],
    [['x@example.com', '--username', '\u200b'], '', 'username: '],
    [['x@example.com', '--username', 'y@example.com'], '', 'username: A username with an @ must be the email address'],
    [['x@example.com', '--username', 'аdmin'], '', 'username: The username must not mix letters of different scripts.'],
    [['x@(1).test'], '', 'email: The email field must be a valid email address.'],
  ])('%j fails with 1 and says why, like the API', async (args, stdin, message) => {
    const { code, stdout, stderr } = await place.run(['users', 'create', '--email', ...args], { stdin })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^(gatehouse: [^\n]+\n)+$/)
    expect(stderr).toContain(`gatehouse: ${message}`)
    expect(await db.selectFrom('users').select('id').where('email', '=', 'x@example.com').execute()).toEqual([])
  })
})

describe('users list', () => {
  const emailsOf = async (...args: string[]) => {
    const { code, stdout, stderr } = await runHere(place, ['users', 'list', '--json', ...args])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout).map(({ email }: { email: string }) => email)
  }

  beforeAll(async () => {
    const name = ['--first-name', 'Eve\u001b[2J\u009b31m\u202e', '--last-name', 'Zz\nid']
    await create('eve@list.example', ...name)
    await create('mallory@list.example')
    await db.updateTable('users').set({ status: 'Banned' }).where('email', '=', 'mallory@list.example').execute()
  })

  it('searches, filters, sorts and pages like the API; --json prints only JSON', async () => {
    expect(await emailsOf('--search', 'LIST.exam')).toEqual(['eve@list.example', 'mallory@list.example'])
    const backwards = ['mallory@list.example', 'eve@list.example']
    expect(await emailsOf('--search', 'list.exam', '--sort', '-email')).toEqual(backwards)
    expect(await emailsOf('--search', 'list.exam', '--status', 'banned')).toEqual(['mallory@list.example'])
    expect(await emailsOf('--search', 'list.exam', '--per-page', '1', '--page', '2')).toEqual(['mallory@list.example'])
    expect(await emailsOf('--search', 'nobody at all')).toEqual([])
  })

  // asvs: 1.3.3
  it('is a readable table, one line per user, in which no name can control the terminal', async () => {
    const { stdout } = await runHere(place, ['users', 'list', '--search', 'list.example'])
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^id +email +username +first_name +last_name +role_id +status +created_at$/)
    expect(lines[1]).toMatch(/^\d+ +eve@list\.example +- +Eve�\[2J�31m� +Zz�id +2 +Active +\d{4}-/)
    expect(lines.slice(2)).toEqual([expect.stringContaining('mallory@list.example'), '2 of 2'])
    const json = await runHere(place, ['users', 'list', '--json', '--search', 'eve@list'])
    expect(JSON.parse(json.stdout)[0].first_name).toBe('Eve\u001b[2J\u009b31m\u202e')
    expect((stdout + json.stdout).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })

  it('fails with 1 on an unknown sort, and lists the known ones', async () => {
    const { code, stdout, stderr } = await runHere(place, ['users', 'list', '--sort', 'password_hash'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^gatehouse: [^\n]*created_at[^\n]*\n$/)
  })
})

describe('users recovery-codes', () => {
  it('makes ten codes, prints them once and voids the old ones', async () => {
    await create('lost.phone@example.com')
    const { id } = await getRow('lost.phone@example.com')
    const none = await runHere(place, ['users', 'recovery-codes', 'lost.phone@example.com'])
    expect([none.code, none.stdout]).toEqual([1, ''])
    expect(none.stderr).toContain('2FA is not enabled for this user.')
    const created_at = '2026-01-01 00:00:00'
    await db
      .insertInto('factors')
      .values({ user_id: id, type: 'totp', name: '', verified: 1, secret: 'v1.sealed', created_at })
      .execute()
    const two_factor_options = '{"enabled":true,"channel":"totp"}'
    await db.updateTable('users').set({ two_factor_options }).where('id', '=', id).execute()
    const sets: string[][] = []
    for (let times = 0; times < 2; times++) {
      const { code, stdout, stderr } = await runHere(place, ['users', 'recovery-codes', String(id)])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(/^(?:[0-9a-z]{5}-[0-9a-z]{5}\n){10}$/)
      sets.push(stdout.trim().split('\n'))
      const stored = await db.selectFrom('recovery_codes').selectAll().where('user_id', '=', id).execute()
      expect(stored).toHaveLength(10)
      for (const shown of sets.flat()) expect(JSON.stringify(stored)).not.toContain(shown.replace('-', ''))
    }
    expect(new Set(sets.flat()).size).toBe(20)
    const events = await db.selectFrom('activity').select(['event', 'actor_id']).where('subject_id', '=', id).execute()
    const renewed = { event: 'user.recovery_codes_renewed', actor_id: null }
    expect(events.slice(-2)).toEqual([renewed, renewed])
  })

  it('names a user whom nobody knows', async () => {
    const { code, stderr } = await runHere(place, ['users', 'recovery-codes', 'nobody@example.com'])
    expect(code).toBe(1)
    expect(stderr).toContain('nobody@example.com')
  })
})

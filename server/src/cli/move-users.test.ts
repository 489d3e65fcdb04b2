import { chmodSync, existsSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { firstOf } from '../testing/long-form.ts'
import { runHere } from '../testing/run-here.ts'
import { createInstallation, type Installation, newKey, root } from '../testing/server-process.ts'
import { until } from '../testing/until.ts'

let place: Installation
beforeAll(async () => {
  place = await createInstallation(inject('postgresUrl'), { GATEHOUSE_ADMIN_API_KEY: newKey() })
  await (await place.start()).stop()
})
afterAll(async () => place?.remove())

const program = join(root, 'server/bin/gatehouse.js')
const put = (name: string, content: string | Buffer): string => {
  const path = join(place.folder, name)
  writeFileSync(path, content)
  return path
}

describe('users import', () => {
  it('takes a file, says how far it is on standard error, and exits with 0', async () => {
    const path = put('users.csv', 'email,role\nadmin2@example.com,Admin\nuser2@example.com,\n')
    const { code, stdout, stderr } = await runHere(place, ['users', 'import', path])
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 created, 0 changed, 0 skipped, 0 failed')])
    expect(stderr).toMatch(/100 % \(2 of 2, \d+\/s\)\n$/)
  })

  it('takes standard input, gzip and NDJSON, and exits with 1 when a row failed', async () => {
    const packed = put('users.ndjson.gz', gzipSync('{"email":"packed@example.com"}\n'))
    expect((await runHere(place, ['users', 'import', packed])).code).toBe(0)
    const stdin = '{"email":"piped@example.com"}\n{"email":"packed@example.com"}\n'
    const { code, stdout, stderr } = await place.run(['users', 'import', '-', '--json'], { stdin })
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      { created: 1, failed: 1, errors: [{ line: 2, field: 'email' }] },
    ])
    expect(stderr).not.toContain('Error')
  })

  it.each(firstOf(['SIGINT', 'SIGTERM'] as const))('is cancelled by %s, and says so', async (signal) => {
    // So many that it cannot be over before the signal comes.
    const emails = Array.from({ length: 200_000 }, (_, index) => `${signal}${index}@example.com\n`)
    const path = put(`${signal}.csv`, `email\n${emails.join('')}`)
    const { process: child, said, ended } = place.spawn('node', [program, 'users', 'import', path])
    await until(() => /[1-9]\d* of 200,?000/.test(said.stderr) || child.exitCode !== null, 'the first users')
    child.kill(signal)
    const { code, stdout, stderr } = await ended
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^Job \d+ is cancelled: \d+ created/)])
    expect(stderr).toMatch(/Cancelling job \d+; what it has done stays/)
  })

  it('refuses what cannot be read, with one line', async () => {
    const path = put('bad.csv', 'email,shoe\na@example.com,1\n')
    const { code, stderr } = await runHere(place, ['users', 'import', path])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^gatehouse: columns: Unknown columns: "shoe"/)])
    expect(stderr).toContain('or ignore them with --ignore-unknown (HTTP: ignore_unknown=1).')
    const none = join(place.folder, 'none.csv')
    expect(await runHere(place, ['users', 'import', none])).toMatchObject({
      code: 1,
      stderr: `gatehouse: ${none}: there is no such file or folder.\n`,
    })
    expect(await runHere(place, ['users', 'import', place.folder])).toMatchObject({
      code: 1,
      stderr: `gatehouse: ${place.folder}: this is a folder, not a file.\n`,
    })
    const parameters = ['--hash-parameters', `@${place.folder}`]
    expect(await runHere(place, ['users', 'import', path, ...parameters])).toMatchObject({
      code: 1,
      stderr: `gatehouse: ${place.folder}: this is a folder, not a file.\n`,
    })
  })

  it('changes nothing in a dry run', async () => {
    const { stdout } = await place.run(['users', 'import', '-', '--dry-run'], { stdin: 'email\ndry@example.com\n' })
    expect(stdout).toContain('dry run')
    expect((await runHere(place, ['users', 'list', '--search', 'dry@'])).stdout).toContain('0 of 0')
  })
})

describe('users export', () => {
  it('writes to standard output or a file; hashes only when asked for', async () => {
    const { code, stdout } = await place.run(['users', 'export', '--fields', 'email', '--filter', 'search=piped'])
    expect([code, stdout]).toEqual([0, 'email\r\npiped@example.com\r\n'])
    const output = join(place.folder, 'all.ndjson')
    await runHere(place, ['users', 'export', '--format', 'ndjson', '--output', output])
    expect(readFileSync(output, 'utf8')).not.toContain('argon2')
    expect(statSync(output).mode & 0o777).toBe(0o600)
    const secret = await place.run(['users', 'export', '--with-password-hashes', '--fields', 'email', '--sort', 'id'])
    expect(secret.stdout).toContain('admin@localhost,"$argon2id$')
    const named = ['users', 'export', '--with-password-hashes', '--fields', 'password_hash,email', '--sort', 'id']
    expect((await place.run(named)).stdout).toMatch(/^password_hash,email\r\n"\$argon2id\$.*",admin@localhost\r\n/)
  })

  it('writes NDJSON with --json', async () => {
    const { code, stdout } = await place.run('users export --fields email --filter search=piped --json'.split(' '))
    expect([code, stdout]).toEqual([0, '{"email":"piped@example.com"}\n'])
  })
})

describe('users export --output', () => {
  it('writes a file for its owner only, whoever has put one in its way', async () => {
    const output = join(place.folder, 'guarded.csv')
    const elsewhere = put('elsewhere.csv', '')
    put('guarded.csv.partial', '')
    chmodSync(`${output}.partial`, 0o666)
    const { code } = await runHere(place, ['users', 'export', '--with-password-hashes', '--output', output])
    expect([code, statSync(output).mode & 0o777]).toEqual([0, 0o600])
    symlinkSync(elsewhere, `${output}.partial`)
    await runHere(place, ['users', 'export', '--with-password-hashes', '--output', output])
    expect([lstatSync(output).isFile(), readFileSync(elsewhere, 'utf8')]).toEqual([true, ''])
  })

  it('that is ended leaves the file as it was, and nothing beside it', async () => {
    // So many that it cannot be over before the signal comes.
    const emails = Array.from({ length: 200_000 }, (_, index) => `many${index}@example.com\n`)
    await runHere(place, ['users', 'import', put('many.csv', `email\n${emails.join('')}`)])
    const output = put('kept.csv', 'an earlier export')
    const { process: child, ended } = place.spawn('node', [program, 'users', 'export', '--output', output])
    await until(() => existsSync(`${output}.partial`) || child.exitCode !== null, 'the export to begin')
    child.kill('SIGTERM')
    expect((await ended).code).toBe(null)
    expect(readFileSync(output, 'utf8')).toBe('an earlier export')
    expect(existsSync(`${output}.partial`)).toBe(false)
  })

  it('writes to a device as it is', async () => {
    expect(await runHere(place, ['users', 'export', '--output', '/dev/null'])).toMatchObject({ code: 0 })
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
  })

  it('writes to standard output where it is -, and names the file that it cannot write', async () => {
    const { code, stdout } = await place.run('users export --fields email --filter id=1 --output -'.split(' '))
    expect([code, stdout]).toEqual([0, 'email\r\nadmin@localhost\r\n'])
    expect(existsSync(join(place.folder, '-'))).toBe(false)
    const output = join(place.folder, 'none/users.csv')
    expect(await runHere(place, ['users', 'export', '--output', output])).toMatchObject({
      code: 1,
      stderr: `gatehouse: ${output}: there is no such file or folder.\n`,
    })
  })

  it('ends quietly where nobody reads on', async () => {
    const { said, ended } = place.spawn('sh', ['-c', `node '${program}' users export 2>errors.txt | head -c 1`])
    await ended
    expect(said.stdout).toHaveLength(1)
    expect(readFileSync(join(place.folder, 'errors.txt'), 'utf8')).not.toContain('EPIPE')
  })
})

describe('users bulk', () => {
  it('acts on ids or a filter, above every role, with exit codes', async () => {
    const ban = ['users', 'bulk', 'ban', '--filter', 'search=admin2@', '--json']
    const wrong = await runHere(place, [...ban, '--expected', '2'])
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('1 user matches now, not 2')])
    const { code, stdout } = await runHere(place, [...ban, '--expected', '1'])
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { status: 'done', updated: 1 }])
    const last = await runHere(place, ['users', 'bulk', 'delete', '--ids', '1', '--expected', '1', '--json'])
    expect(JSON.parse(last.stdout)).toMatchObject({ updated: 0, skipped: 1 })
    const ids = ['--ids', '1', '--ids', '999', '--expected', '2']
    const both = await runHere(place, ['users', 'bulk', 'end_sessions', ...ids, '--json'])
    expect(JSON.parse(both.stdout)).toMatchObject({ total: 2 })
    expect((await runHere(place, ['users', 'bulk', 'explode', '--ids', '1', '--expected', '1'])).code).toBe(2)
  })

  it.each(['role_id', 'role_id=', 'status= ', '=Active', ''])('and an export refuse the filter %j', async (filter) => {
    const commands = [
      ['bulk', 'end_sessions', '--expected', '1'],
      ['export', '--fields', 'email'],
    ]
    for (const command of commands) {
      const { code, stdout, stderr } = await runHere(place, ['users', ...command, '--filter', filter])
      expect({ command, code, stdout }).toEqual({ command, code: 2, stdout: '' })
      expect(stderr).toContain(`'--filter <name=value>' argument '${filter}' is invalid. Write name=value.`)
    }
  })
})

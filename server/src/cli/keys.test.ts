import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { runHere } from '../testing/run-here.ts'
import { createInstallation, type Installation, newKey, type ServerProcess } from '../testing/server-process.ts'

let place: Installation
let server: ServerProcess
beforeAll(async () => {
  place = await createInstallation(inject('postgresUrl'), { GATEHOUSE_ADMIN_API_KEY: newKey() })
  server = await place.start() // it runs all the time: the command line works beside it
})
afterAll(() => place.remove())

const statusWith = async (key: string, request = 'GET /users'): Promise<number> =>
  (await server.call(request, { key })).status

const create = (...args: string[]) => runHere(place, ['keys', 'create', ...args])

/** The command must fail with 1 and one line that says so. */
async function expectFailure(args: string[], message: string): Promise<void> {
  const { code, stdout, stderr } = await runHere(place, args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^gatehouse: [^\n]+\n$/)
  expect(stderr).toContain(message)
}

describe('keys create', () => {
  it.each(['1', 'admin@localhost', ' Admin@LocalHost ', 'ADMIN'])(
    'prints a key, and nothing but the key, that works at once: --user %j',
    async (user) => {
      const { code, stdout, stderr } = await create('--user', user, '--name', 'nightly')
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(/^gh_[\w-]{43}\n$/)
      expect(await statusWith(stdout.trim())).toBe(200)
    },
  )

  it('--json prints the key as the API does', async () => {
    const expires = '9999-01-01 00:00:00'
    const scope = 'users.manage, users.activity'
    const { stdout } = await create(
      '--user',
      '1',
      '--name',
      'x',
      '--permissions',
      scope,
      '--expires',
      expires,
      '--json',
    )
    const key = JSON.parse(stdout)
    expect(key).toMatchObject({
      user_id: 1,
      name: 'x',
      permissions: ['users.manage', 'users.activity'],
      expires_at: expires,
      key: expect.stringMatching(/^gh_[\w-]{43}$/),
    })
    expect([await statusWith(key.key), await statusWith(key.key, 'GET /roles/1/permissions')]).toEqual([200, 200])
    expect(await statusWith(key.key, 'POST /roles')).toBe(403)
  })

  it.each([
    [['--user', 'nobody@example.com'], 'There is no user "nobody@example.com".'],
    [['--user', '99'], 'There is no user "99".'],
    [['--user', 'nobody'], 'There is no user "nobody".'],
    [['--user', '1', '--permissions', 'users.manage,fly'], 'There is no permission "fly".'],
    [['--user', '1', '--expires', 'tomorrow'], 'expires_at: '],
    [['--user', '1', '--expires', '2000-01-01 00:00:00'], 'must lie in the future'],
    [['--user', '1', '--name', ' '], 'name: '],
  ])('%j fails and says why', (args, message) => expectFailure(['keys', 'create', '--name', 'x', ...args], message))
})

it('keys create names a permission that the owner of the key lacks', async () => {
  const password = 'correct horse battery'
  const body = { email: 'plain@example.com', role_id: 2, password, password_confirmation: password }
  await server.call('POST /users', { body })
  const args = ['keys', 'create', '--user', body.email, '--name', 'x', '--permissions', 'users.manage']
  await expectFailure(args, 'The owner of this key lacks the permission users.manage.')
})

describe('keys list', () => {
  it('--json is JSON of every key, without the secrets', async () => {
    const { stdout: secret } = await create('--user', '1', '--name', 'listed')
    const { code, stdout, stderr } = await runHere(place, ['keys', 'list', '--json', '--user', 'admin'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const keys = JSON.parse(stdout)
    expect(keys.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['First key', 'listed']))
    expect(Object.keys(keys[0])).not.toContain('key_hash')
    expect(stdout).not.toContain(secret.trim())
  })

  it('is a readable table, one line per key, in which no name can control the terminal', async () => {
    const name = 'a\u001b[2J\u009b31m\r\u0007\u202eb\nid'
    const { body } = await server.call('POST /api-keys', { body: { name } })
    expect(body.data.name).toBe(name)
    const { stdout } = await runHere(place, ['keys', 'list'])
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^id +user_id +name +permissions +expires_at +last_used_at +created_at$/)
    expect(lines.filter((line) => line.startsWith(`${body.data.id} `))).toHaveLength(1)
    expect(stdout).toContain('a�[2J�31m���b�id')
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    const json = await runHere(place, ['keys', 'list', '--json'])
    expect(JSON.parse(json.stdout).at(-1).name).toBe(name)
    expect(json.stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })

  it('lists more keys than one page of the API has', async () => {
    for (let made = 0; made < 101; made++) await server.call('POST /api-keys', { body: { name: `many ${made}` } })
    const { stdout } = await runHere(place, ['keys', 'list', '--json'])
    const names = JSON.parse(stdout).filter(({ name }: { name: string }) => name.startsWith('many '))
    expect(names).toHaveLength(101)
  })

  it('of an unknown user fails and says so', () => expectFailure(['keys', 'list', '--user', 'x'], 'no user "x"'))
})

describe('keys revoke', () => {
  it('revokes a key for the running server, at its next request', async () => {
    const { stdout } = await create('--user', '1', '--name', 'short-lived', '--json')
    const { id, key } = JSON.parse(stdout)
    expect(await statusWith(key)).toBe(200)
    const revoked = await runHere(place, ['keys', 'revoke', String(id)])
    expect(revoked).toEqual({ code: 0, stdout: `API key ${id} is revoked.\n`, stderr: '' })
    expect(await statusWith(key)).toBe(401)
    await expectFailure(['keys', 'revoke', String(id)], `There is no API key ${id}.`)
  })
})

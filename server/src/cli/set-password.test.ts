import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createInstallation, type Installation } from '../testing/server-process.ts'

let place: Installation
beforeAll(async () => {
  place = await createInstallation(inject('postgresUrl'))
  await place.run(['users', 'create', '--email', 'ada@example.com', '--username', 'ada', '--password-stdin'], {
    stdin: 'analytical engine',
  })
})
afterAll(() => place.remove())

const signIn = async (password: string): Promise<number> => {
  const server = await place.start()
  const { status } = await server.call('POST /login', { body: { username: 'ada', password }, key: null })
  await server.stop()
  return status
}

it('sets the password from standard input; the old one no longer works', async () => {
  const { code, stdout } = await place.run(['users', 'set-password', 'ada', '--password-stdin'], {
    stdin: 'difference engine\n',
  })
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'The password of user 1 is set.\n' })
  expect(await signIn('difference engine')).toBe(200)
  expect(await signIn('analytical engine')).toBe(422)
})

it('generates one and prints it once if none is given', async () => {
  const { stdout } = await place.run(['users', 'set-password', 'ada@example.com'])
  const [, password = ''] = /shown once: (\S+)/.exec(stdout) ?? []
  expect(await signIn(password)).toBe(200)
})

it.each([
  [['ada', '--password-stdin'], '', 'password: The password field is required.'],
  [['ada', '--password-stdin'], '\n', 'password: The password field is required.'],
  [['ada', '--password-stdin'], 'password1', 'This password is too common.'],
  [['ada', '--password-stdin'], 'Welcome2026!', 'This password is too easy to guess. A word with digits'],
  [['nobody'], '', 'There is no user "nobody".'],
])('%j fails with 1 and says why', async (args, stdin, message) => {
  const { code, stderr } = await place.run(['users', 'set-password', ...args], { stdin })
  expect(code).toBe(1)
  expect(stderr).toContain(message)
})

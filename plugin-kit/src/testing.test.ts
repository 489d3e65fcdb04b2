import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { startGatehouse, type TestServer } from './testing.ts'

const root = resolve(import.meta.dirname, '../..')

let server: TestServer
beforeAll(async () => {
  server = await startGatehouse([resolve(root, 'examples/plugin-notes')], { checkout: root })
})
afterAll(() => server.stop())

it('a test of a plugin calls a real server, as the administrator, as somebody with few permissions and as nobody', async () => {
  const note = { user_id: 1, text: 'Called.' }
  expect(await server.call('POST /notes', { body: note })).toMatchObject({ status: 201, body: { data: note } })
  const writer = await server.createUser(['notes.manage'])
  expect((await server.call('GET /notes', writer)).body).toMatchObject({ data: [note] })
  const { token, ...user } = await server.createUser()
  expect(user).toEqual({ id: 3, email: expect.stringContaining('@example.com') })
  expect((await server.call('GET /notes', { token })).status).toBe(403)
  expect((await server.call('GET /notes', { token: null })).status).toBe(401)
})

it('a test of a plugin reads the mail that was sent', async () => {
  await server.call('POST /users/invite', { body: { email: 'new@example.com', role_id: 2 } })
  expect(await server.lastMessage('new@example.com')).toMatchObject({
    subject: expect.any(String),
    text: expect.stringMatching(/accept-invitation/),
  })
})

it('a plugin that is refused fails its test with the reason, and leaves no folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-kit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(startGatehouse([])).rejects.toThrow(/Install the package gatehouse, or name a checkout/)
  await expect(startGatehouse(['./nowhere'], { checkout: root })).rejects.toThrow(/nowhere: there is nothing at/)
  expect(readdirSync(folder)).toEqual([])
})

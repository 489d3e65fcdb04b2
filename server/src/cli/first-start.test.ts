import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createInstallation, newKey } from '../testing/server-process.ts'

async function install(settings: Record<string, string>) {
  const place = await createInstallation(inject('postgresUrl'), settings)
  onTestFinished(place.remove)
  return { ...place, file: join(place.folder, 'data/first-start.txt') }
}

const given = { GATEHOUSE_ADMIN_PASSWORD: 'a canary in the mine', GATEHOUSE_ADMIN_API_KEY: newKey() }

describe.each([{ JOURNAL_STREAM: '8:1234' }, { NODE_ENV: 'production' }])('the first start with %j', (settings) => {
  it('keeps generated secrets in a file of its user until the administrator signs in', async () => {
    const place = await install(settings)
    const server = await place.start()
    const text = readFileSync(place.file, 'utf8')
    const [, password = '', key = ''] = /password {2}(\S{20})\n {2}API key {3}(gh_[\w-]{43})\n$/.exec(text) ?? []
    expect(statSync(place.file).mode & 0o777).toBe(0o600)
    expect(server.said.stdout).toContain(`secrets are in ${place.file} until their first sign-in.\n`)
    for (const secret of [password, key]) expect(server.said.stdout + server.said.stderr).not.toContain(secret)
    expect((await server.call('GET /users', { key })).status).toBe(200)

    const { body } = await server.call('POST /users', {
      key,
      body: { email: 'u@example.com', password, password_confirmation: password, role_id: 2 },
    })
    expect(body.data.email).toBe('u@example.com')
    const signIn = (username: string) => server.call('POST /login', { key: null, body: { username, password } })
    expect((await signIn('u@example.com')).status).toBe(200)
    expect(existsSync(place.file)).toBe(true)
    expect((await signIn('admin@localhost')).status).toBe(200)
    expect(existsSync(place.file)).toBe(false)
  })
})

describe('the file of the first secrets', () => {
  it('is not written where nothing was generated', async () => {
    const place = await install({ ...given, NODE_ENV: 'production' })
    const { said } = await place.start()
    expect(said.stdout).toContain('admin@localhost')
    expect(existsSync(place.file)).toBe(false)
  })

  it('goes at the next start where the administrator signed in on another node', async () => {
    const settings = { NODE_ENV: 'production', GATEHOUSE_ADMIN_PASSWORD: given.GATEHOUSE_ADMIN_PASSWORD }
    const place = await install({ ...settings, GATEHOUSE_DATABASE_URL: '' })
    const database = place.database.url
    const [first, other] = ['first', 'other'].map((name) => ({
      GATEHOUSE_DATABASE_URL: database,
      GATEHOUSE_DATA_DIR: join(place.folder, name),
      GATEHOUSE_SECRET_KEY: newKey().slice(3),
    }))
    const key = { GATEHOUSE_SECRET_KEY: first?.GATEHOUSE_SECRET_KEY ?? '' }
    const file = join(place.folder, 'first/first-start.txt')
    await (await place.start({ ...first, ...key })).stop()
    const { call, stop } = await place.start({ ...other, ...key })
    const body = { username: 'admin@localhost', password: given.GATEHOUSE_ADMIN_PASSWORD }
    expect((await call('POST /login', { key: null, body })).status).toBe(200)
    await stop()
    expect(existsSync(file)).toBe(true)
    await place.start({ ...first, ...key })
    expect(existsSync(file)).toBe(false)
  })

  it('must have a place before the administrator is created', async () => {
    const place = await install({ NODE_ENV: 'production', GATEHOUSE_SECRET_KEY: newKey().slice(3) })
    const [nowhere, elsewhere] = ['/proc/gatehouse', `file:${place.folder}/pictures`]
    for (const settings of [{}, { GATEHOUSE_STORAGE_URL: elsewhere }]) {
      const { code, stderr } = await place.run(['start'], { settings: { GATEHOUSE_DATA_DIR: nowhere, ...settings } })
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^gatehouse: GATEHOUSE_DATA_DIR: \/proc\/gatehouse\//)])
    }
    await place.start()
    expect(existsSync(place.file)).toBe(true)
  })
})

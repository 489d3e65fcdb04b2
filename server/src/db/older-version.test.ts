import { sql } from 'kysely'
import { expect, inject, it, onTestFinished } from 'vitest'
import { unpackOlderVersion } from '../testing/older-version/older-version.ts'
import { createInstallation, newKey, type ServerProcess } from '../testing/server-process.ts'
import { until } from '../testing/until.ts'
import { noteCompatibility } from './installation.ts'
import { compareMigrations } from './migrate.ts'
import { openDatabase } from './open.ts'

const password = 'correct horse battery staple'

async function install() {
  const place = await createInstallation(inject('postgresUrl'), { GATEHOUSE_ADMIN_API_KEY: newKey() })
  onTestFinished(place.remove)
  const open = () => {
    const db = openDatabase(place.database.address, () => {})
    onTestFinished(() => db.destroy())
    return db
  }
  return { place, open }
}

/** Does with one node what is read with the other: accounts, roles, sessions, keys, settings, the search and the audit log. */
async function work(writer: ServerProcess, reader: ServerProcess, name: string): Promise<void> {
  const ok = async (server: ServerProcess, request: string, body?: object, key?: string) => {
    const answer = await server.call(request, { body, ...(key === undefined ? {} : { key }) })
    if (answer.status >= 300) throw new Error(`${request}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  const role = (await ok(writer, 'POST /roles', { name: `Role of ${name}` })).data
  await ok(reader, `PUT /roles/${role.id}/permissions`, { permissions: ['users.manage'] })
  const email = `${name}@example.com`
  const fields = { email, username: name, first_name: 'Zoë', password, password_confirmation: password }
  const user = (await ok(writer, 'POST /users', { ...fields, role_id: role.id, status: 'Active' })).data
  expect((await ok(reader, `GET /users/${user.id}?include=role`)).data).toMatchObject({
    email,
    role: { name: role.name },
  })
  expect((await ok(reader, `GET /users?filter[search]=${name}`)).meta.total).toBe(1)

  const session = await ok(writer, 'POST /login', { username: name, password })
  expect((await ok(reader, 'GET /me', undefined, session.token)).data.id).toBe(user.id)
  await ok(reader, 'PATCH /me/details', { last_name: 'Later' }, session.token)
  expect((await ok(writer, `GET /users/${user.id}`)).data.last_name).toBe('Later')
  const { key } = (await ok(writer, 'POST /api-keys', { name })).data
  expect((await ok(reader, 'GET /me', undefined, key)).data.id).toBe(1)

  await ok(writer, 'PATCH /settings', { 'session.idle_minutes': 90 })
  expect((await ok(reader, 'GET /settings')).data).toMatchObject({ 'session.idle_minutes': 90 })
  await ok(writer, `PATCH /users/${user.id}`, { status: 'Banned' })
  expect((await reader.call('GET /me', { key: session.token })).status).toBe(401)
  await ok(reader, `DELETE /users/${user.id}`)
  expect((await writer.call(`GET /users/${user.id}`)).status).toBe(404)
}

it('an older node goes on beside a newer one, which has migrated the database; each reads what the other writes', async () => {
  const older = await unpackOlderVersion()
  onTestFinished(older.remove)
  const { place, open } = await install()
  const old = await place.start({}, older.root)
  await work(old, old, 'alone')
  const before = (await compareMigrations(open())).pending
  expect(before).toContain('0038-nodes')

  const current = await place.start()
  expect((await compareMigrations(open())).pending).toEqual([])
  await work(old, current, 'first')
  await work(current, old, 'second')
  for (const server of [old, current]) expect((await server.call('GET //readyz')).status).toBe(200)
  expect((await place.run(['activity', 'verify'])).code).toBe(0)
  expect(await old.stop()).toMatchObject({ code: 0, stderr: '' })
  expect(await current.stop()).toMatchObject({ code: 0, stderr: '' })
})

it('a start on the schema of a newer version says so, where that one has noted that this one runs on it', async () => {
  const { place, open } = await install()
  expect((await place.run(['migrate'])).code).toBe(0)
  const db = open()
  await sql`insert into kysely_migration values ('9999-later', '2999-01-01')`.execute(db)
  await noteCompatibility(db, { runsSince: '0032-webhooks', upTo: '9999-later' })
  await db.destroy()
  const server = await place.start()
  await until(() => server.said.stdout.includes('a newer version runs on this database, too'), 'the line in the log')
  expect((await server.call('POST /roles', { body: { name: 'Beside' } })).status).toBe(201)
  const { stdout } = await place.run(['migrate', '--status'])
  expect(stdout).toMatch(/9999-later +done 2999-01-01 00:00:00, by a newer version\n/)
  expect(stdout).toContain('Versions that know 0032-webhooks run on this schema.\n')
})

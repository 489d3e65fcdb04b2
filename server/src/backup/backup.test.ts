import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '@gatehouse/plugin-kit/testing'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { connect } from '../testing/databases.ts'
import { formHeaders, formOf, pictureOf } from '../testing/images.ts'
import { itOnce } from '../testing/it-once.ts'
import { runHere } from '../testing/run-here.ts'
import { createInstallation, createMigrated, type Installation, type ServerProcess } from '../testing/server-process.ts'
import { until } from '../testing/until.ts'
import { readArchive } from './archive-read.ts'

vi.setConfig({ testTimeout: 120_000 }) // each starts the program several times

type Kind = 'sqlite' | 'postgres'
const own: Kind = inject('postgresUrl') === null ? 'sqlite' : 'postgres'
/** From and to: all that this run has. */
const pairs: readonly (readonly [Kind, Kind])[] =
  own === 'sqlite'
    ? [['sqlite', 'sqlite']]
    : [
        ['postgres', 'postgres'],
        ['postgres', 'sqlite'],
        ['sqlite', 'postgres'],
      ]

const urlOf = (kind: Kind): string | null => (kind === 'postgres' ? inject('postgresUrl') : null)

/** A place to restore into. */
async function install(kind: Kind = own, settings = {}): Promise<Installation> {
  const installation = await createInstallation(urlOf(kind), settings)
  onTestFinished(installation.remove)
  return installation
}

async function upload(node: ServerProcess, seed: number): Promise<void> {
  const data = await pictureOf(seed)
  const body = formOf([{ name: 'file', filename: 'a.png', bytes: data }])
  const headers = { ...formHeaders, authorization: `Bearer ${node.key}` }
  const { status } = await fetch(`${node.url}/api/me/avatar`, { method: 'POST', headers, body: new Uint8Array(body) })
  expect(status).toBe(200)
}

/** Users, a session, a picture with odd characters around it, and mail that waits for a server that does not answer. */
async function fill(node: ServerProcess): Promise<{ token: string; avatar: string }> {
  await upload(node, 1)
  const odd = 'tab\tline\nback\\slash \\N ünï 🦉'
  const fields = { role_id: 2, password: 'correct horse battery', password_confirmation: 'correct horse battery' }
  const made = await node.call('POST /users', {
    body: { email: 'ada@example.com', address: odd, first_name: 'Ada', ...fields },
  })
  expect(made.status).toBe(201)
  const deleted = await node.call('POST /users', { body: { email: 'gone@example.com', ...fields } })
  await node.call(`DELETE /users/${deleted.body.data.id}`)
  const { body } = await node.call('POST /login', {
    key: null,
    body: { username: 'ada@example.com', password: 'correct horse battery' },
  })
  await node.call('POST /password/remind', { key: null, body: { email: 'ada@example.com' } })
  const me = await node.call('GET /me')
  return { token: body.token, avatar: new URL(me.body.data.avatar).pathname }
}

const users = async (node: ServerProcess, key?: string) =>
  (await node.call('GET /users?sort=created_at', key === undefined ? {} : { key })).body.data

const smtp = 'smtp://127.0.0.1:1'

/** Takes what is in an archive, and keeps nothing. */
const nowhere: Parameters<typeof readArchive>[2] = {
  header: async () => {},
  rows: async (_table, chunks) => {
    for await (const _chunk of chunks);
  },
  avatar: async () => {},
  secret: async () => {},
  onRows: () => {},
}

async function createFilled(kind: Kind = own) {
  const settings = { GATEHOUSE_MAIL_URL: smtp, GATEHOUSE_PUBLIC_URL: 'http://gatehouse.test' }
  const from = await createMigrated(urlOf(kind), settings)
  onTestFinished(from.remove)
  const node = await from.start()
  const { token, avatar } = await fill(node)
  return { from, node, token, avatar }
}

/** Whether PostgreSQL has statistics of a table with rows, and of an empty one. */
const analyzed = ({ database }: Installation) =>
  connect(database.url, async (client) => {
    const { rows } = await client.query<{ relname: string; reltuples: number }>(
      "select relname, reltuples from pg_class where relname in ('users', 'webhooks')",
    )
    return Object.fromEntries(rows.map(({ relname, reltuples }) => [relname, reltuples >= 0]))
  })

for (const [source, target] of pairs) {
  it(`a backup of a running service on ${source} is restored whole into ${target}`, async () => {
    const { from, node, token, avatar } = await createFilled(source)
    const file = join(from.folder, 'a.tar.zst')
    const created = await from.run(['backup', 'create', file])
    expect(created).toMatchObject({ code: 0 })
    expect(created.stdout).toMatch(/2 users, 2 pictures/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(from.folder).filter((name) => name.startsWith('a.tar.zst'))).toEqual(['a.tar.zst'])
    const before = await users(node)

    const to = await install(target, { GATEHOUSE_MAIL_URL: smtp, GATEHOUSE_PUBLIC_URL: 'http://gatehouse.test' })
    const restored = await to.run(['restore', file])
    expect(restored).toMatchObject({ code: 0 })
    expect(restored.stderr).toContain('Comparing every row')
    if (target === 'postgres') expect(await analyzed(to)).toEqual({ users: true, webhooks: false })
    const copy = await to.start()
    expect(await users(copy, node.key)).toEqual(before)
    expect((await copy.call('GET /me', { key: token })).status).toBe(200)
    expect((await fetch(copy.url + avatar)).status).toBe(200)
    const found = await copy.call('GET /users?filter[search]=ada', { key: node.key })
    expect(found.body.meta.total).toBe(1)
    const verified = await to.run(['activity', 'verify'])
    expect(verified).toMatchObject({ code: 0 })
    // No id is given twice, although the last one was deleted before.
    const next = await copy.call('POST /users', {
      key: node.key,
      body: {
        email: 'new@example.com',
        role_id: 2,
        password: 'correct horse battery',
        password_confirmation: 'correct horse battery',
      },
    })
    expect(next.body.data.id).toBe(4)
    const events = await node.call('GET /activity?filter[event]=backup.created')
    expect(events.body.data).toHaveLength(1)
  })
}

itOnce('names the store of pictures that is away, on one line', async () => {
  const { from, node } = await createFilled()
  const file = join(from.folder, 'whole.tar.zst')
  expect(await runHere(from, ['backup', 'create', file])).toMatchObject({ code: 0 })
  await node.stop()
  const store = `127.0.0.1:${await freePort()}`
  const settings = { GATEHOUSE_STORAGE_URL: `s3://a:b@${store}/pictures?path_style=1` }
  const into = await install(own, settings)
  for (const { code, stderr } of [
    await runHere(from, ['backup', 'create', join(from.folder, 'other.tar.zst')], settings),
    await runHere(into, ['restore', file]),
  ]) {
    expect(code).toBe(1)
    const said = `gatehouse: the storage at ${store} cannot be reached: fetch failed: connect ECONNREFUSED ${store}`
    expect(stderr.split('\n')).toContain(said)
    expect(stderr).not.toMatch(/^ +at /m)
  }
})

itOnce('holds what waited until it is released, and ends sessions where it is told to', async () => {
  const { from, node, token } = await createFilled()
  const file = join(from.folder, 'a.tar.zst')
  await runHere(from, ['backup', 'create', file])
  const to = await install(own, { GATEHOUSE_MAIL_URL: smtp, GATEHOUSE_PUBLIC_URL: 'http://gatehouse.test' })
  const { stdout } = await runHere(to, ['restore', file, '--end-sessions'])
  expect(stdout).toMatch(/1 session was ended\.\n\d+ messages? and all webhooks are held/)
  const copy = await to.start()
  expect((await copy.call('GET /me', { key: token })).status).toBe(401)
  const list = async () => (await copy.call('GET /deliveries?filter[status]=queued', { key: node.key })).body.data
  const held = await list()
  expect(held.length).toBeGreaterThan(0)
  expect(held[0].next_try_at).toMatch(/^9999-12-31/)
  const released = await runHere(to, ['deliveries', 'release'])
  const said = `^${held.length} messages? (is|are) due now, and 0 webhooks are served again`
  expect(released).toMatchObject({ code: 0, stdout: expect.stringMatching(said) })
  await until(
    async () => (await list()).every((message: { attempts: number }) => message.attempts > 0),
    'the mail to be tried',
  )
})

itOnce('sends nothing that the original sends, though it was in the middle of it', async () => {
  const { from, node } = await createFilled()
  expect(await runHere(from, ['seed', '--users', '5000'])).toMatchObject({ code: 0 })
  await node.call('PATCH /settings', { body: { 'announcements.mails_per_minute': 600 } })
  await node.call('POST /announcements', { body: { title: 'News', body: 'Text', email_notifications: true } })
  const { meta } = (await node.call('GET /users?filter[status]=Active')).body
  const bulk = { action: 'send_password_reset', filter: { status: 'Active' }, expected: meta.total }
  const { id } = (await node.call('POST /users/bulk', { body: bulk })).body.data
  await until(async () => (await node.call(`GET /jobs/${id}`)).body.data.done > 0, 'the job to begin')
  const file = join(from.folder, 'a.tar.zst')
  await runHere(from, ['backup', 'create', file])
  const to = await install(own, { GATEHOUSE_MAIL_URL: smtp, GATEHOUSE_PUBLIC_URL: 'http://gatehouse.test' })
  const { stdout } = await runHere(to, ['restore', file])
  expect(stdout).toContain('1 job was under way. What was done stays; the rest is not done.')
  const copy = await to.start()
  const read = async (path: string) => (await copy.call(`GET ${path}`, { key: node.key })).body
  await until(async () => (await read(`/jobs/${id}`)).data.status === 'failed', 'the job to end')
  expect((await read(`/jobs/${id}/errors`)).data).toMatchObject([{ code: 'job_restored' }])
  const waiting = async () => (await read('/deliveries?filter[status]=queued&per_page=1&sort=-id')).meta.total
  const before = await waiting()
  await until(async () => (await waiting()) > before, 'the announcement to go on')
  const tried = async () => {
    const { data } = await read('/deliveries?per_page=100&sort=-id')
    return data.filter((one: { attempts: number; next_try_at: string }) => !one.next_try_at.startsWith('9999'))
  }
  expect(await tried()).toEqual([])
  await runHere(to, ['deliveries', 'release'])
  await until(async () => (await tried()).length > 0, 'the mail to be tried')
})

itOnce('encrypts with a passphrase, so that age can read it, and verifies without any setting', async () => {
  const { from } = await createFilled()
  const phrase = join(from.folder, 'phrase')
  writeFileSync(phrase, 'a long passphrase\n')
  const [plain, sealed] = [join(from.folder, 'plain.tar.zst'), join(from.folder, 'sealed.tar.zst')]
  await runHere(from, ['backup', 'create', plain])
  const created = await runHere(from, ['backup', 'create', sealed, '--passphrase-file', phrase])
  expect(created).toMatchObject({ code: 0, stdout: expect.stringContaining('It is encrypted.') })
  expect(readFileSync(sealed).subarray(0, 21).toString()).toBe('age-encryption.org/v1')
  const bare = { GATEHOUSE_DATABASE_URL: 'nonsense', GATEHOUSE_NONSENSE: '1' }
  expect(await runHere(from, ['backup', 'verify', plain], bare)).toMatchObject({ code: 0 })
  expect(await runHere(from, ['backup', 'verify', sealed, '--passphrase-file', phrase], bare)).toMatchObject({
    code: 0,
  })
  const refused = await runHere(from, ['backup', 'verify', sealed], bare)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('it is encrypted: give --passphrase-file') })
  const swapped = await runHere(from, ['backup', 'verify', plain, '--passphrase-file', phrase])
  expect(swapped).toMatchObject({ code: 1, stderr: expect.stringContaining('it is not encrypted') })
  writeFileSync(phrase, 'another passphrase\n')
  const wrong = await runHere(from, ['backup', 'verify', sealed, '--passphrase-file', phrase])
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('the passphrase is wrong') })
})

itOnce('refuses damaged archives, files that are there, and places that are not empty', async () => {
  const { from } = await createFilled()
  expect(await runHere(from, ['backup', 'create', '-'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'gatehouse: a backup cannot be written to standard output. Name a file.\n',
  })
  const file = join(from.folder, 'a.tar.zst')
  await runHere(from, ['backup', 'create', file])
  expect(await runHere(from, ['backup', 'create', file])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--force'),
  })
  const full = await runHere(from, ['restore', file])
  expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') })
  expect(await runHere(from, ['backup', 'create', file, '--force'])).toMatchObject({ code: 0 })

  const bytes = readFileSync(file)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(join(from.folder, 'changed'), bytes)
  expect(await runHere(from, ['backup', 'verify', join(from.folder, 'changed')])).toMatchObject({
    code: 1,
    stderr: /changed: .+\.\n$/,
  })
  // The manifest stands at the end: no bit of it changes unnoticed.
  const whole = readFileSync(file)
  const original = await readArchive(file, undefined, nowhere)
  const flipped = join(from.folder, 'flipped')
  for (let bit = 8 * (whole.length - 400); bit < 8 * whole.length; bit += 7) {
    const copy = Buffer.from(whole)
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    writeFileSync(flipped, copy)
    const read = await readArchive(flipped, undefined, nowhere).catch(() => original)
    expect(read, `bit ${bit} of ${8 * whole.length}`).toEqual(original)
  }
  truncateSync(file, middle)
  const cut = await runHere(from, ['backup', 'verify', file])
  expect(cut).toMatchObject({ code: 1, stdout: '' })
  expect(cut.stderr).toMatch(/a\.tar\.zst: it is damaged|its end is missing/)
  const to = await install()
  expect(await runHere(to, ['restore', file])).toMatchObject({ code: 1 })
})

itOnce('is restored into an empty data folder only: what others left there does not become part of it', async () => {
  const { from } = await createFilled()
  const file = join(from.folder, 'a.tar.zst')
  await runHere(from, ['backup', 'create', file])
  const to = await install(own, own === 'sqlite' ? { GATEHOUSE_DATABASE_URL: '' } : {}) // the database is in there, too
  const data = join(to.folder, 'data')
  for (const name of ['file', '.hidden', 'avatars/x.webp', 'sms-gateway-secret', 'secret-key']) {
    mkdirSync(dirname(join(data, name)), { recursive: true })
    writeFileSync(join(data, name), 'foreign\n')
    const before = readdirSync(data, { recursive: true })
    const refused = await runHere(to, ['restore', file])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^gatehouse: [^\n]*is not empty[^\n]*Restore into an empty data folder[^\n]*\n$/)
    expect(refused.stderr).toContain(join(data, name))
    expect(readdirSync(data, { recursive: true })).toEqual(before)
    expect(readFileSync(join(data, name), 'utf8')).toBe('foreign\n')
    rmSync(data, { recursive: true })
  }
  // What a mounted volume brings along, a place to mount another one, and a database without a table.
  for (const folder of ['lost+found', 'avatars']) mkdirSync(join(data, folder), { recursive: true })
  writeFileSync(join(data, 'lost+found', '#12'), '')
  if (own === 'sqlite') writeFileSync(join(data, 'gatehouse.db'), '')
  expect(await runHere(to, ['restore', file])).toMatchObject({ code: 0 })
})

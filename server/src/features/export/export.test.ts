import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { systemActor } from '../../core/context.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { asNdjson, importFile } from '../../testing/jobs.ts'
import { sendTarget } from '../../testing/raw-http.ts'
import { turnOnTwoFactor } from '../../testing/two-factor.ts'
import { exportUsers } from './export.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const get = (query: string, key?: string) => t.call(`GET /users/export${query}`, key === undefined ? {} : { key })

describe('GET /users/export', () => {
  it('is a CSV file of all who match, in the order asked for, with the columns asked for', async () => {
    await t.createUser({ email: 'b@exports.example.com', first_name: 'Bea, "B"', phone: '+44 1' })
    await t.createUser({ email: 'a@exports.example.com', first_name: '=1+1', address: "'-x\nsecond" })
    const { status, text, headers } = await get(
      '?filter[search]=@exports&sort=email&fields=email,first_name,phone,address,status',
    )
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers['content-disposition']).toBe('attachment; filename="users-2026-01-15.csv"')
    expect(text).toBe(
      `email,first_name,phone,address,status\r\na@exports.example.com,'=1+1,,"''-x\nsecond",Active\r\nb@exports.example.com,"Bea, ""B""",'+44 1,,Active\r\n`,
    )
    const { body } = await t.call('GET /activity?filter[event]=users.exported')
    expect(body.data[0]).toMatchObject({ actor_id: 1, details: { format: 'csv' } })
  })

  it('is NDJSON of users as the API shows them', async () => {
    const { user } = await t.createUser({ email: 'factor@shown.example.com' })
    await turnOnTwoFactor(t, user.id)
    await t.createUser({ email: 'odd@shown.example.com', last_name: '"\\ é 😀 \u2028 </b>', address: 'one\ntwo' })
    await t.createUser({ email: 'face@shown.example.com', avatar: 'https://cdn.example.com/a?b=1&c="2"' })
    await t.createUser({ email: 'file@shown.example.com', avatar: 'ab'.repeat(32) })
    const list = await t.call('GET /users?filter[search]=@shown.&sort=id')
    const { text, headers } = await get('?format=ndjson&filter[search]=@shown.&sort=id')
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    const lines = text.split('\n')
    expect(lines.splice(4)).toEqual([''])
    expect(lines.map((line) => JSON.parse(line))).toEqual(list.body.data)
    expect(text).not.toContain('password')
    const few = await get('?format=ndjson&filter[search]=@shown.&sort=id&fields=avatar,email')
    const pick = ({ avatar, email }: { avatar: string; email: string }) => `${JSON.stringify({ avatar, email })}\n`
    expect(few.text).toBe(list.body.data.map(pick).join(''))
  })

  it('is refused where three are sent already, however many ask at once', async () => {
    const statuses = async (requests: readonly string[]) =>
      (await Promise.all(requests.map((request) => t.call(request)))).map(({ status }) => status)
    const many = await statuses(Array.from({ length: 20 }, () => 'GET /users/export'))
    expect(many.filter((status) => status === 200).length).toBeGreaterThan(0)
    expect(many.filter((status) => status === 503).length).toBeGreaterThan(5)
    const two = ['GET /users/export', 'GET /users/export']
    for (let time = 0; time < 2; time++) expect(await statuses(two)).toEqual([200, 200])
  })

  it('leaves a place to others while a user reads as many as they may have, slowly', async () => {
    const { user } = await t.createUser({ role_id: 1 })
    const open = () => exportUsers(t.ctx, { ...systemActor, userId: user.id }, new URLSearchParams())
    const asked = await Promise.allSettled([open(), open(), open()])
    const other = await get('')
    const slow = asked.flatMap((result) => (result.status === 'fulfilled' ? result.value.stream : []))
    for (const stream of slow) stream.destroy()
    expect([other.status, slow.length]).toEqual([200, 2])
  })

  it('of a client that hung up before the first piece leaves its place to others', async () => {
    const hangUp = ({ socket }: { socket: Socket }) => void setImmediate(() => socket.destroy())
    t.app.server.prependListener('request', hangUp)
    for (let time = 0; time < 3; time++) await sendTarget(t.app, '/api/users/export', { key: t.adminKey })
    t.app.server.off('request', hangUp)
    await expect.poll(async () => (await t.call('GET /users/export')).status).toBe(200)
  })

  it.each(['csv', 'ndjson'])('%s imported again changes nothing', async (format) => {
    await t.createUser({
      username: `=evil-${format}`,
      last_name: "''=quoted",
      address: 'a\nb',
      birthday: '1990-01-02',
      country_id: 826,
    })
    const before = await t.ctx.db.selectFrom('users').selectAll().orderBy('id').execute()
    const { text } = await get(`?format=${format}`)
    const type = format === 'csv' ? {} : asNdjson
    const { job, errors } = await importFile(t, text, { ...type, query: '?on_conflict=update' })
    expect(errors).toEqual([])
    expect(job).toMatchObject({ skipped: before.length, updated: 0, created: 0, failed: 0 })
    expect(await t.ctx.db.selectFrom('users').selectAll().orderBy('id').execute()).toEqual(before)
  })

  it('goes on over many pieces, and has every row once', async () => {
    const rows = Array.from({ length: 3_000 }, (_, at) => `many${at}@pieces.example.com`)
    await importFile(t, `email\n${rows.join('\n')}\n`)
    const { text } = await get('?fields=email&filter[search]=@pieces.&sort=-id')
    expect(text.trimEnd().split('\r\n')).toEqual(['email', ...rows.toReversed()])
  })

  it('refuses unknown fields, formats and filters, and callers who may not', async () => {
    expect((await get('?fields=email,password_hash')).body.errors.fields[0]).toContain('password_hash')
    expect((await get('?format=xlsx')).status).toBe(422)
    expect((await get('?filter[shoe]=1')).status).toBe(400)
    expect((await get('?sort=password_hash')).status).toBe(400)
    expect((await get('?include=role')).body).toMatchObject({ code: 'unknown_include' })
    expect((await get('', (await t.createUser()).key)).status).toBe(403)
  })

  it('has no pages: a cursor is refused, not ignored, and the OpenAPI document names none', async () => {
    const { body } = await t.call('GET /users?per_page=1&sort=email')
    const refused = await get(`?sort=email&cursor=${body.meta.next_cursor}`)
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } })
    const { paths } = (await t.call('GET /openapi.json')).body
    const names = paths['/users/export'].get.parameters.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['sort', 'filter[status]', 'format', 'fields']))
    expect(names.filter((name: string) => /page|cursor/.test(name))).toEqual([])
  })

  it('answers HEAD without an export', async () => {
    const count = async () => (await t.call('GET /activity?filter[event]=users.exported')).body.meta.total
    const before = await count()
    expect((await t.call('HEAD /users/export')).status).toBe(200)
    expect(await count()).toBe(before)
  })
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { loadedNotes } from './notes.fixture.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), {}, { plugins: [loadedNotes()] })
  for (const [text, kind] of [
    ['Milk 100%', 'todo'],
    ['milk_shake, large', 'memo'],
    ['Straße', 'memo'],
  ])
    await t.call('POST /notes', { body: { text, kind } })
})
afterAll(() => t.close())

const textsOf = async (query: string): Promise<string[]> =>
  (await t.call(`GET /notes?sort=id&${query}`)).body.data.map(({ text }: { text: string }) => text)

describe('the routes of a plugin', () => {
  it('are guarded: 401 for anonymous callers, 403 without the permission, 404 and 405 as everywhere', async () => {
    const { key } = await t.createUser()
    const statusOf = async (request: string, caller: string | null) =>
      (await t.call(request, { key: caller, body: { text: 'x' } })).status
    expect(await statusOf('GET /notes', null)).toBe(401)
    expect(await statusOf('GET /notes', key)).toBe(200)
    expect(await statusOf('POST /notes', null)).toBe(401)
    expect(await statusOf('POST /notes', key)).toBe(403)
    for (const id of ['99', '01', 'x', '0']) expect(await statusOf(`GET /notes/${id}`, key)).toBe(404)
    expect((await t.call('PUT /notes/1')).headers.allow).toBe('GET, HEAD, DELETE')
  })

  it('check bodies, name every failing field at once, and accept only the fields of the schema', async () => {
    expect(await t.call('POST /notes', { body: { text: 'x'.repeat(21), kind: 7 } })).toMatchObject({
      status: 422,
      body: { errors: { text: ['At most 20 characters.'], kind: ['The kind field must be a string.'] } },
    })
    expect((await t.call('POST /notes', { body: '{' })).status).toBe(400)
    const made = await t.call('POST /notes', { body: { text: ' Tea ', id: 77, user_id: 77 } })
    expect(made.body.data).toEqual({ id: 4, user_id: 1, text: 'Tea', created_at: made.body.data.created_at })
    expect(await t.call('DELETE /notes/4')).toMatchObject({ status: 200, body: { success: true } })
    expect((await t.call('DELETE /notes/4')).status).toBe(404)
  })

  it('answer declared errors with their code', async () => {
    for (const text of ['four', 'five']) await t.call('POST /notes', { body: { text } })
    const { status, body } = await t.call('POST /notes', { body: { text: 'six' } })
    expect({ status, body }).toEqual({
      status: 422,
      body: { code: 'notes_too_many', message: 'There are too many notes.' },
    })
    for (const { id } of (await t.call('GET /notes?filter[text]=f')).body.data) await t.call(`DELETE /notes/${id}`)
  })

  it('include users: whole for callers who may manage them, else the profile', async () => {
    const whole = (await t.call('GET /notes/1?include=user')).body.data.user
    expect(whole).toEqual((await t.call('GET /users/1')).body.data)
    const { key } = await t.createUser()
    const profile = { id: 1, username: 'admin', first_name: null, last_name: null }
    expect((await t.call('GET /notes?include=user', { key })).body.data[0].user).toEqual({
      ...profile,
      avatar: 'http://gatehouse.test/avatars/default.svg',
    })
    expect((await t.call('GET /notes/1?include=author')).body.message).toContain('Allowed: user.')
  })

  it('answer pages without scripts, with their own policy, and ignore the content of forms', async () => {
    const page = await t.call('GET /notes/page/caf%C3%A9?q=1', { key: null })
    expect(page).toMatchObject({ status: 200, text: '<!doctype html><p>café 1</p>' })
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    })
    const post = (type: string, body: string) =>
      t.call('POST /notes/page/x', { key: null, body, headers: { 'content-type': type } })
    const form = 'application/x-www-form-urlencoded'
    expect((await post(form, 'List-Unsubscribe=One-Click')).text).toContain('posted x')
    expect((await post('multipart/form-data; boundary=x', '--x--')).text).toContain('posted x')
    expect((await t.call('POST /notes/page/x', { key: null })).text).toContain('posted x')
    expect((await post('application/json', '{}')).status).toBe(415)
    expect((await post(form, 'x'.repeat(20_000))).status).toBe(413)
    expect((await t.call('GET /notes/page/a%00b', { key: null })).status).toBe(404)
  })

  it('answer browsers with their own page of an error, or as usual where it cannot be made', async () => {
    const post = (body: string, accept = 'text/html,*/*;q=0.8') =>
      t.call('POST /notes/page/x', { key: null, body, headers: { accept } })
    expect((await post('{}', 'text/html;q=0, */*')).body.code).toBe('unsupported_media_type')
    expect(await post('{}')).toMatchObject({ status: 415, text: '<!doctype html><p>error 415</p>' })
    const { status, body } = await post('x'.repeat(20_000))
    expect([status, body]).toEqual([413, { message: expect.any(String), code: 'payload_too_large' }])
  })
})

describe('the lists of a plugin', () => {
  it.each([
    ['filter[text]=MILK', ['Milk 100%', 'milk_shake, large']],
    ['filter[text]=100%25', ['Milk 100%']],
    ['filter[text]=%25', ['Milk 100%']],
    ['filter[text]=_', ['milk_shake, large']],
    ['filter[text]=%5C', []],
    ['filter[text]=shake, l', ['milk_shake, large']],
    ['filter[text]=STRASSE', ['Straße']],
    ['filter[text]=ASSE&filter[text]=0%25', ['Milk 100%', 'Straße']],
    ['filter[kind]=TODO', ['Milk 100%']],
    ['filter[user]=2', []],
  ])('%s', async (query, texts) => {
    expect(await textsOf(query)).toEqual(texts)
  })

  it('have pages, cursors, exact totals and what the plugin adds to meta', async () => {
    const first = (await t.call('GET /notes?sort=id&per_page=2')).body
    expect(first.meta).toMatchObject({ total: 3, last_page: 2, mine: 3 })
    const next = await t.call(`GET /notes?sort=id&per_page=2&cursor=${first.meta.next_cursor}`)
    expect(next.body.data).toMatchObject([{ text: 'Straße' }])
    expect((await t.call('GET /notes?sort=kind')).body.message).toContain('Allowed: created_at, id.')
    expect((await t.call('GET /notes?filter[kind]=todo&filter[text]=x%00')).status).toBe(422)
  })
})

describe('the settings of a plugin', () => {
  it('are checked like those of the core; one that no longer fits counts as its default', async () => {
    const set = (value: unknown) => t.call('PATCH /settings', { body: { 'notes.max_length': value } })
    expect((await set('many')).body.errors).toHaveProperty(['notes.max_length'])
    expect((await set(30)).body.data['notes.max_length']).toBe(30)
    await t.ctx.unguarded
      .updateTable('settings')
      .set({ value: '"thirty"' })
      .where('name', '=', 'notes.max_length')
      .execute()
    expect((await t.call('GET /settings')).body.data['notes.max_length']).toBe(20)
  })

  it.each([[''], [' '], [null]])('can be emptied again where a text is empty by default: %j', async (empty) => {
    const set = async (value: unknown) =>
      (await t.call('PATCH /settings', { body: { 'notes.heading': value } })).body.data['notes.heading']
    expect(await set('Notes')).toBe('Notes')
    expect(await set(empty)).toBe('')
    expect((await t.call('GET /settings')).body.data['notes.heading']).toBe('')
  })
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { checkPlugin } from './check.ts'
import { notes } from './notes.fixture.ts'

const loaded = { plugin: checkPlugin('notes', notes), source: './notes', version: '1.2.3', console: null }

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), {}, undefined, [loaded])
})
afterAll(() => t.close())

describe('the routes of a plugin', () => {
  it('work as those of the core do', async () => {
    const { user, key } = await t.createUser({ username: 'ada', role_id: 1 })
    const made = await t.call('POST /notes', { key, body: { text: ' Milk 100% ', more: 1 } })
    expect(made).toMatchObject({ status: 201, body: { data: { text: 'Milk 100%', user_id: user.id } } })
    const { id } = made.body.data
    const shown = await t.call(`GET /notes/${id}?include=user`)
    expect(shown.body.data.user).toMatchObject({ id: user.id, email: user.email })
    const { key: other } = await t.createUser()
    expect((await t.call(`GET /notes/${id}?include=user`, { key: other })).body.data.user).toEqual({
      ...{ id: user.id, username: 'ada', first_name: null, last_name: null },
      avatar: 'http://gatehouse.test/avatars/default.svg',
    })
    const list = await t.call('GET /notes?filter[text]=lk%20100%25&include=user&sort=-id', { key })
    expect(list.body).toMatchObject({ data: [{ id, user: { id: user.id } }], meta: { total: 1, mine: 1 } })
  })
})

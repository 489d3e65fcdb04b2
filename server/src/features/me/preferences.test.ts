import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const path = '/me/preferences'

describe('preferences', () => {
  it('are an empty object at first, then exactly what was put', async () => {
    const { key } = await t.createUser()
    const value = { theme: 'dark', views: [{ name: 'Banned ✓', columns: ['email'], wide: true, n: 1.5, no: null }] }
    expect((await t.call(`GET ${path}`, { key })).body).toEqual({ data: {} })
    expect((await t.call(`PUT ${path}`, { key, body: value })).body).toEqual({ data: value })
    expect((await t.call(`GET ${path}`, { key })).body).toEqual({ data: value })
    await t.call(`PUT ${path}`, { key, body: { other: 1 } })
    expect((await t.call(`GET ${path}`, { key })).body).toEqual({ data: { other: 1 } })
    await t.call(`PUT ${path}`, { key, body: [] })
    expect((await t.call(`GET ${path}`, { key })).body).toEqual({ data: {} })
  })

  it('belong to one user and are deleted with them', async () => {
    const { user, key } = await t.createUser()
    const other = await t.createUser()
    await t.call(`PUT ${path}`, { key, body: { mine: true } })
    expect((await t.call(`GET ${path}`, { key: other.key })).body).toEqual({ data: {} })
    await t.call(`DELETE /users/${user.id}`)
    const left = t.ctx.db.selectFrom('user_preferences').selectAll().where('user_id', '=', user.id)
    expect(await left.execute()).toEqual([])
  })

  it.each<[what: string, body: unknown, status: number]>([
    ['text', '"text"', 422],
    ['a list', [1], 422],
    ['a number', '1', 422],
    ['NUL', { a: ['\0'] }, 422],
    ['NUL in a name', { b: { 'a\0': 1 } }, 422],
    ['half a surrogate pair', '{"a":{"b":"\\ud800"}}', 422],
    ['more than 16 KiB', { a: 'x'.repeat(16 * 1024) }, 413],
  ])('cannot be %s', async (_, body, status) => {
    const { key } = await t.createUser()
    expect((await t.call(`PUT ${path}`, { key, body })).status).toBe(status)
    expect((await t.call(`GET ${path}`, { key })).body).toEqual({ data: {} })
  })

  it('can be as long as 16 KiB', async () => {
    const { key } = await t.createUser()
    const value = { a: 'x'.repeat(16 * 1024 - 8) }
    expect((await t.call(`PUT ${path}`, { key, body: value })).status).toBe(200)
    expect((await t.call(`GET ${path}`, { key })).body).toEqual({ data: value })
  })

  it('can be read but not changed with a limited key', async () => {
    const { key } = await t.createUser({}, [])
    expect((await t.call(`PUT ${path}`, { key, body: { a: 1 } })).status).toBe(403)
    expect((await t.call(`GET ${path}`, { key })).status).toBe(200)
  })
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newcomer } from '../../testing/accounts.ts'
import { createTestApp, startTestApp, type TestApp } from '../../testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl')) // the current date is 2026-01-15; the administrator was created this month
})
afterAll(() => t.close())

const stats = async () => (await t.call('GET /stats')).body.data

describe('GET /stats', () => {
  it('has totals by status, sign-ups of the last twelve months, and the newest seven accounts', async () => {
    const times = [
      ...['2025-01-31 23:59:59', '2025-02-01 00:00:00', '2025-02-28 12:00:00', '2025-12-31 23:59:59'],
      ...['2026-01-01 00:00:00', '2026-01-02 00:00:00', '2026-01-02 00:00:00', '2026-01-03 00:00:00'],
    ]
    const statuses = ['Active', 'Unconfirmed', 'Banned', 'Banned'] as const
    const made = []
    for (const [index, created_at] of times.entries()) {
      const status = statuses[index % 4] as (typeof statuses)[number]
      made.push((await t.createUser({ created_at, updated_at: created_at, status })).user.id)
    }
    const { users, sign_ups, latest_registrations } = await stats()
    expect(users).toEqual({ total: 9, by_status: { Active: 3, Unconfirmed: 2, Banned: 4 } })
    expect(sign_ups).toHaveLength(12)
    expect([sign_ups[0], sign_ups[1], sign_ups[10], sign_ups[11]]).toEqual([
      { month: '2025-02', count: 2 },
      { month: '2025-03', count: 0 },
      { month: '2025-12', count: 1 },
      { month: '2026-01', count: 5 },
    ])
    const newest = [1, made[7], made[6], made[5], made[4], made[3], made[2]]
    expect(latest_registrations.map(({ id }: { id: number }) => id)).toEqual(newest)
    expect(latest_registrations[0]).toEqual((await t.call('GET /users/1')).body.data)
  })

  it('has the present month last, to its last second, and after it the next', async () => {
    const monthsNow = async () => (await stats()).sign_ups.map(({ month }: { month: string }) => month)
    const calendar = (year: number) =>
      Array.from({ length: 12 }, (_, at) => `${year}-${String(at + 1).padStart(2, '0')}`)
    const known = [2025, 2026, 2027, 2028, 2029].flatMap(calendar)
    for (let at = known.indexOf('2026-01'); at < known.indexOf('2029-03'); at++) {
      const next = Date.parse(`${known[at + 1]}-01T00:00:00Z`)
      t.clock.advance({ seconds: (next - t.clock.now().getTime()) / 1_000 - 1 })
      expect(await monthsNow()).toEqual(known.slice(at - 11, at + 1))
      t.clock.advance({ seconds: 1 })
      expect(await monthsNow()).toEqual(known.slice(at - 10, at + 2))
    }
  })

  it('follows every way to create, change and delete an account', async () => {
    const before = (await stats()).users
    const { email } = newcomer()
    const account = {
      email,
      password: 'a lamp by the window',
      password_confirmation: 'a lamp by the window',
      role_id: 2,
    }
    const { id } = (await t.call('POST /users', { body: account })).body.data
    await t.call('POST /register', { key: null, body: newcomer() })
    expect((await stats()).users).toEqual({
      total: before.total + 2,
      by_status: {
        ...before.by_status,
        Active: before.by_status.Active + 1,
        Unconfirmed: before.by_status.Unconfirmed + 1,
      },
    })
    await t.call(`PATCH /users/${id}`, { body: { status: 'Banned' } })
    expect((await stats()).users.by_status.Banned).toBe(before.by_status.Banned + 1)
    await t.call(`DELETE /users/${id}`)
    expect((await stats()).users.total).toBe(before.total + 1)
  })

  it('says whether mail and SMS are only captured', async () => {
    expect((await stats()).captured).toEqual({ mail: true, sms: true })
    const sent = await createTestApp(inject('postgresUrl'), { GATEHOUSE_MAIL_URL: 'smtp://127.0.0.1:2525' })
    expect((await sent.call('GET /stats')).body.data.captured).toEqual({ mail: false, sms: true })
  })

  it('needs users.manage: 401 without a credential, 403 without the permission', async () => {
    const role_id = await t.createRole('managers', ['users.manage'])
    expect((await t.call('GET /stats', { key: (await t.createUser({ role_id })).key })).status).toBe(200)
    expect((await t.call('GET /stats', { key: null })).status).toBe(401)
    expect((await t.call('GET /stats', { key: (await t.createUser()).key })).status).toBe(403)
  })
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { NewUser } from '../../features/accounts/users.queries.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let t: TestApp
const ids = new Map<string, number>()
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  const role_id = await t.createRole('Editor', [])
  const users: Record<string, Partial<NewUser>> = {
    ada: { email: 'Ada.Lovelace@Example.com', country_id: 826, role_id },
    bob: { email: 'bob+tag@example.com', status: 'Banned', country_id: 250 },
    eve: { email: 'eve@münchen.example', status: 'Unconfirmed', country_id: 250, role_id },
    kim: { email: 'kim@example.com', country_id: 410 },
    ida: { email: 'ida@example.com' },
  }
  for (const [name, fields] of Object.entries(users)) ids.set(name, (await t.createUser(fields)).user.id)
})
afterAll(() => t.close())

const nameOf = (id: number) => [...ids].find(([, known]) => known === id)?.[0] ?? 'admin'
async function find(query: string): Promise<string> {
  const { status, body } = await t.call(`GET /users?${query}`)
  expect(status, query).toBe(200)
  expect(body.meta.total).toBe(body.data.length)
  return body.data.map((user: { id: number }) => nameOf(user.id)).join(' ')
}
const everybody = 'admin ada bob eve kim ida'

describe('filter[status]', () => {
  it.each([
    ['Banned', 'bob'],
    ['banned', 'bob'],
    ['BANNED', 'bob'],
    ['Active', 'admin ada kim ida'],
    ['Unconfirmed', 'eve'],
    ['banned,UNCONFIRMED', 'bob eve'],
    [' Banned , Unconfirmed ,', 'bob eve'],
    ['Banned&filter[status]=Unconfirmed', 'bob eve'],
    ['Banned,Banned&filter[status]=banned', 'bob'],
    ['Banned,Nonsense', 'bob'],
    ['Nonsense', ''],
    ['Ban', ''],
    ['Banned%', ''],
    ["Banned' or '1'='1", ''],
    ['%00', ''],
    ['', everybody],
    [' ', everybody],
    [',', everybody],
  ])('is exact, in any case, and any of several: %j', async (value, expected) => {
    const [first, ...more] = value.split('&')
    const query = [`filter[status]=${encodeURIComponent(first ?? '')}`, ...more].join('&')
    expect(await find(query)).toBe(expected)
  })
})

describe('filter[email]', () => {
  it.each([
    ['Ada.Lovelace@Example.com', 'ada'],
    [' ada.lovelace@EXAMPLE.COM ', 'ada'],
    ['ada.lovelace@ｅxample.com', 'ada'],
    ['ａｄａ.lovelace@example.com', ''],
    ['bob+tag@exámple.com', ''],
    ['bob+tag@example.com', 'bob'],
    ['eve@münchen.example', 'eve'],
    ['EVE@MÜNCHEN.EXAMPLE', 'eve'],
    ['eve@xn--mnchen-3ya.example', 'eve'],
    ['bob@example.com', ''],
    ['example.com', ''],
    ['%@example.com', ''],
    ['kim@example.com,ida@example.com', ''],
    ['', everybody],
  ])('is the whole address in its canonical form: %j', async (value, expected) => {
    expect(await find(`filter[email]=${encodeURIComponent(value)}`)).toBe(expected)
  })

  it('may be repeated', async () => {
    expect(await find('filter[email]=kim@example.com&filter[email]=IDA@example.com')).toBe('kim ida')
  })
})

describe('filter[id], filter[role_id] and filter[country_id]', () => {
  it.each([
    ['filter[id]=1', 'admin'],
    ['filter[id]=999,1', 'admin'],
    ['filter[id]=1&filter[country_id]=250', ''],
    ['filter[role_id]=1', 'admin'],
    ['filter[role_id]=3', 'ada eve'],
    ['filter[role_id]=1,3', 'admin ada eve'],
    ['filter[role_id]=1&filter[role_id]=%203%20', 'admin ada eve'],
    ['filter[role_id]=999', ''],
    ['filter[role_id]=9007199254740991', ''],
    ['filter[country_id]=250', 'bob eve'],
    ['filter[country_id]=250,410,826', 'ada bob eve kim'],
    ['filter[country_id]=4', ''],
    ['filter[role_id]=&filter[country_id]=', everybody],
  ])('are exact, and any of several: %s', async (query, expected) => {
    expect(await find(query)).toBe(expected)
  })

  it.each([
    'abc',
    '0',
    '-1',
    '01',
    '1.0',
    '1e3',
    '0x1',
    '1 2',
    '9007199254740992',
    '99999999999999999999',
    'null',
    '1,x',
    '１',
    '\0',
  ])('are 422 for an invalid id, with the name of the parameter: %j', async (value) => {
    const query = ['id', 'role_id', 'country_id']
      .map((name) => `filter[${name}]=${encodeURIComponent(value)}`)
      .join('&')
    const { status, body } = await t.call(`GET /users?${query}`)
    expect({ status, code: body.code, errors: body.errors }).toEqual({
      status: 422,
      code: 'validation_failed',
      errors: {
        'filter[id]': ['The filter[id] parameter must be an id.'],
        'filter[role_id]': ['The filter[role_id] parameter must be an id.'],
        'filter[country_id]': ['The filter[country_id] parameter must be an id.'],
      },
    })
  })
})

describe('text that no database can store', () => {
  it.each(['search', 'email'])('is 422: filter[%s] with NUL', async (name) => {
    const { status, body } = await t.call(`GET /users?filter[${name}]=a%00b`)
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: { [`filter[${name}]`]: [expect.any(String)] },
    })
  })
})

describe('filters together', () => {
  it.each([
    ['filter[status]=Active&filter[role_id]=3', 'ada'],
    ['filter[status]=Banned,Unconfirmed&filter[country_id]=250', 'bob eve'],
    ['filter[status]=Banned&filter[country_id]=826', ''],
    ['filter[search]=example&filter[status]=Active&filter[country_id]=826,410', 'ada kim'],
    ['filter[search]=EVE&filter[role_id]=3&filter[status]=unconfirmed&filter[email]=eve@münchen.example', 'eve'],
  ])('all hold: %s', async (query, expected) => {
    expect(await find(query)).toBe(expected)
  })
})

describe('the filters of the audit log', () => {
  const events = async (query: string): Promise<string[]> =>
    (await t.call(`GET /activity?sort=id&per_page=100&${query}`)).body.data.map((row: { event: string }) => row.event)

  it('are actor, event, subject and time', async () => {
    const on = (day: number) => `2026-01-${day}`
    t.clock.advance({ days: 5 }) // 2026-01-20 12:00:00
    const id = await t.createRole('Dated', [])
    t.clock.advance({ days: 1 })
    await t.call(`PATCH /roles/${id}`, { body: { description: 'changed' } })
    const role = `filter[subject_type]=role&filter[subject_id]=${id}`
    expect(await events(role)).toEqual(expect.arrayContaining(['role.created', 'role.updated']))
    expect(await events(`${role}&filter[actor]=2`)).toEqual([])
    expect(await events(`${role}&filter[event]=role.created,role.updated`)).toEqual(['role.created', 'role.updated'])
    expect(await events(`${role}&filter[event]=role`)).toEqual([])
    expect(await events(`${role}&filter[from]=${on(21)}`)).toEqual(['role.updated'])
    expect(await events(`${role}&filter[from]=${on(21)}%2012:00:00`)).toEqual(['role.updated'])
    expect(await events(`${role}&filter[from]=${on(21)}%2012:00:01`)).toEqual([])
    expect((await events(`${role}&filter[to]=${on(20)}`)).at(-1)).not.toBe('role.updated')
    expect(await events(`${role}&filter[to]=${on(20)}%2011:59:59`)).toEqual([])
    expect(await events(`${role}&filter[from]=${on(20)}&filter[to]=${on(21)}`)).toEqual(await events(role))
  })

  it.each(['2026-02-30', '2026-1-1', 'yesterday', '2026-01-01T00:00:00Z', '2026-01-01 24:00:00', '1767225600'])(
    'are 422 for an invalid moment: %s',
    async (value) => {
      const moment = encodeURIComponent(value)
      const { status, body } = await t.call(`GET /activity?filter[from]=${moment}&filter[to]=${moment}`)
      expect({ status, fields: Object.keys(body.errors) }).toEqual({
        status: 422,
        fields: ['filter[from]', 'filter[to]'],
      })
    },
  )
})

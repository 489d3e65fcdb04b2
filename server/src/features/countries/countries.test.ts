import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const france = {
  id: 250,
  name: 'France',
  full_name: 'French Republic',
  capital: 'Paris',
  citizenship: 'French',
  country_code: 250,
  currency: 'Euro',
  currency_code: 'EUR',
  currency_sub_unit: null,
  currency_symbol: '€',
  iso_3166_2: 'FR',
  iso_3166_3: 'FRA',
  region_code: 150,
  sub_region_code: 155,
  eea: true,
  calling_code: 33,
  flag: expect.stringMatching(/^http:\/\/gatehouse\.test\/flags\/fr-[\d.]+\.svg$/),
}

describe('GET /countries', () => {
  it('answers all 249 at once, each with every key of the contract', async () => {
    const { status, body } = await t.call('GET /countries?per_page=1&page=2')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['data'])
    expect(body.data).toHaveLength(249)
    for (const country of body.data) expect(Object.keys(country)).toEqual(Object.keys(france))
    expect(body.data.find((country: { id: number }) => country.id === 250)).toEqual(france)
  })

  it('accepts any valid credential, even one without permissions', async () => {
    const { key } = await t.createUser({}, [])
    expect((await t.call('GET /countries', { key })).status).toBe(200)
  })

  it.each([null, '', 'gh_wrong', `gh_${'A'.repeat(43)}`])('answers 401 to the credential %j', async (key) => {
    expect((await t.call('GET /countries', { key })).status).toBe(401)
  })

  it.each(['POST', 'PATCH', 'PUT', 'DELETE'])('cannot be written by %s', async (method) => {
    expect((await t.call(`${method} /countries`, { body: {} })).status).toBe(405)
  })
})

describe('the flag of a country', () => {
  it('is a public, immutable picture that cannot run anything', async () => {
    for (const { flag } of (await t.call('GET /countries')).body.data) {
      const { status, headers, text } = await t.call(`GET /${new URL(flag).pathname}`, { key: null })
      expect({ flag, status, type: headers['content-type'] }).toEqual({ flag, status: 200, type: 'image/svg+xml' })
      expect(text).toMatch(/^<svg /)
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox'),
        'cross-origin-resource-policy': 'cross-origin',
      })
    }
  })

  it('is 404 under another name or version', async () => {
    const [{ flag }] = (await t.call('GET /countries')).body.data
    const path = new URL(flag).pathname
    const version = /-[\d.]+\.svg$/.exec(path)?.[0] ?? ''
    const others = [
      '/flags/af.svg',
      '/flags/af-0.0.1.svg',
      `/flags/xx${version}`,
      `/flags/AF${version}`,
      `/flags/..%2faf${version}`,
      `${path}x`,
    ]
    for (const other of others)
      expect({ other, status: (await t.call(`GET /${other}`, { key: null })).status }).toEqual({ other, status: 404 })
  })
})

describe('the include `country` of a user', () => {
  it('is the country, or null if none is set', async () => {
    const { user: french } = await t.createUser({ country_id: 250 })
    const { user: stateless } = await t.createUser()
    for (const [{ id }, country] of [
      [french, france],
      [stateless, null],
    ] as const) {
      expect((await t.call(`GET /users/${id}?include=country`)).body.data.country).toEqual(country)
      expect((await t.call(`GET /users/${id}`)).body.data).not.toHaveProperty('country')
    }
    const { body } = await t.call('GET /users?include=role,country&sort=-id&per_page=2')
    expect(body.data.map((user: { country: unknown }) => user.country)).toEqual([null, france])
    expect(body.data.map((user: { role: { name: string } }) => user.role.name)).toEqual(['User', 'User'])
  })

  it('can be any country of the list', async () => {
    const { user } = await t.createUser()
    const countries = (await t.call('GET /countries')).body.data
    for (const country of countries) {
      await t.ctx.unguarded.updateTable('users').set({ country_id: country.id }).where('id', '=', user.id).execute()
      expect((await t.call(`GET /users/${user.id}?include=country`)).body.data.country).toEqual(country)
    }
  })
})

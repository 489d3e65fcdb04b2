import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { invalid, refusal, write, writes } from './users-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

/** Spellings of one name each; if one is taken, all are. */
const oneUsername: [what: string, ...spellings: string[]][] = [
  ['case', 'ada', 'ADA', 'aDa'],
  ['full-width letters', 'bob', 'ｂｏｂ', 'ＢＯＢ'],
  ['a dotless or dotted i', 'mikid', 'mıkıd', 'MİKİD', 'MIKID'],
  ['invisible characters', 'zero', 'ze\u200bro', 'zer\u00ado', '\u2060zero', 'zero\u200d', 'z\ufe0fero', 'ze\u202ero'],
  ['long s and Kelvin sign', 'kiss', 'KISS', '\u212aiſſ', 'kiß'],
  ['composed and decomposed accents', 'josé', 'jose\u0301', 'JOSÉ'],
  ['ligatures and compatibility forms', 'fileⅣ', 'ﬁleIV', 'FILEiv'],
  ['Greek final sigma', 'νικος', 'ΝΙΚΟΣ', 'νικοσ'],
  ['surrounding space', 'spaced', ' spaced\t', '\u00a0spaced', '\u3000spaced'],
]

const oneEmail: typeof oneUsername = [
  ['the case of the local part', 'ada@local.example', 'ADA@local.example', 'aDa@local.example'],
  ['accents in the local part', 'josé@local.example', 'jose\u0301@local.example', 'JOSÉ@local.example'],
  ['the case of the domain', 'd@example.org', 'd@EXAMPLE.Org'],
  [
    'an IDN in Unicode and in punycode',
    'd@münchen.de',
    'd@xn--mnchen-3ya.de',
    'd@XN--Mnchen-3YA.de',
    'd@MU\u0308NCHEN.de',
  ],
  ['an IDN with a sharp s', 'd@straße.de', 'd@xn--strae-oqa.de', 'd@STRAẞE.de'],
  ['an IDN with a final sigma', 'd@λόγος.gr', 'd@xn--oxapnm1c.gr'],
  ['full-width letters in the domain', 'd@full.example', 'd@ｆｕｌｌ.example'],
]

describe.each([
  ['username', oneUsername],
  ['email', oneEmail],
] as const)('one canonical form of the %s', (field, table) => {
  it.each(table)('makes one account of %s, on every path', async (_, ...spellings) => {
    for (const taken of spellings) {
      const { user } = await t.createUser({ [field]: taken })
      for (const method of writes) {
        for (const spelling of spellings) {
          const answer = await write(t, method, { [field]: spelling })
          expect(refusal(answer), `${spelling} after ${taken}`).toEqual(invalid(field, `user_${field}_taken`))
        }
      }
      await t.call(`DELETE /users/${user.id}`)
    }
  })

  it.each(table)('lets an account change its own spelling of %s, and stores it as sent', async (_, ...spellings) => {
    const { user } = await t.createUser({ [field]: spellings[0] })
    for (const spelling of spellings) {
      const { status, body } = await t.call(`PATCH /users/${user.id}`, { body: { [field]: spelling } })
      expect([status, body.data[field]]).toEqual([200, spelling.trim()])
    }
    await t.call(`DELETE /users/${user.id}`)
  })
})

describe('what differs in more than spelling', () => {
  it.each([
    ['username', 'jose', 'josé'],
    ['username', 'a.b', 'ab'],
    ['username', 'under_score', 'underXscore'],
    ['username', 'per%cent', 'percent'],
    ['username', 'сосо', 'coco'],
    ['email', 'plus@example.com', 'plus+tag@example.com'],
    ['email', 'dot.ted@example.com', 'dotted@example.com'],
    ['email', 'same@one.example', 'same@two.example'],
    ['email', 'ceo@github.test', 'ceo@gıthub.test'],
    ['email', 'cfo@gıthub.test', 'cfo@github.test'],
    ['email', 'ceo@strasse.test', 'ceo@straße.test'],
    ['email', 'd@λόγος.test', 'd@ΛΌΓΟΣ.test'],
    ['email', 'mıke@dotless.example', 'mike@dotless.example'],
    ['email', 'kiß@sharp.example', 'kiss@sharp.example'],
    ['email', 'ｗide@wide.example', 'wide@wide.example'],
    ['email', 'd@1.2.3', 'd@1.2.0.3'],
  ])('is two accounts: %s %s and %s', async (field, one, other) => {
    await t.createUser({ [field]: one })
    for (const method of writes) {
      const { status, body } = await write(t, method, { [field]: other })
      expect(status).toBe(method === 'POST' ? 201 : 200)
      await t.call(`DELETE /users/${body.data.id}`)
    }
  })
})

describe('a taken name', () => {
  it.each(writes)(
    'has a code of its own when nothing else is wrong, and is named with all else (%s)',
    async (method) => {
      const { user } = await t.createUser({ username: `taken by ${method}` })
      const { email, username } = user
      expect(refusal(await write(t, method, { username }))).toEqual(invalid('username', 'user_username_taken'))
      expect(refusal(await write(t, method, { email, username }))).toEqual({
        status: 422,
        code: 'validation_failed',
        fields: ['email', 'username'],
      })
    },
  )

  it('does not apply to users without a username', async () => {
    for (const username of [null, '', ' ']) expect((await write(t, 'POST', { username })).status).toBe(201)
  })

  it('is free again when its owner changes it or is deleted', async () => {
    const { user } = await t.createUser({ email: 'first@example.com', username: 'first' })
    await t.call(`PATCH /users/${user.id}`, { body: { email: 'second@example.com', username: null } })
    const next = await write(t, 'POST', { email: 'first@example.com', username: 'FIRST' })
    expect(next.status).toBe(201)
    await t.call(`DELETE /users/${next.body.data.id}`)
    expect((await write(t, 'PATCH', { email: 'first@example.com', username: 'First' })).status).toBe(200)
  })
})

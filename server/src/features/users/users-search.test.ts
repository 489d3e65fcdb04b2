import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import type { UserRow } from '../accounts/users.table.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  await t.call('PATCH /users/1', { body: { username: null, email: 'a@b.example' } })
  for (const [phone, names] of Object.entries(people)) {
    await t.createUser({ email: `${phone}@host.example`, phone, ...names })
  }
})
afterAll(() => t.close())

/** By a label that appears in no searched field except the email address. Each user with special characters has a plain counterpart. */
const people = {
  p1: { username: 'middleton', first_name: 'Émile', last_name: 'Straße' },
  p2: { username: 'ΟΔΥΣΣΕΥΣ', first_name: 'Νίκος', last_name: 'ΠΑΠΑΔΌΠΟΥΛΟΣ Α' },
  p3: { first_name: '100% sure', last_name: 'under_score' },
  p4: { first_name: '100 x sure', last_name: 'underXscore' },
  p5: { first_name: 'back\\slash', last_name: 'say "hello" now' },
  p6: { first_name: 'backslash', last_name: 'say hello now' },
  p7: { first_name: "O'Brien", last_name: 'st*r, c(o)mma: ^x-y+z' },
  p8: { first_name: 'OBrien', last_name: 'star comma xyz' },
  p9: { first_name: 'Ｆｕｌｌ Ｗｉｄｔｈ', last_name: 'ﬁnal ㎏ Ⅳ' },
  p10: { username: '👩‍🚀🚀', first_name: '漢字かな', last_name: 'Zoë' },
  p11: { username: 'alpha', first_name: 'beta', last_name: 'gamma' },
  p12: { first_name: 'Jose\u0301 AND Maria', last_name: 'Çelik İpek' },
  p14: { username: 'æœđ', first_name: 'Łukasz', last_name: 'Søren' },
  p15: { first_name: 'Irmak ırmak', last_name: 'がく' },
  p13: { first_name: 'unit\u001fseparator', address: 'hidden-address', phone: 'p13' },
}

/** The labels of the users that a search finds; the total must be their number. */
async function find(term: string, more = ''): Promise<string[]> {
  const { status, body } = await t.call(`GET /users?per_page=100&filter[search]=${encodeURIComponent(term)}${more}`)
  expect(status).toBe(200)
  expect(body.meta.total).toBe(body.data.length)
  return body.data.map((user: UserRow) => user.phone ?? 'admin')
}

const everybody = ['admin', ...Object.keys(people)]

describe('a search finds', () => {
  it.each<[what: string, term: string, found: string[]]>([
    ['the start of a field', 'middle', ['p1']],
    ['the middle of a field', 'iddlet', ['p1']],
    ['the end of a field', 'leton', ['p1']],
    ['a whole field', 'middleton', ['p1']],
    ['a username', 'alph', ['p11']],
    ['a first name', 'bet', ['p11']],
    ['a last name', 'gamm', ['p11']],
    ['an email address', 'p11@host.e', ['p11']],
    ['upper case by lower', 'οδυσσε', ['p2']],
    ['lower case by upper', 'MIDDLETON', ['p1']],
    ['É by é', 'émile', ['p1']],
    ['é by É', 'ÉMILE', ['p1']],
    ['a decomposed accent by a composed one', 'josé', ['p12']],
    ['a composed accent by a decomposed one', 'e\u0301mile', ['p1']],
    ['ß by ss', 'strasse', ['p1']],
    ['ß by ß and ẞ', 'STRAẞE', ['p1']],
    ['a final sigma by a medial one', 'νίκοσ', ['p2']],
    ['a capital sigma by a final one', 'οδυσσευς', ['p2']],
    ['a sigma in the middle of a field', 'όπουλος α', ['p2']],
    ['full width by ASCII', 'full width', ['p9']],
    ['ASCII by full width', 'ＭＩＤＤＬＥ', ['p1']],
    ['ligatures and squared units', 'final kg iv', ['p9']],
    ['a percent sign', '0% s', ['p3']],
    ['a percent sign alone', '%', ['p3']],
    ['an underscore', 'r_s', ['p3']],
    ['an underscore alone', '_', ['p3']],
    ['a backslash', 'k\\s', ['p5']],
    ['a backslash alone', '\\', ['p5']],
    ['double quotes', '"hello"', ['p5']],
    ['one double quote', '"', ['p5']],
    ['two double quotes in a row', '""', []],
    ['an apostrophe', "o'b", ['p7']],
    ['an asterisk', 't*r', ['p7']],
    ['an asterisk after a word', 'midd*', []],
    ['a comma', 'r, c', ['p7']],
    ['a comma alone', ',', ['p7']],
    ['a comma as no separator', 'middle,alpha', []],
    ['brackets, colons and carets', '(o)mma: ^x-y+z', ['p7']],
    ['no operator of FTS5', 'alpha OR beta', []],
    ['an operator of FTS5 as a word', 'and maria', ['p12']],
    ['no column of FTS5', 'text:alpha', []],
    ['no column of the table', 'argon2', []],
    ['one character', 'δ', ['p2']],
    ['one character in many fields', 'p', everybody.filter((label) => label !== 'none')],
    ['two characters', 'kg', ['p9']],
    ['two characters of another script', '字か', ['p10']],
    ['one astral character', '🚀', ['p10']],
    ['astral characters joined', '👩‍🚀', ['p10']],
    ['three characters of another script', '漢字か', ['p10']],
    ['ë by e', 'zoe', ['p10']],
    ['e by ë', 'bëtä gâmmà', ['p11']],
    ['Ł by l and ø by o', 'lukasz soren', ['p14']],
    ['æ, œ and đ by their plain letters', 'aeoed', ['p14']],
    ['l by ł', 'łukasz', ['p14']],
    ['a dotless ı by i', 'k irmak', ['p15']],
    ['no か in が', 'かく', []],
    ['ë by Ë', 'ZOË', ['p10']],
    ['a dotted İ by i', 'ipek', ['p12']],
    ['first and last name as they are shown', 'beta gamma', ['p11']],
    ['parts of both names', 'ta gam', ['p11']],
    ['both names with accents and in capitals', 'EMILE STRASSE', ['p1']],
    ['no last name before the first', 'gamma beta', []],
    ['no two spaces between the names', 'beta  gamma', []],
    ['a control character as a space', 'unit separator', ['p13']],
    ['no terms over two fields', 'alphabeta', []],
    ['no username before the first name', 'alpha beta', []],
    ['no terms over two fields with what parts them', 'alpha\u001fbeta', []],
    ['no address', 'hidden-address', []],
    ['no phone', 'p13p13', []],
    ['inner spaces as they are', 'say  hello', []],
    ['everybody for an empty term', '', everybody],
    ['everybody for a blank term', '  ', everybody],
    ['a term with space around it', ' middleton\t', ['p1']],
    ['nobody for a long term', 'middleton '.repeat(200), []],
  ])('%s: %j', async (_, term, found) => {
    expect(await find(term)).toEqual(found)
  })

  it.each(['\0', 'a\0b', 'alpha\0'])('nothing by a NUL character, which is 422: %j', async (term) => {
    const { status, body } = await t.call(`GET /users?filter[search]=${encodeURIComponent(term)}`)
    expect([status, Object.keys(body.errors)]).toEqual([422, ['filter[search]']])
  })

  it('either of two terms', async () => {
    expect(await find('alph', '&filter[search]=iddleto')).toEqual(['p1', 'p11'])
  })
})

describe('a search together with the other parts of a list', () => {
  it('is narrowed by status and role, sorted, paged and exactly counted', async () => {
    for (const n of [1, 2, 3, 4, 5, 6, 7]) {
      const status = n % 2 === 0 ? 'Banned' : 'Active'
      await t.createUser({ phone: `s${n}`, first_name: `Sought ${9 - n}`, status, role_id: n === 4 ? 1 : 2 })
    }
    const sort = '&sort=-first_name'
    expect(await find('SOUGHT', sort)).toEqual(['s1', 's2', 's3', 's4', 's5', 's6', 's7'])
    expect(await find('sought', `&filter[status]=banned${sort}`)).toEqual(['s2', 's4', 's6'])
    expect(await find('ough', `&filter[status]=Banned&filter[role_id]=2${sort}`)).toEqual(['s2', 's6'])
    expect(await find('so', `&filter[status]=Unconfirmed${sort}`)).toEqual([])
    const { body } = await t.call(`GET /users?filter[search]=sought&filter[status]=Active&per_page=2&page=2${sort}`)
    expect(body.data.map(({ phone }: UserRow) => phone)).toEqual(['s5', 's7'])
    expect(body.meta).toMatchObject({ total: 4, last_page: 2, from: 3, to: 4 })
    expect((await t.call('GET /users?filter[search]=sought&page=9')).body).toMatchObject({
      data: [],
      meta: { total: 7 },
    })
  })
})

describe('text that changes', () => {
  const before = { username: 'oldname', first_name: 'Oldfirst', last_name: 'Oldlast', email: 'oldmail@example.com' }
  const after = { username: 'newname', first_name: 'Neufirst', last_name: 'Neulast', email: 'neumail@example.com' }

  it.each(Object.keys(before) as (keyof typeof before)[])(
    'is found by its new value and no longer by the old: %s',
    async (field) => {
      const { user } = await t.createUser({ phone: 'changing', ...before })
      await t.call(`PATCH /users/${user.id}`, { body: { [field]: after[field] } })
      expect(await find(before[field])).toEqual([])
      expect(await find(after[field].slice(1, -1).toUpperCase())).toEqual(['changing'])
      for (const other of Object.keys(before) as (keyof typeof before)[]) {
        if (other !== field) expect(await find(before[other])).toEqual(['changing'])
      }
      if (field !== 'email') await t.call(`PATCH /users/${user.id}`, { body: { [field]: null } })
      if (field !== 'email') expect(await find(after[field])).toEqual([])
      await t.call(`DELETE /users/${user.id}`)
      expect(await find('oldmail')).toEqual([])
    },
  )

  it('is not changed by a refused change', async () => {
    const { user } = await t.createUser({ phone: 'kept', first_name: 'Unchanged' })
    await t.call(`PATCH /users/${user.id}`, { body: { first_name: 'Refused', country_id: 1 } })
    expect([await find('unchanged'), await find('refused')]).toEqual([['kept'], []])
  })
})

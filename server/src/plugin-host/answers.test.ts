import { type Plugin, Type } from '@gatehouse/plugin-kit'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { loggedErrors } from '../testing/logged-errors.ts'
import { loadedNotes } from './notes.fixture.ts'

const thrown: Record<string, unknown> = {
  nothing: null,
  text: 'oops',
  foreign: Object.assign(new Error('a service of others said no'), { statusCode: 404 }),
}
const rows = async function* () {
  yield 'a,b\r\n'
  yield Buffer.from('1,"é"\r\n')
}
const cut = async function* () {
  yield 'a,b\r\n'
  throw new Error('the database is away')
}
const files: Record<string, object> = {
  rows: { name: 'notes.csv', content: rows() },
  text: { name: 'notes.csv', content: 'whole' },
  cut: { name: 'notes.csv', content: cut() },
  evil: { name: 'a"\r\nset-cookie: x=y.csv', content: 'x' },
}

const plugin = {
  id: 'notes',
  migrations: (loadedNotes().plugin as Plugin).migrations,
  routes: (host: { csvLine: (values: readonly unknown[]) => string }) => [
    ...Object.entries(thrown).map(([name, value]) => ({
      method: 'GET',
      path: `/notes/throws/${name}`,
      operationId: `throw${name}`,
      summary: name,
      access: 'authenticated',
      answer: 'success',
      handle: async () => {
        throw value
      },
    })),
    {
      method: 'GET',
      path: '/notes/file/{which}',
      operationId: 'getFile',
      summary: 'A file',
      access: 'authenticated',
      answer: { file: 'text/csv; charset=utf-8' },
      query: { 'filter[kind]': Type.Optional(Type.String()) },
      handle: async ({ params }: { params: { which: string } }) => files[params.which],
    },
    {
      method: 'GET',
      path: '/notes/line',
      operationId: 'getLine',
      summary: 'A line',
      access: 'authenticated',
      answer: { file: 'text/csv' },
      handle: async () => ({ name: 'line.csv', content: host.csvLine([1, null, 'a "b"', '=1+1']) }),
    },
  ],
}

let t: TestApp
let logged: string[]
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), {}, { plugins: [loadedNotes(plugin)] })
  logged = loggedErrors(t)
})
afterAll(() => t.close())

it.each([
  ['nothing', 'A handler threw null, which is no Error.'],
  ['text', 'A handler threw oops, which is no Error.'],
  ['foreign', 'a service of others said no'],
])('whatever a handler throws is an internal error, which the log tells: %s', async (name, message) => {
  const { status, body } = await t.call(`GET /notes/throws/${name}`)
  expect({ status, code: body.code }).toEqual({ status: 500, code: 'internal_error' })
  expect(logged.at(-1)).toBe(message)
})

it('a handler answers a file, in pieces or whole', async () => {
  const { status, text, headers } = await t.call('GET /notes/file/rows')
  expect({ status, text }).toEqual({ status: 200, text: 'a,b\r\n1,"é"\r\n' })
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="notes.csv"',
    'x-content-type-options': 'nosniff',
  })
  expect((await t.call('GET /notes/file/text')).text).toBe('whole')
  expect((await t.call('GET /notes/file/text', { key: null })).status).toBe(401)
  expect((await t.call('GET /openapi.json')).body.paths['/notes/file/{which}'].get.responses['200'].content).toEqual({
    'text/csv': { schema: { type: 'string', contentMediaType: 'text/csv' } },
  })
})

it('a filter that a file does not know is refused: it would hold more than was asked for', async () => {
  expect((await t.call('GET /notes/file/text?filter[kind]=memo')).status).toBe(200)
  expect((await t.call('GET /notes/file/text?filter[text]=a')).status).toBe(400)
  expect((await t.call('GET /notes/file/text?sort=id')).status).toBe(400)
})

it('a file that fails in the middle is cut, and not taken for the whole', async () => {
  await expect(t.call('GET /notes/file/cut')).rejects.toThrow()
})

it('the name of a file brings no header of its own', async () => {
  expect((await t.call('GET /notes/file/evil')).status).toBe(500)
})

it('a line of CSV is safe to open in a spreadsheet', async () => {
  expect((await t.call('GET /notes/line')).text).toBe('1,,"a ""b""",\'=1+1\r\n')
})

import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { sendFile } from '../../testing/jobs.ts'
import { sendRaw } from '../../testing/raw-http.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

describe('POST /users/import refuses', () => {
  const refuse = async (file: string | Buffer, query = '', headers = {}) => {
    const before = await t.ctx.db.selectFrom('jobs').select('id').execute()
    const { status, text } = await sendFile(t, file, { query, headers })
    expect(await t.ctx.db.selectFrom('jobs').select('id').execute()).toEqual(before)
    expect(await t.ctx.db.selectFrom('uploads').selectAll().execute()).toEqual([])
    return [status, text] as const
  }

  it.each([
    ['unknown columns, by name', 'email,shoe_size,e-mail\na@example.com,1,2\n', '', 422, 'shoe_size'],
    ['a missing email column', 'username\nada\n', '', 422, 'email'],
    ['a column that stands twice', 'email,Email\na@example.com,b\n', '', 422, 'twice'],
    ['an empty file', '\uFEFF', '', 422, 'empty'],
    ['an unknown parameter', 'email\n', '?dryrun=1', 400, 'dryrun'],
    ['a value that cannot be read', 'email\n', '?on_conflict=maybe', 422, 'on_conflict'],
    ['a parameter that is given twice', 'email\na@example.com\n', '?dry_run=1&dry_run=0', 422, 'dry_run'],
    ['a flag without a value', 'email\na@example.com\n', '?dry_run', 422, 'dry_run'],
    ['wrong hash parameters', 'email\n', '?hash_parameters={}', 422, 'hash_parameters'],
    ['lines that end with CR', 'email,first_name\ra@example.com,A\r', '?ignore_unknown=1', 422, 'carriage return'],
    ['many of them', `email${'\ra@example.com'.repeat(100_000)}\r`, '', 422, 'carriage return'],
    ['a quote that never closes', `email,address\na@example.com,"${'x\n'.repeat(100)}`, '', 422, 'never closes'],
    ['a row of more than 1 MiB', `email,address\na@example.com,${'x'.repeat(1024 * 1024 + 1)}\n`, '', 422, '1 MiB'],
    ['201 columns', `email${',x'.repeat(200)}\n`, '?ignore_unknown=1', 422, '200 columns'],
    ['a header of more than 64 KiB', `email,${'x'.repeat(65_536)}\n`, '?ignore_unknown=1', 422, '64 KiB'],
    ['one that has not ended by then', `"email,${'x\n'.repeat(300_000)}`, '', 422, '64 KiB'],
    ['10,000 columns', `email${',x'.repeat(9_999)}\n`, '', 422, '200 columns'],
  ])('%s', async (_what, file, query, status, words) => {
    const [answered, text] = await refuse(file, query)
    expect([answered, text]).toEqual([status, expect.stringContaining(words)])
  })

  it('other encodings than UTF-8', async () => {
    const [latin] = await refuse(Buffer.from('email,first_name\na@example.com,Zo\xeb\n', 'latin1'))
    const [utf16] = await refuse(Buffer.from('\uFEFFemail\na@example.com\n', 'utf16le'))
    expect([latin, utf16]).toEqual([400, 400])
  })

  it('a body that is no gzip, and a bomb', async () => {
    const headers = { 'content-encoding': 'gzip' }
    expect((await refuse('email\n', '', headers))[0]).toBe(400)
    expect((await refuse(gzipSync(Buffer.alloc(64 * 1024 * 1024)), '', headers))[0]).toBe(422)
  })

  it.each(['plain', 'gzip'])(
    'before the end of the file has come (%s), and answers the next request of the connection',
    async (form) => {
      const text = Buffer.from(`email,shoe_size\n${'a@example.com,1\n'.repeat(200_000)}`)
      const file = form === 'gzip' ? gzipSync(text, { level: 0 }) : text
      const head = [
        'POST /api/users/import HTTP/1.1',
        'Host: gatehouse.test',
        `Authorization: Bearer ${t.adminKey}`,
        `Content-Type: text/csv${form === 'gzip' ? '\r\nContent-Encoding: gzip' : ''}`,
        `Content-Length: ${file.length}\r\n\r\n`,
      ].join('\r\n')
      const next = 'GET /healthz HTTP/1.1\r\nHost: gatehouse.test\r\nConnection: close\r\n\r\n'
      const { status, body } = await sendRaw(t.app, Buffer.concat([Buffer.from(head), file, Buffer.from(next)]))
      expect([status, body]).toEqual([422, expect.stringContaining('HTTP/1.1 200 OK')])
    },
  )

  it('other types and encodings, and callers who may not', async () => {
    expect((await sendFile(t, 'email\n', { type: 'text/plain' })).status).toBe(415)
    expect((await sendFile(t, 'email\n', { type: 'text/csv; charset=latin1' })).status).toBe(415)
    expect((await sendFile(t, 'email\n', { headers: { 'content-encoding': 'br' } })).status).toBe(415)
    expect((await sendFile(t, 'email\n', { key: null })).status).toBe(401)
    expect((await sendFile(t, 'email\n', { key: (await t.createUser()).key })).status).toBe(403)
  })
})

import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { sendFile } from '../../testing/jobs.ts'
import { holdBody } from '../../testing/raw-http.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  await t.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => t.close())

it('eight slow uploads of one user block no other user, and two at once still succeed', async () => {
  const { key } = await t.createUser({ role_id: 1 })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/csv' }
  const body = Buffer.from('email\nslow@example.com\n')
  const held = await Promise.all(
    Array.from({ length: 8 }, () => holdBody(t.app, 'POST /api/users/import?dry_run=1', headers, body)),
  )
  const other = await sendFile(t, 'email\nother@example.com\n', { query: '?dry_run=1' })
  const statuses = (await Promise.all(held.map(({ finish }) => finish()))).map(({ status }) => status)
  expect(other.status, other.text).toBe(202)
  expect(statuses.toSorted()).toEqual([202, 202, 503, 503, 503, 503, 503, 503])
  const again = await Promise.all([1, 2].map(() => sendFile(t, body, { query: '?dry_run=1', key })))
  expect(again.map(({ status }) => status)).toEqual([202, 202])
})

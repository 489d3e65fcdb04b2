import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createHolder } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

it('a test mail goes to the address of whoever asks for it, and is refused without the permission', async () => {
  const { user, key } = await createHolder(t, ['settings.notifications', 'deliveries.view'])
  const { key: other } = await createHolder(t, ['deliveries.view'])
  const { status, body } = await t.call('POST /deliveries/test', { key, body: { to: 'somebody@example.com' } })
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ template: 'test', recipient: user.email, user_id: user.id, status: 'queued' })
  expect(body.data.body_text).toContain('can send mail')
  await t.ctx.outbox.deliverDue()
  expect((await t.call(`GET /deliveries/${body.data.id}`, { key })).body.data.status).toBe('captured')
  expect((await t.call('POST /deliveries/test', { key: other })).status).toBe(403)
})

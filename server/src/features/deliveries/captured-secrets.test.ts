import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { systemActor } from '../../core/context.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { createTransports } from '../../transports/transports.ts'
import { readDelivery, removeOldDeliveries } from './deliveries.service.ts'
import { addDelivery, type DeliveryFields } from './deliveries-test-steps.ts'

const link = 'http://gatehouse.test/reset-password#token=abcdefghijklmnopqrstuvwxyz'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

let roles = 0
const createDelivery = (fields?: DeliveryFields) => addDelivery(t, fields)

describe('a captured link or code', () => {
  /** Every reader by the recipient's and their own permissions, and whether they see it. */
  const cases: [recipient: string[] | 'admin', reader: string[] | 'admin', scope: string[] | null, shown: boolean][] = [
    [[], ['deliveries.view'], null, true],
    [['users.manage'], ['deliveries.view'], null, false],
    [['users.manage'], ['deliveries.view', 'users.manage'], null, true],
    [['users.manage'], ['deliveries.view', 'users.manage'], ['deliveries.view'], false],
    [['users.manage', 'roles.manage'], ['deliveries.view', 'users.manage'], null, false],
    ['admin', ['deliveries.view', 'users.manage', 'roles.manage'], null, false],
    ['admin', 'admin', null, true],
    ['admin', 'admin', ['deliveries.view'], false],
  ]
  it.each(cases)(
    'of a user with %j is shown to a reader with %j within the scope %j: %j',
    async (recipient, reader, scope, shown) => {
      const roleOf = async (permissions: string[] | 'admin') =>
        permissions === 'admin' ? 1 : t.createRole(`role ${++roles}`, permissions)
      const { user } = await t.createUser({ role_id: await roleOf(recipient) })
      const { key } = await t.createUser({ role_id: await roleOf(reader) }, scope)
      const text = { body_text: link, body_html: link, give_up_ms: 1, due_ms: 1e15 }
      const id = await createDelivery({ status: 'captured', secret: 1, user_id: user.id, ...text })
      const answers = [
        await t.call(`GET /deliveries/${id}`, { key }),
        await t.call('GET /deliveries?per_page=1', { key }),
        await t.call(`GET /deliveries/${id}/preview`, { key }),
      ]
      expect(answers.map((answer) => answer.text.includes(link))).toEqual([shown, shown, shown])
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, shown ? 200 : 404])
      expect((await t.call(`POST /deliveries/${id}/retry`, { key })).text).not.toContain(link)
    },
  )

  it.each(['queued', 'sending'] as const)('is also shown while it is %s, unless it is to be sent', async (status) => {
    const sending = { ...t.ctx.config, mail: { url: 'smtp://mail.gatehouse.test' } }
    const { user } = await t.createUser()
    const text = { body_text: link, body_html: link, give_up_ms: 4e12, due_ms: 4e12 }
    for (const [kind, config, shown] of [
      ['mail', t.ctx.config, true],
      ['sms', t.ctx.config, true],
      ['mail', sending, false],
      ['sms', sending, true],
    ] as const) {
      const id = await createDelivery({ kind, status, secret: 1, user_id: user.id, ...text })
      const { body_text } = await readDelivery({ ...t.ctx, config }, systemActor, id)
      expect([kind, config === sending, body_text]).toEqual([kind, config === sending, shown ? link : null])
    }
  })

  it('is in no log line where others than this machine reach the service', async () => {
    for (const [host, shown] of [
      ['127.0.0.1', true],
      ['::1', true],
      ['0.0.0.0', false],
      ['10.0.0.1', false],
    ] as const) {
      const lines: unknown[] = []
      const log = { info: (line: object) => lines.push(line), warn() {}, error() {} }
      const config = { ...t.ctx.config, host }
      const transports = createTransports(config, log)
      for (const kind of ['mail', 'sms'] as const) {
        const message = { kind, template: 'x', userId: 1, recipient: 'r', subject: '', html: null, secret: true }
        await transports[kind].send({ ...message, text: `${link} 123456`, messageId: 'm' })
      }
      const text = JSON.stringify(lines)
      expect([host, text.includes('abcdefgh'), text.includes('123456')]).toEqual([host, shown, shown])
    }
  })
})

describe('what is done with', () => {
  it.each(['sent', 'failed', 'captured'] as const)('and %s is removed after 90 days', async (status) => {
    const [old, young] = [
      await createDelivery({ status, created_at: '2025-10-17 11:59:59' }),
      await createDelivery({ status }),
    ]
    await removeOldDeliveries(t.ctx)
    expect((await t.call(`GET /deliveries/${old}`)).status).toBe(404)
    expect((await t.call(`GET /deliveries/${young}`)).status).toBe(200)
  })

  it('is kept, however old, while it waits to be sent', async () => {
    const id = await createDelivery({ status: 'queued', created_at: '2025-01-01 00:00:00', due_ms: 4e12 })
    await removeOldDeliveries(t.ctx)
    expect((await t.call(`GET /deliveries/${id}`)).status).toBe(200)
  })

  it('goes with its user', async () => {
    const { user } = await t.createUser()
    const id = await createDelivery({ user_id: user.id })
    await t.call(`DELETE /users/${user.id}`)
    expect((await t.call(`GET /deliveries/${id}`)).status).toBe(404)
  })
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestApp, startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import { holdNextTransaction, onNextTransaction, rolesNamed, withKey } from './idempotency-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

let names = 0
const name = () => `role${++names}`
const createRole = (key: string, roleName: string, more: object = {}, app = t) =>
  app.call('POST /roles', { ...withKey(key), body: { name: roleName }, ...more })

describe('a POST with an Idempotency-Key, when something goes wrong,', () => {
  const never = new Promise<never>(() => {})

  it('does not store a server error: the next attempt is carried out', async () => {
    onNextTransaction(t, async () => {
      throw Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' })
    })
    const role = name()
    expect((await createRole('failed', role)).status).toBe(503)
    expect((await createRole('failed', role)).status).toBe(201)
  })

  it('does not store a 429', async () => {
    const app = await createTestApp(inject('postgresUrl'), { GATEHOUSE_RATE_LIMIT: '1/minute' })
    const send = () => app.call('POST /roles', { ...withKey('limit'), body: { name: 'limit' } })
    await app.call('GET /countries')
    expect((await send()).status).toBe(429)
    app.clock.advance({ minutes: 2 })
    expect((await send()).status).toBe(201)
  })

  it('returns the answer of a process that died just after the commit: nothing is created twice', async () => {
    const role = name()
    onNextTransaction(t, (run) => run().then(() => never))
    void createRole('killed', role)
    const other = await startNode(t)
    await expect.poll(() => rolesNamed(t, role)).toBe(1)
    const again = await createRole('killed', role, { key: t.adminKey }, other)
    expect([again.status, again.body.data.name]).toEqual([201, role])
    expect(await rolesNamed(t, role)).toBe(1)
  })

  it('says that the answer is lost if a process died between commit and answer, and creates nothing twice', async () => {
    const send = () => t.call('POST /announcements', { ...withKey('lost'), body: { title: 'Lost', body: 'Lost' } })
    const total = async () => (await t.call('GET /announcements?filter[title]=Lost')).body.meta.total
    onNextTransaction(t, (run) => run().then(() => never))
    void send()
    await expect.poll(total).toBe(1)
    expect((await send()).body.code).toBe('idempotency_in_progress')
    t.clock.advance({ minutes: 2 })
    const again = await send()
    expect([again.status, again.body.code]).toEqual([409, 'idempotency_answer_lost'])
    expect(await total()).toBe(1)
  })

  it.each([
    ['when its lease is over', { minutes: 2 }],
    ['when its lease ends later than it can, because the clock was set back', { hours: -1 }],
  ])(
    'lets another attempt take over from a process that died before the commit, %s; if it is alive after all, it changes nothing',
    async (when, by) => {
      const role = name()
      const gate = holdNextTransaction(t)
      const first = createRole(when, role)
      await gate.reached
      t.clock.advance(by)
      const second = await t.call('POST /roles', { ...withKey(when), body: { name: role } })
      expect(second.status).toBe(201)
      await t.call(`DELETE /roles/${second.body.data.id}`) // so that only the key prevents it
      gate.open()
      expect((await first).body.code).toBe('idempotency_in_progress')
      expect(await rolesNamed(t, role)).toBe(0)
    },
  )
})

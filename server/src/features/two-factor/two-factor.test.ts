import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createTestApp, startTestApp, type TestApp } from '../../testing/app.ts'
import { itOnce } from '../../testing/it-once.ts'
import { codeIn, messagesTo, messageTo } from '../../testing/messages.ts'
import { newPhone, requestCode, turnOnTwoFactor } from '../../testing/two-factor.ts'

const off = { two_factor_country_code: null, two_factor_phone: null, two_factor_options: null }

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: 'off' })
})
afterAll(() => t.close())

const eventsOf = async (id: number): Promise<string[]> => {
  const rows = await t.ctx.unguarded
    .selectFrom('activity')
    .select('event')
    .where('subject_id', '=', id)
    .where('event', 'like', 'user.two_factor%')
    .orderBy('id')
    .execute()
  return rows.map((row) => row.event)
}

const fieldsOf = async (id: number) => {
  const { two_factor_country_code, two_factor_phone, two_factor_options } = (await t.call(`GET /users/${id}`)).body.data
  return { two_factor_country_code, two_factor_phone, two_factor_options }
}

describe('PUT /users/{id}/2fa', () => {
  it('stores the number as it was sent, pending, and sends a code of six digits there', async () => {
    const { user } = await t.createUser()
    const phone = newPhone()
    const { status, body } = await t.call(`PUT /users/${user.id}/2fa`, { body: phone.body })
    expect(status).toBe(200)
    expect(body.message).toBe('Verification token sent.')
    expect(body.data).toMatchObject({ id: user.id, email: user.email })
    expect(await fieldsOf(user.id)).toEqual({
      two_factor_country_code: 276,
      two_factor_phone: phone.body.phone_number,
      two_factor_options: { enabled: false, channel: 'sms' },
    })
    const sms = await messageTo(t, phone.e164, 'two-factor-enrolment')
    expect(sms).toMatchObject({ kind: 'sms', secret: 1, user_id: user.id })
    expect(sms.give_up_ms - sms.due_ms).toBeLessThanOrEqual(5 * 60_000)
    expect(codeIn(sms)).toMatch(/^\d{6}$/)
    expect(sms.body_text).toContain('at Gatehouse')
    expect(sms.body_text).toContain('Never share it')
    expect(sms.body_text?.length).toBeLessThanOrEqual(160)
    expect(await eventsOf(user.id)).toEqual(['user.two_factor_requested'])
  })

  it.each([
    ['keeps the leading zero of a string', 380, '0612345678', '0612345678', '+390612345678'],
    ['takes a number', 840, 2025550100, '2025550100', '+12025550100'],
    ['takes a calling code, and keeps it as it was sent', 49, '1701234567', '1701234567', '+491701234567'],
    ['takes the trunk zero, and keeps it as it was sent', 826, '07911123456', '07911123456', '+447911123456'],
  ])('%s', async (_what, country_code, phone_number, stored, e164) => {
    const { user } = await t.createUser()
    const { body } = await t.call(`PUT /users/${user.id}/2fa`, { body: { country_code, phone_number } })
    expect(body.data).toMatchObject({ two_factor_country_code: country_code, two_factor_phone: stored })
    expect((await messageTo(t, e164, 'two-factor-enrolment')).user_id).toBe(user.id)
  })

  it.each([
    ['nothing', {}, ['country_code', 'phone_number']],
    ['null', { country_code: null, phone_number: null }, ['country_code', 'phone_number']],
    ['text for the code', { country_code: '0276', phone_number: '1701234567' }, ['country_code']],
    ['a fraction', { country_code: 276.5, phone_number: 1701234567.5 }, ['country_code', 'phone_number']],
    ['booleans', { country_code: true, phone_number: true }, ['country_code', 'phone_number']],
    ['arrays', { country_code: [276], phone_number: ['1701234567'] }, ['country_code', 'phone_number']],
    ['objects', { country_code: {}, phone_number: {} }, ['country_code', 'phone_number']],
    ['zero and a negative number', { country_code: 0, phone_number: -1 }, ['country_code', 'phone_number']],
    ['huge numbers', { country_code: 1e9, phone_number: 1e21 }, ['country_code', 'phone_number']],
    ['an empty string', { country_code: 276, phone_number: ' ' }, ['phone_number']],
    ['spaces and hyphens', { country_code: 276, phone_number: '170 123-4567' }, ['phone_number']],
    ['a plus', { country_code: 276, phone_number: '+491701234567' }, ['phone_number']],
    ['a NUL', { country_code: 276, phone_number: '1701\u0000234567' }, ['phone_number']],
    ['a value that is too short', { country_code: 276, phone_number: '1' }, ['country_code', 'phone_number']],
    ['no country', { country_code: 999, phone_number: '1701234567' }, ['country_code', 'phone_number']],
  ])('refuses %s, and neither stores nor sends anything', async (_what, body, fields) => {
    const { user } = await t.createUser()
    const { status, body: answer } = await t.call(`PUT /users/${user.id}/2fa`, { body })
    expect(status).toBe(422)
    expect(Object.keys(answer.errors).sort()).toEqual(fields)
    expect(await fieldsOf(user.id)).toEqual(off)
    const sent = await t.ctx.unguarded.selectFrom('deliveries').select('id').where('user_id', '=', user.id).execute()
    expect(sent).toEqual([])
  })

  it('names both readings of a pair that makes no phone number', async () => {
    const { user } = await t.createUser()
    const { body } = await t.call(`PUT /users/${user.id}/2fa`, { body: { country_code: 276, phone_number: 1 } })
    expect(body.code).toBe('phone_number_invalid')
    expect(body.errors.phone_number[0]).toMatch(/ISO 3166-1 numeric code of Germany .* calling code \(\+276\)/)
  })

  it('does not wait for an SMS provider that accepts connections and never answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as { port: number }
    const api = encodeURIComponent(`http://127.0.0.1:${port}`)
    const url = `twilio://AC00000000000000000000000000000000:secret@default?from=%2B15005550006&api=${api}`
    const own = await createTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_URL: url })
    own.ctx.outbox.start()
    const connected = new Promise<void>((resolve) => {
      silent.on('connection', (socket) => {
        onTestFinished(() => void socket.destroy())
        resolve()
      })
    })
    const { user } = await own.createUser()
    const { status } = await own.call(`PUT /users/${user.id}/2fa`, { body: newPhone().body })
    expect(status).toBe(200)
    await connected
    const waiting = await own.ctx.unguarded.selectFrom('deliveries').select(['status', 'kind']).execute()
    expect(waiting).toEqual([{ status: 'sending', kind: 'sms' }])
  })
})

describe('POST /users/{id}/2fa/verify', () => {
  it('turns it on with the code, notifies the user by mail, and writes to the audit log', async () => {
    const { user } = await t.createUser({ first_name: 'Ada' })
    const phone = newPhone()
    const token = await requestCode(t, user.id, phone)
    const { status, body } = await t.call(`POST /users/${user.id}/2fa/verify`, { body: { token } })
    expect(status).toBe(200)
    expect(body).toEqual({ data: expect.objectContaining({ id: user.id }) })
    expect(await fieldsOf(user.id)).toEqual({
      two_factor_country_code: 276,
      two_factor_phone: phone.body.phone_number,
      two_factor_options: { enabled: true, channel: 'sms' },
    })
    const mail = await messageTo(t, user.email, 'two-factor-on')
    expect(mail.body_text).toContain('Ada')
    expect(mail.body_text).toContain(`Phone ending in ${phone.e164.slice(-4)}`)
    expect(mail.body_text).not.toContain(phone.body.phone_number)
    expect(await eventsOf(user.id)).toEqual(['user.two_factor_requested', 'user.two_factor_enabled'])
  })

  it('answers a wrong code, and one that was not requested, with only a message', async () => {
    const { user } = await t.createUser()
    const invalid = { message: 'Invalid 2FA token.', code: 'two_factor_token_invalid' }
    const unasked = await t.call(`POST /users/${user.id}/2fa/verify`, { body: { token: '123456' } })
    expect([unasked.status, unasked.body]).toEqual([422, invalid])
    const token = await requestCode(t, user.id)
    const wrong = token === '111111' ? '222222' : '111111'
    const answer = await t.call(`POST /users/${user.id}/2fa/verify`, { body: { token: wrong } })
    expect([answer.status, answer.body]).toEqual([422, invalid])
  })
})

describe('DELETE /users/{id}/2fa', () => {
  it('turns it off: three nulls, a mail that names the administrator, and an audit row', async () => {
    const { user } = await t.createUser()
    await turnOnTwoFactor(t, user.id)
    const { status, body } = await t.call(`DELETE /users/${user.id}/2fa`)
    expect(status).toBe(200)
    expect(body).toEqual({ data: expect.objectContaining({ id: user.id, ...off }) })
    const mail = await messageTo(t, user.email, 'two-factor-off')
    expect(mail.body_text).toContain('by an administrator')
    expect((await eventsOf(user.id)).at(-1)).toBe('user.two_factor_disabled')
  })

  it('discards a pending number without a mail, and its code is void', async () => {
    const { user } = await t.createUser()
    const token = await requestCode(t, user.id)
    expect((await t.call(`DELETE /users/${user.id}/2fa`, { body: '' })).body.data).toMatchObject(off)
    expect((await t.call(`POST /users/${user.id}/2fa/verify`, { body: { token } })).status).toBe(422)
    expect(await fieldsOf(user.id)).toEqual(off)
    expect((await messagesTo(t, user.email)).map((mail) => mail.template)).toEqual([])
  })

  it('while it is off, and PUT while it is on, are refused with only a message', async () => {
    const { user } = await t.createUser()
    const offAnswer = await t.call(`DELETE /users/${user.id}/2fa`)
    expect(offAnswer.status).toBe(422)
    expect(offAnswer.body).toEqual({
      message: '2FA is not enabled for this user.',
      code: 'two_factor_not_enabled',
    })
    await turnOnTwoFactor(t, user.id)
    const onAnswer = await t.call(`PUT /users/${user.id}/2fa`, { body: newPhone().body })
    expect(onAnswer.status).toBe(422)
    expect(onAnswer.body).toEqual({ message: '2FA is already enabled for this user.', code: 'two_factor_enabled' })
  })
})

describe('who may', () => {
  const routes = [
    ['PUT', '2fa', newPhone().body],
    ['POST', '2fa/verify', { token: '123456' }],
    ['DELETE', '2fa', undefined],
  ] as const

  it.each(routes)('%s /users/{id}/%s answers 401, 403 and 404', async (method, path, body) => {
    const { user, key } = await t.createUser()
    const manager = await t.createUser({ role_id: await t.createRole(`${method} ${path}`, ['users.manage']) })
    const status = async (id: string | number, as: string | null) =>
      (await t.call(`${method} /users/${id}/${path}`, { body, key: as })).status
    expect(await status(user.id, null)).toBe(401)
    expect(await status(user.id, key)).toBe(403)
    // The administrator holds permissions that the manager lacks.
    expect(await status(1, manager.key)).toBe(403)
    expect(await status(user.id, manager.key)).toBe(method === 'PUT' ? 200 : 422)
    expect(await status(999_999, t.adminKey)).toBe(404)
    expect(await status('01', t.adminKey)).toBe(404)
  })

  it.each(routes)('%s /me/%s answers 401 without a credential', async (method, path, body) => {
    expect((await t.call(`${method} /me/${path}`, { body, key: null })).status).toBe(401)
  })
})

describe('gatehouse users disable-2fa', () => {
  const command = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['server/bin/gatehouse.js', 'users', 'disable-2fa', ...args], {
      env: { GATEHOUSE_DATABASE_URL: t.database.url },
    })

  it('turns it off by email address, with the mail and the audit row', async () => {
    const { user } = await t.createUser()
    await turnOnTwoFactor(t, user.id)
    const { stdout } = await command(user.email)
    expect(stdout).toBe(`Two-factor authentication of user ${user.id} is off.\n`)
    expect(await fieldsOf(user.id)).toEqual(off)
    // Its text is sealed with the key of the command's own process.
    expect((await messageTo(t, user.email, 'two-factor-off')).user_id).toBe(user.id)
    expect((await eventsOf(user.id)).at(-1)).toBe('user.two_factor_disabled')
  })

  itOnce('exits 1 with one line for a user who has it off, and for an unknown one', async () => {
    const { user } = await t.createUser()
    const notOn = { code: 1, stderr: 'gatehouse: 2FA is not enabled for this user.\n' }
    await expect(command(String(user.id))).rejects.toMatchObject(notOn)
    const nobody = { code: 1, stderr: 'gatehouse: There is no user "nobody@example.com".\n' }
    await expect(command('nobody@example.com')).rejects.toMatchObject(nobody)
  })
})

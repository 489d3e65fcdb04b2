import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { countMessages, createAccount, oldPassword, signIn } from '../../../testing/accounts.ts'
import { type Answer, createTestApp, startNode, startTestApp, type TestApp } from '../../../testing/app.ts'
import { newPhone, turnOnTwoFactor } from '../../../testing/two-factor.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: 'off' })
})
afterAll(() => t.close())

const paths: Record<string, (t: TestApp, body: object) => Promise<Answer>> = {
  'PUT /users/{id}/2fa': async (t, body) => t.call(`PUT /users/${(await t.createUser()).user.id}/2fa`, { body }),
  'PUT /me/2fa': async (t, body) => {
    const { key } = await createAccount(t)
    return t.call('PUT /me/2fa', { key, body: { ...body, current_password: oldPassword } })
  },
}

const refused = (answer: Answer) => [answer.status, answer.body.code, Object.keys(answer.body.errors ?? {})]
const asRefused = [422, 'phone_number_refused', ['phone_number']]

describe.each(Object.entries(paths))('%s', (_, enrol) => {
  it.each([
    ['a German premium-rate number', 276, '9001234567'],
    ['a British premium-rate number', 826, '9098790123'],
    ['a British shared-cost number', 826, '8431234567'],
    ['an American premium-rate number', 840, '9002345678'],
    ['a French premium-rate number', 250, '891123456'],
    ['a German shared-cost number', 276, '18012345'],
    ['Inmarsat', 870, '773111632'],
    ['Iridium', 881, '612345678'],
    ['Thuraya', 882, '1612345678'],
    ['an international network', 883, '510012345678'],
    ['international premium rate', 979, '123456789'],
    ['international shared cost', 808, '12345678'],
  ])('sends no code to %s', async (_what, country_code, phone_number) => {
    const before = await countMessages(t)
    expect(refused(await enrol(t, { country_code, phone_number }))).toEqual(asRefused)
    expect(await countMessages(t)).toBe(before)
  })

  it.each([
    ['a German mobile', 276, '1701234567'],
    ['a German landline', 276, '3012345678'],
    ['an American number', 840, '2025550100'],
    ['a French mobile', 250, '612345678'],
  ])('sends one to %s', async (_what, country_code, phone_number) => {
    expect((await enrol(t, { country_code, phone_number })).status).toBe(200)
  })

  it('sends codes only to the countries of GATEHOUSE_SMS_COUNTRIES', async () => {
    const only = await createTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_COUNTRIES: 'de,at' })
    for (const [country_code, phone_number] of [
      [276, '1701234567'],
      [40, '6641234567'],
    ]) {
      expect((await enrol(only, { country_code, phone_number })).status).toBe(200)
    }
    for (const [country_code, phone_number] of [
      [756, '791234567'],
      [840, '2025550100'],
      [643, '9161234567'],
      [1, '5551234567'],
      [800, '12345678'],
    ]) {
      expect(refused(await enrol(only, { country_code, phone_number })), String(country_code)).toEqual(asRefused)
    }
  })
})

it('a sign-in code is not sent to a number that is no longer allowed, and nothing is counted', async () => {
  const { user } = await createAccount(t)
  await turnOnTwoFactor(t, user.id, newPhone())
  const later = await startNode(t, { GATEHOUSE_SMS_COUNTRIES: 'AT', GATEHOUSE_PLUGINS: 'announcements' })
  const before = await countMessages(t)
  const { status, body } = await signIn(later, user.email)
  expect([status, body.code]).toEqual([422, 'phone_number_refused'])
  expect(await countMessages(t)).toBe(before)
})

describe('GET /me/2fa/countries', () => {
  const gateway = { GATEHOUSE_SMS_URL: 'https://gateway.example.com/sms' }
  const namesFor = async (settings: Record<string, string>): Promise<string[]> => {
    const app = await createTestApp(inject('postgresUrl'), settings)
    return (await app.call('GET /me/2fa/countries')).body.data.map(({ name }: { name: string }) => name)
  }

  it('lists the countries that a code can go to, with what PUT /me/2fa needs', async () => {
    const app = await createTestApp(inject('postgresUrl'), { ...gateway, GATEHOUSE_SMS_COUNTRIES: 'de,at' })
    expect((await app.call('GET /me/2fa/countries')).body).toEqual({
      data: [
        { id: 40, name: 'Austria', calling_code: 43 },
        { id: 276, name: 'Germany', calling_code: 49 },
      ],
    })
    expect((await namesFor(gateway)).length).toBeGreaterThan(240)
  })

  it('lists none where no SMS service is configured', async () => {
    expect(await namesFor({})).toEqual([])
  })

  it('is for a session that must add a second factor, too', async () => {
    const app = await createTestApp(inject('postgresUrl'), gateway)
    const { user } = await createAccount(app)
    await app.call(`PATCH /roles/${user.role_id}`, { body: { two_factor: 'required' } })
    const { body } = await signIn(app, user.email)
    expect(body.two_factor_enrolment_required).toBe(true)
    expect((await app.call('GET /countries', { key: body.token })).status).toBe(403)
    expect((await app.call('GET /me/2fa/countries', { key: body.token })).status).toBe(200)
  })
})

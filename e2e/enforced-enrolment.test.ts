import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { consoleIsThere, fillSignIn, heading, picture } from './testing/passkeys.ts'
import { type Account, expectAccessible, openSite, type Site } from './testing/site.ts'
import { press, questionAt, typeAppCode } from './testing/steps.ts'

/* The page that adds the second factor which a role requires, where SMS go to a gateway. */

const phone = { width: 360, height: 740 }

let gateway: Server
let site: Site
/** What was sent to each number. */
const sent = new Map<string, string>()

beforeAll(async () => {
  gateway = createServer(async (request, response) => {
    const { to, text } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    sent.set(to, text)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(gateway, 'listening')
  const { port } = gateway.address() as AddressInfo
  site = await openSite({ GATEHOUSE_SMS_URL: `http://127.0.0.1:${port}/sms`, GATEHOUSE_SMS_COUNTRIES: 'DE,AT' })
})
afterAll(async () => {
  await site.close()
  gateway.close()
})

// Otherwise a retry would read the code that was sent to the first try.
beforeEach(() => sent.clear())

/** Somebody whose role requires a second factor. */
async function createMember(): Promise<Account> {
  const user = await site.createUser()
  await site.api.PATCH('/roles/{id}', { params: { path: { id: user.role_id } }, body: { two_factor: 'required' } })
  return user
}

const codeSentTo = async (number: string): Promise<string> => {
  await expect.poll(() => sent.get(number)).toMatch(/\d{6}/)
  return /\d{6}/.exec(sent.get(number) ?? '')?.[0] ?? ''
}

describe('where a role requires a second factor', () => {
  it('codes by SMS do: the number, the code, the recovery codes, and the page that was asked for', async () => {
    const user = await createMember()
    const page = await site.open(`/login?next=${encodeURIComponent('#/account?of=mine')}`, { ...phone, refused: [422] })
    await fillSignIn(page, user.email, user.password)
    await heading(page, 'Protect your account').waitFor()
    await press(page, 'Get codes by SMS')
    await heading(page, 'Get codes by SMS').waitFor()
    await expectAccessible(page)
    await picture(page, 'enrolment-phone')

    await press(page, 'Send a code')
    await page.getByText('Choose the country.').waitFor()
    const countries = page.getByLabel('Country of the phone')
    await expect
      .poll(() => countries.getByRole('option').allTextContents())
      .toEqual(['Choose a country', 'Austria (+43)', 'Germany (+49)'])
    await countries.selectOption('Germany (+49)')
    await page.getByLabel('Phone number').fill('1')
    await press(page, 'Send a code')
    await page.getByText('must be a possible phone number').waitFor()
    await page.getByLabel('Phone number').fill('170 123-4567')
    await press(page, 'Send a code')

    await heading(page, 'Enter the code').waitFor()
    await expectAccessible(page)
    const code = await codeSentTo('+491701234567')
    const wrong = code === '000000' ? '000001' : '000000'
    await page.getByLabel('Code').fill(wrong)
    await page.getByText('This code is wrong or has expired.').waitFor()
    await page.getByLabel('Code').fill(code)
    await heading(page, 'Keep your recovery codes').waitFor()
    await press(page, 'I have kept them')
    await consoleIsThere(page)
    expect(page.url()).toBe(`${site.url}/#/account?of=mine`)
  })

  it('a wrong password is asked for again', async () => {
    const user = await createMember()
    const page = await site.open('/login', { ...phone, refused: [422, 403] })
    await fillSignIn(page, user.email, user.password)
    await heading(page, 'Protect your account').waitFor()
    await page.goto(`${site.url}/#/account`) // the page forgets the password
    await page.waitForURL(`${site.url}/add-factor?next=%23%2Faccount`)
    const password = page.getByLabel('Password', { exact: true })
    for (const way of ['Use an authenticator app', 'Get codes by SMS']) {
      await password.fill('not the password')
      await press(page, 'Continue')
      await press(page, way)
      if (way === 'Get codes by SMS') {
        await page.getByLabel('Country of the phone').selectOption('Austria (+43)')
        await page.getByLabel('Phone number').fill('6641234567')
        await press(page, 'Send a code')
      }
      await page.getByText('The current password is not right.').waitFor()
    }
    await password.fill(user.password)
    await press(page, 'Continue')
    await press(page, 'Use an authenticator app')
    await heading(page, 'Scan the code').waitFor()
  })

  it('Back leads from the code to the number, and from each way to the choice', async () => {
    const user = await createMember()
    const page = await site.open('/login', phone)
    await fillSignIn(page, user.email, user.password)
    await press(page, 'Use an authenticator app')
    await heading(page, 'Scan the code').waitFor()
    await page.goBack()
    await press(page, 'Get codes by SMS')
    await page.getByLabel('Country of the phone').selectOption('Germany (+49)')
    await page.getByLabel('Phone number').fill('170 1234999')
    await press(page, 'Send a code')
    await heading(page, 'Enter the code').waitFor()
    await page.goBack()
    await expect.poll(() => page.getByLabel('Phone number').inputValue()).toBe('1701234999')
    expect(await page.getByLabel('Country of the phone').inputValue()).toBe('276')
    await page.goBack()
    await heading(page, 'Protect your account').waitFor()
  })

  it('the browser’s Back does not lose recovery codes that nobody has kept', async () => {
    const user = await createMember()
    const page = await site.open('/login', phone)
    await fillSignIn(page, user.email, user.password)
    await press(page, 'Use an authenticator app')
    await typeAppCode(page)
    await heading(page, 'Keep your recovery codes').waitFor()
    const codes = await page.getByRole('list', { name: 'Recovery codes' }).innerText()
    await page.evaluate(() => history.back()) // from the step to the page
    expect(await questionAt(page, () => page.evaluate(() => history.back()))).toContain('recovery codes')
    await page.waitForURL(`${site.url}/add-factor`)
    expect(await page.getByRole('list', { name: 'Recovery codes' }).innerText()).toBe(codes)
    await press(page, 'I have kept them')
    await consoleIsThere(page)
  })
})

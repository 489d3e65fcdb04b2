import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, openSite, type Site } from './testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const newPassword = 'a loud harbour at dusk'
const notice = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor()
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const userOf = async (id: number) => (await site.api.GET('/users/{id}', { params: { path: { id } } })).data?.data

describe('my account', () => {
  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('is the start page of who may nothing else, accessible in %s at %i px', async (scheme, width) => {
    const page = await site.open('/', { as: await site.createUser(), scheme, width })
    await page.waitForURL(`${site.url}/#/account`)
    await section(page, 'Sessions').getByText('Active just now').waitFor()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    if (width < 600) await page.getByRole('button', { name: 'Open the menu' }).click()
    const menu = page.getByRole('navigation', { name: 'Main' })
    await expect.poll(() => menu.getByRole('listitem').allTextContents()).toEqual(['Announcements', 'My account'])
  })

  it('changes details and sends only those that were changed', async () => {
    const user = await site.createUser([], { first_name: 'Ada', phone: '+49 30 1234567' })
    const page = await site.open('/', { as: user })
    await page.getByRole('textbox', { name: 'Last name' }).fill('Lovelace')
    await page.getByRole('textbox', { name: 'Phone', exact: true }).fill('')
    await page.getByRole('combobox', { name: 'Country', exact: true }).fill('norw')
    await page.getByRole('option', { name: /Norway/ }).click()
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.getByRole('button', { name: 'Save details' }).click()
    expect((await sent).postDataJSON()).toEqual({ last_name: 'Lovelace', phone: null, country_id: 578 })
    await notice(page, 'Your details were saved.')
    await page.getByRole('main').getByText('Ada Lovelace').waitFor()
    await page.getByRole('button', { name: 'Your account: Ada Lovelace' }).waitFor()
  })

  it('lets the browser fill in who one is', async () => {
    const page = await site.open('/#/account', { as: await site.createUser() })
    await page.getByText('This session').waitFor()
    const purposeOf = (name: string) => page.locator(`[name=${name}]`).getAttribute('autocomplete')
    const names = ['first_name', 'last_name', 'phone', 'birthday', 'address', 'username', 'phone_number']
    const purposes = ['given-name', 'family-name', 'tel', 'bday', 'street-address', 'username', 'tel-national']
    expect(await Promise.all(names.map(purposeOf))).toEqual(purposes) // WCAG 1.3.5
    expect(await page.getByLabel('Username').getAttribute('autocapitalize')).toBe('none')
  })

  it('stays where it is on a phone, once the role is known', async () => {
    const user = await site.createUser([], { email: 'somebody-with-a-long-name@example.com' })
    const page = await site.open('/login', { width: 320, as: user })
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/api/me?*', async (route) => {
      await promise
      await route.continue()
    })
    await page.goto(`${site.url}/#/account`)
    const place = () => page.getByRole('button', { name: 'Change the picture' }).boundingBox()
    await page.getByText('This session').waitFor()
    const before = await place()
    resolve()
    await page.getByText(/^Role of/).waitFor()
    expect(await place()).toEqual(before)
  })

  it('changes username and address with the current password; the address once its link was opened', async () => {
    const user = await site.createUser()
    const page = await site.open('/#/account', { as: user, refused: [422] })
    const signIn = section(page, 'Sign-in')
    const current = signIn.getByLabel('Current password')
    await expect.poll(() => current.count()).toBe(0)
    await signIn.getByRole('textbox', { name: 'Username' }).fill('captain')
    await signIn.getByRole('textbox', { name: 'Email' }).fill('captain@example.com')
    await current.fill('not it')
    await signIn.getByRole('button', { name: 'Save sign-in' }).click()
    await signIn.getByText('The current password is not right.').waitFor()
    await current.fill(user.password)
    await signIn.getByRole('button', { name: 'Save sign-in' }).click()
    await signIn.getByText('We sent a link to captain@example.com.').waitFor()
    expect(await userOf(user.id)).toMatchObject({ username: 'captain', email: user.email })
    const token = /#token=([\w.-]+)/.exec(await site.lastMessage('captain@example.com'))?.[1] ?? ''
    await site.api.POST('/email/verify', { body: { token, password: user.password } })
    await page.reload()
    await page.getByRole('main').getByText('captain@example.com').first().waitFor()
  })

  it('changes the password: other sessions end, this one stays', async () => {
    const user = await site.createUser()
    const page = await site.open('/#/account', { as: user, refused: [422] })
    await site.api.POST('/login', { body: { username: user.email, password: user.password } })
    const own = section(page, 'Password')
    await own.getByLabel('Current password').fill(user.password)
    await own.getByRole('textbox', { name: 'New password' }).fill(newPassword)
    await own.getByRole('textbox', { name: 'Repeat the password' }).fill('something else')
    await own.getByRole('button', { name: 'Change the password' }).click()
    await own.getByText('The two passwords differ.').waitFor()
    await own.getByRole('textbox', { name: 'Repeat the password' }).fill(newPassword)
    await own.getByRole('button', { name: 'Change the password' }).click()
    await notice(page, 'Your password was changed.')
    await page.reload()
    await page.getByText('Active just now').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^End the session/ }).count()).toBe(1)
    const { error } = await site.api.POST('/login', { body: { username: user.email, password: newPassword } })
    expect(error).toBeUndefined()
  })

  it('says what was saved, also where the account cannot be loaded again', async () => {
    const user = await site.createUser()
    const page = await site.open('/#/account', { as: user, refused: [503] })
    await page.route('**/api/me', (route) =>
      route.fulfill({ status: 503, json: { message: 'Away.', code: 'unavailable' } }),
    )
    await page.getByRole('textbox', { name: 'Last name' }).fill('Lovelace')
    await page.getByRole('button', { name: 'Save details' }).click()
    await notice(page, 'Your details were saved.')
    const own = section(page, 'Password')
    const current = own.getByLabel('Current password')
    await current.fill(user.password)
    await own.getByRole('textbox', { name: 'New password' }).fill(newPassword)
    await own.getByRole('textbox', { name: 'Repeat the password' }).fill(newPassword)
    await own.getByRole('button', { name: 'Change the password' }).click()
    await notice(page, 'Your password was changed.')
    await expect.poll(() => current.inputValue()).toBe('')
  })

  it('is not signed out by a refusal while it cannot be loaded', async () => {
    const page = await site.open('/#/account', { as: await site.createUser(['users.manage']), refused: [403, 503] })
    await page.route('**/api/me', (route) =>
      route.fulfill({ status: 503, json: { message: 'Away.', code: 'unavailable' } }),
    )
    await page.route('**/api/users?*', (route) =>
      route.fulfill({ status: 403, json: { message: 'Refused.', code: 'forbidden' } }),
    )
    const loaded = page.waitForResponse('**/api/me')
    await page.getByRole('link', { name: 'Users' }).click()
    await loaded
    await page.getByText('The list could not be loaded. Refused.').waitFor()
    await page.getByRole('link', { name: 'My account' }).click()
    await section(page, 'Password').waitFor()
  })

  it('turns two-factor authentication on and off with the current password', async () => {
    const user = await site.createUser([], { country_id: 276 })
    const page = await site.open('/#/account', { as: user, refused: [422] })
    const own = section(page, 'Codes by SMS')
    await own.getByRole('textbox', { name: 'Phone number' }).fill('0171 7654321')
    await own.getByRole('button', { name: 'Send a code' }).click()
    await own.getByText('The current password field is required.').waitFor()
    await own.getByLabel('Current password').fill(user.password)
    await own.getByRole('button', { name: 'Send a code' }).click()
    await own.getByText('Not verified yet').waitFor()
    const [code = ''] = (await site.lastMessage('+491717654321')).match(/\d{6}/) ?? []
    await own.getByRole('textbox', { name: 'Code from the SMS' }).fill(`${code.slice(0, 3)} ${code.slice(3)}`)
    await own.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await own.getByRole('button', { name: 'Turn off' }).click()
    const dialog = page.getByRole('dialog')
    await expectAccessible(page)
    await dialog.getByLabel('Current password').fill('not it')
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await dialog.getByText('The current password is not right.').waitFor()
    await dialog.getByLabel('Current password').fill(user.password)
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect((await userOf(user.id))?.two_factor_options).toBeNull()
  })

  it('sets the picture, and ends sessions; with one’s own one signs in again', async () => {
    const user = await site.createUser()
    const external = 'https://cdn.example.com/ada.png'
    const options = { as: user, refused: [401], elsewhere: [new URL(external).origin] }
    const page = await site.open('/#/account', options)
    await page.getByRole('button', { name: 'Change the picture' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address of a picture elsewhere').fill(external)
    await dialog.getByRole('button', { name: 'Use it' }).click()
    await notice(page, 'The picture was saved.')
    expect((await userOf(user.id))?.avatar).toBe(external)
    await page.getByRole('button', { name: 'End all' }).click()
    await dialog.getByRole('button', { name: 'End all' }).click()
    await page.getByRole('dialog', { name: 'Sign in again' }).getByLabel('Password').fill(user.password)
    await page.keyboard.press('Enter')
    await page.getByText('This session').waitFor()
  })
})

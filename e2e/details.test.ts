import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf, itLong } from '../server/src/testing/long-form.ts'
import { expectAccessible, openSite, type Site } from './testing/site.ts'
import { inDialog, isChange, press } from './testing/steps.ts'
import { codeAt } from './testing/totp.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const asAdmin = (path: string, options: Parameters<Site['open']>[1] = {}) =>
  site.open(path, { as: site.admin, ...options })
const hasFocus = (field: Locator) => field.evaluate((element) => element === document.activeElement)

/** Nothing lies over the middle of it: no bar, no toast. */
const isUncovered = (field: Locator) =>
  field.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    const above = document.elementFromPoint(x + width / 2, y + height / 2)
    return above !== null && (element.contains(above) || above.contains(element))
  })

describe('the filters of the users', () => {
  it('keep what is typed while the list is loaded again', async () => {
    const page = await asAdmin('/#/users')
    await page.getByText(site.admin.email).waitFor()
    const waiting: (() => void)[] = []
    await page.route('**/api/users?*', async (route) => {
      await new Promise<void>((go) => waiting.push(go))
      await route.continue()
    })
    await page.getByRole('searchbox').fill('a')
    const country = page.getByRole('combobox', { name: 'Country' })
    await country.pressSequentially('germ')
    await expect.poll(() => waiting.length).toBeGreaterThan(0)
    for (const go of waiting.splice(0)) go()
    await country.pressSequentially('any')
    await page.getByText(site.admin.email).waitFor()
    await expect.poll(() => country.inputValue()).toBe('germany')
    await page.getByRole('option', { name: /Germany/ }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it.each(firstOf(['/#/users', '/#/activity', '/#/deliveries']))('on %s show their labels whole', async (path) => {
    const page = await asAdmin(path)
    await page.locator('main label').first().waitFor()
    const clipped = await page
      .locator('main label')
      .evaluateAll((labels) =>
        labels.filter((label) => label.scrollWidth > label.clientWidth).map(({ textContent }) => textContent),
      )
    expect(clipped).toEqual([])
  })
})

it('the tab of the browser says which page it shows', async () => {
  const page = await asAdmin('/#/users')
  for (const [path, title] of [
    ['/#/users', 'Users'],
    ['/#/users/create', 'New user'],
    ['/#/users/1', 'admin'],
    ['/#/roles', 'Roles'],
    ['/#/settings', 'Settings'],
    ['/#/announcements', 'Announcements'],
    ['/#/nothing', 'Page not found'],
    ['/#/', 'Dashboard'],
  ]) {
    await page.goto(site.url + path)
    await expect.poll(() => page.title()).toMatch(new RegExp(`^${title}.* · Gatehouse$`))
  }
})

itLong('“Confirm” does not stand under “Danger zone”', async () => {
  const user = await site.createUser([], { email: 'waiting@example.com' })
  await site.api.PATCH('/users/{id}', { params: { path: { id: user.id } }, body: { status: 'Unconfirmed' } })
  const page = await asAdmin(`/#/users/${user.id}`)
  const zone = page.getByRole('region', { name: 'Danger zone' })
  await zone.getByRole('button', { name: 'Delete' }).waitFor()
  await expect.poll(() => zone.getByRole('button', { name: 'Confirm' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await page.getByText(/is active now/).waitFor()
})

it('the current session is marked', async () => {
  const user = await site.createUser()
  await site.api.POST('/login', { body: { username: user.email, password: user.password } })
  const page = await site.open('/#/account', { as: user })
  await page.getByText('This session').waitFor()
  await expect.poll(() => page.getByText('This session').count()).toBe(1)
  await expect.poll(() => page.getByRole('button', { name: /End the session/ }).count()).toBe(2)
})

it('errors name settings as the page does, not by their keys', async () => {
  const page = await asAdmin('/#/settings', { refused: [422] })
  await page.getByLabel(/captcha/i).check()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.locator('.Mui-error').first().waitFor()
  await expect.poll(() => hasFocus(page.getByLabel(/captcha/i))).toBe(true)
  const text = (await page.locator('main').innerText()).toLowerCase()
  expect(text).not.toMatch(/registration[._]\w|two_factor|password_reset|\w+\.\w+_\w+/)
})

describe('a refusal that names a field that the form does not have is said, and the form can be sent again', () => {
  it.each(
    firstOf<[name: string, path: string, fields: Record<string, string>, button: string, api: string]>([
      ['a new role', '/#/roles/create', { Name: 'Support' }, 'Create the role', '**/api/roles'],
      ['my account', '/#/account', { Address: 'Harbour 1' }, 'Save details', '**/api/me/details'],
      ['a plugin', '/#/announcements/create', { Title: 'News', Text: 'Hello' }, 'Publish', '**/api/announcements'],
    ]),
  )('%s', async (_name, path, fields, button, api) => {
    const page = await asAdmin(path, { refused: [422] })
    for (const [label, text] of Object.entries(fields)) {
      await page.getByRole('textbox', { name: label, exact: true }).fill(text)
    }
    const [label = ''] = Object.keys(fields)
    const errors = { [label.toLowerCase()]: ['Is wrong.'], account_number: ['No number is left.'] }
    await page.route(
      api,
      (route) => route.fulfill({ status: 422, json: { message: 'Invalid.', code: 'validation_failed', errors } }),
      {
        times: 1,
      },
    )
    await press(page, button)
    await page
      .getByRole('alert')
      .filter({ hasText: /^No number is left\.$/ })
      .waitFor()
    await page.getByText('Is wrong.').waitFor()
    await page.getByRole('textbox', { name: label, exact: true }).fill('Other')
    const again = page.waitForRequest(isChange)
    await press(page, button)
    await again
  })
})

describe('an address that does not exist', () => {
  it.each(firstOf(['/nonsense', '/deep/nonsense']))('%s is a page', async (path) => {
    const page = await site.open(path, { refused: [404] })
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Go to the start page' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })
})

/** As the page keeps the second step of a sign-in. */
const keepChallenge = (page: Page, kept: string) =>
  page.evaluate((text) => {
    sessionStorage.setItem('gatehouse.challenge', text)
    history.pushState({ step: 'code' }, '')
  }, kept)

describe('signing in', () => {
  it('puts the cursor to the password after a refusal', async () => {
    const page = await site.open('/login', { refused: [422] })
    await page.getByLabel('Email or username').fill(site.admin.email)
    await page.getByLabel('Password', { exact: true }).fill('a wrong password')
    await page.keyboard.press('Enter')
    await page.getByText('These credentials do not match our records.').waitFor()
    await expect.poll(() => hasFocus(page.getByLabel('Password', { exact: true }))).toBe(true)
    await page.keyboard.type(site.admin.password) // over the wrong one, which is selected
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Your account/ }).waitFor()
  })

  it('puts the cursor to a name that cannot be one', async () => {
    const page = await site.open('/login', { refused: [422] })
    const name = page.getByLabel('Email or username')
    await name.fill('a'.repeat(256))
    await page.getByLabel('Password', { exact: true }).fill(site.admin.password)
    await page.keyboard.press('Enter')
    await page.locator('[name=username][aria-invalid=true]').waitFor()
    await expect.poll(() => hasFocus(name)).toBe(true)
  })

  it('stays at the code after a reload', async () => {
    const user = await site.createUser()
    const params = { path: { id: user.id } }
    const codeOf = async () => (await site.lastMessage('+491701234777')).match(/\d{6}/)?.[0] ?? ''
    await site.api.PUT('/users/{id}/2fa', { params, body: { country_code: 276, phone_number: '1701234777' } })
    await site.api.POST('/users/{id}/2fa/verify', { params, body: { token: await codeOf() } })
    const page = await site.open('/login')
    await page.getByLabel('Email or username').fill(user.email)
    await page.getByLabel('Password', { exact: true }).fill(user.password)
    await page.keyboard.press('Enter')
    await page.getByLabel('Code').waitFor()
    await page.reload()
    await page.getByLabel('Code').fill(await codeOf())
    await page.getByRole('button', { name: /^Your account/ }).waitFor()
    await page.goto(`${site.url}/login`)
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
  })

  it('starts over after a reload where one went back', async () => {
    const page = await site.open('/login')
    await keepChallenge(page, JSON.stringify({ challenge: 'x', methods: ['totp'], until: Date.now() + 60_000 }))
    await page.reload()
    await page.getByRole('button', { name: 'Back to sign in' }).click()
    await page.reload()
    await page.getByLabel('Email or username').waitFor()
  })

  it.each([
    ['incomplete', JSON.stringify({ challenge: 'x', until: Date.now() + 3_600_000 })],
    ['no object', '"x"'],
    ['unreadable', '{"challenge"'],
  ])('starts over where what was kept is %s', async (_, kept) => {
    const page = await site.open('/login')
    await keepChallenge(page, kept)
    await page.reload()
    await page.getByLabel('Email or username').waitFor()
  })
})

describe('a new user', () => {
  const fieldOf = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

  it.each(firstOf([1280, 360]))('is told everything that is wrong at once, in our words, at %i px', async (width) => {
    const page = await asAdmin('/#/users/create', { width, height: 640, refused: [422] })
    await page.getByRole('button', { name: 'Create the user' }).click()
    for (const text of ['An email address is needed.', 'A password is needed.', 'Repeat the password.']) {
      await page.getByText(text, { exact: true }).first().waitFor()
    }
    expect(
      await page.locator('form').evaluateAll((forms) => forms.every((form) => (form as HTMLFormElement).noValidate)),
    ).toBe(true)
    const email = fieldOf(page, 'Email')
    await expect.poll(() => hasFocus(email)).toBe(true)
    expect(await isUncovered(email)).toBe(true)
    await email.fill('nonsense')
    await fieldOf(page, 'Password').fill('short')
    await fieldOf(page, 'Repeat the password').fill('other')
    await page.getByRole('button', { name: 'Create the user' }).click()
    for (const text of ['This is not an email address.', 'Use at least 8 characters.', 'The two passwords differ.']) {
      await page.getByText(text, { exact: true }).waitFor()
    }
    await email.fill(site.admin.email)
    await fieldOf(page, 'Password').fill('a quiet harbour at dawn')
    await fieldOf(page, 'Repeat the password').fill('a quiet harbour at dawn')
    await page.getByRole('button', { name: 'Create the user' }).click()
    await page.getByText('The email has already been taken.').waitFor()
    await expect.poll(() => hasFocus(email)).toBe(true)
    expect(await isUncovered(email)).toBe(true)
  })
})

describe('on paper', () => {
  it('stands the page alone, in black, also where the screen is dark', async () => {
    const page = await site.open('/#/roles', { as: site.admin, scheme: 'dark' })
    const role = page.getByRole('cell', { name: 'Administrator' })
    await role.waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await role.evaluate((cell) => getComputedStyle(cell).color)).toBe('rgb(0, 0, 0)')
    for (const name of ['Skip to the content', 'Dashboard']) {
      await expect.poll(() => page.getByRole('link', { name }).count()).toBe(0)
    }
    await expect.poll(() => page.getByRole('button', { name: 'Refresh' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('heading', { name: 'Roles', level: 1 }).isVisible()).toBe(true)
  })

  itLong('stand the recovery codes alone', async () => {
    const user = await site.createUser()
    const page = await site.open('/#/account', { as: user })
    await press(page, 'Add an authenticator app')
    await page.getByRole('dialog').getByLabel('Current password').fill(user.password)
    await inDialog(page, 'Continue')
    const secret = await page.getByRole('textbox', { name: 'Key' }).innerText()
    await page
      .getByRole('dialog')
      .getByLabel('Code')
      .fill(codeAt(secret, Date.now() / 1000))
    await inDialog(page, 'Turn on')
    const codes = page.getByRole('textbox', { name: 'Recovery codes' })
    await codes.waitFor()
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => codes.isVisible()).toBe(true)
    await expect.poll(() => page.locator('#root').isVisible()).toBe(false)
    await expect.poll(() => page.getByRole('button', { name: 'I have kept them' }).count()).toBe(0)
  })
})

it('where the browser lets no page copy, a secret is marked, and it says how to copy it', async () => {
  const page = await asAdmin('/#/api-keys/create')
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Nightly import')
  await page.keyboard.press('Enter')
  await press(page, 'Copy')
  await page.getByRole('status').filter({ hasText: 'It is marked: press Ctrl+C or ⌘C.' }).waitFor()
  expect(await page.evaluate(() => getSelection()?.toString())).toMatch(/^gh_/)
})

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itLong } from '../server/src/testing/long-form.ts'
import { openSite, type Site } from './testing/site.ts'
import { addUser, inDialog, noticeOf, password, press } from './testing/steps.ts'
import { codeAt } from './testing/totp.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
  for (const name of ['Ada', 'Berta', 'Cleo', 'Dora', 'Emma', 'Fanny', 'Grete', 'Hanna']) {
    await addUser(site, `${name.toLowerCase()}@example.com`, {
      first_name: name,
      last_name: 'Long',
      username: name.toLowerCase(),
    })
  }
})
afterAll(() => site.close())

/** What has the focus: its name, or its tag where it has none. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: at } = document
    return at?.matches('a, button') ? at.textContent : (at?.getAttribute('aria-label') ?? at?.tagName.toLowerCase())
  })
const expectFocus = (page: Page, name: string) => expect.poll(() => focused(page)).toBe(name)

describe('another page', () => {
  it('begins at its top, with the focus in its content; going back leads to where one was', async () => {
    const page = await site.openAsAdmin('/#/users', { width: 360, height: 420 })
    const scrolled = () => page.evaluate(() => Math.round(scrollY))
    // Whoever is last: the newest come first, but some are of the same second.
    await page.getByRole('link', { name: 'Ada Long' }).waitFor()
    const link = page.getByRole('link', { name: / Long/ }).last()
    await link.scrollIntoViewIfNeeded()
    const place = await scrolled()
    expect(place).toBeGreaterThan(200)
    await link.press('Enter')
    await page.getByRole('tab', { name: 'Profile' }).waitFor()
    expect(await scrolled()).toBe(0)
    await expectFocus(page, 'main')
    // Its frame would be a line along the edge of the window.
    expect(await page.getByRole('main').evaluate((main) => getComputedStyle(main).outlineStyle)).toBe('none')
    await page.goBack()
    await link.waitFor()
    await expect.poll(scrolled).toBe(place)
  })

  it('takes the focus from the menu, and its title is read out', async () => {
    const page = await site.openAsAdmin('/#/users')
    await page.getByRole('link', { name: 'Roles', exact: true }).press('Enter')
    await page.getByRole('cell', { name: 'Administrator' }).waitFor()
    await expectFocus(page, 'main')
    await expect
      .poll(() => page.getByRole('heading', { level: 1, name: 'Roles' }).getAttribute('aria-live'))
      .toBe('polite')
  })

  itLong('keeps the focus where only a part of it changes', async () => {
    const page = await site.openAsAdmin('/#/users/1')
    await page.getByRole('tab', { name: 'Sessions' }).press('Enter')
    await page.getByText('This session').waitFor()
    await expectFocus(page, 'Sessions')
  })
})

describe('a form that is sent by its button', () => {
  const formWith = (page: Page, name: string) => page.locator(`form:has([name="${name}"])`)
  const send = async (page: Page, button: string, values: Record<string, string>) => {
    const form = formWith(page, Object.keys(values)[0] ?? '')
    for (const [name, value] of Object.entries(values)) await form.locator(`[name="${name}"]`).fill(value)
    await form.getByRole('button', { name: button, exact: true }).press('Enter')
    return form
  }

  const known = { password_confirmation: 'password1', password: 'password1' }
  const refused: [path: string, button: string, wrong: string, values: Record<string, string>][] = [
    ['/#/users/2/security', 'Set the password', 'password', known],
    ['/#/account', 'Save details', 'first_name', { first_name: 'y'.repeat(600) }],
    ['/#/account', 'Save sign-in', 'username', { username: 'grete', current_password: password }],
    ['/#/account', 'Change the password', 'current_password', { ...known, current_password: 'wrong' }],
    ['/#/settings', 'Save changes', 'password.min_length', { 'password.min_length': '3' }],
    ['/#/announcements/create', 'Publish', 'body', { title: 'Long', body: 'b'.repeat(20_001) }],
  ]

  it('puts the cursor to the wrong field that the server names', async () => {
    const page = await site.openAsAdmin('/#/users', { refused: [422] })
    page.on('dialog', (question) => question.accept())
    for (const [path, button, wrong, values] of refused) {
      await page.goto(site.url + path)
      const form = await send(page, button, values)
      await form.locator(`[name="${wrong}"][aria-invalid=true]:focus`).waitFor()
    }
  })

  itLong('keeps the focus where it was, also while the button cannot be used', async () => {
    const page = await site.openAsAdmin('/#/users/2')
    const path = '**/api/users/2'
    await page.route(path, (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
    await send(page, 'Save changes', { address: 'Old Street 1' })
    await noticeOf(page, 'The server cannot be reached.')
    await expectFocus(page, 'Save changes')
    await page.unroute(path)
    await page.keyboard.press('Enter')
    await noticeOf(page, 'The changes were saved.')
    await page.keyboard.press('Tab')
    await expectFocus(page, 'Ban')
    await page.goto(`${site.url}/#/users/2/security`)
    await send(page, 'Set the password', { password_confirmation: password, password })
    await noticeOf(page, 'The password was set.')
    await page.getByRole('region', { name: 'Set a password' }).and(page.locator(':focus')).waitFor()
  })
})

describe('the focus is not lost', () => {
  it('when a second dialog follows the first, or what opened it is gone', async () => {
    const kim = await site.createUser()
    const page = await site.open('/#/account', { as: kim })
    await page.getByRole('button', { name: 'Add an authenticator app' }).press('Enter')
    await page.getByRole('dialog').getByLabel('Current password').fill(password)
    await page.keyboard.press('Enter')
    const secret = await page.getByRole('textbox', { name: 'Key' }).innerText()
    await page
      .getByRole('dialog')
      .getByLabel('Code')
      .fill(codeAt(secret, Date.now() / 1000))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'I have kept them' }).click() // the dialog may take the focus from a key
    await expectFocus(page, 'Add an authenticator app')
    await page.getByRole('button', { name: 'Remove Authenticator app' }).press('Enter')
    await page.getByRole('dialog').getByLabel('Current password').fill(password)
    await page.keyboard.press('Enter')
    await noticeOf(page, 'The factor was removed.')
    await expectFocus(page, 'section')
    await page.keyboard.press('Tab')
    await expectFocus(page, 'Add a passkey')
  })

  itLong('after an undo and after a deletion', async () => {
    const page = await site.openAsAdmin('/#/users')
    await page.getByRole('link', { name: 'Berta Long' }).press('Enter')
    await press(page, 'Ban')
    await inDialog(page, 'Ban')
    await noticeOf(page, 'Berta Long was banned.')
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await noticeOf(page, 'Berta Long is Active again.')
    await expect.poll(() => focused(page)).not.toBe('body')
    await page.getByRole('button', { name: 'Delete' }).press('Enter')
    await page.getByRole('dialog').getByRole('textbox').fill('berta@example.com')
    await page.keyboard.press('Enter')
    await noticeOf(page, 'Berta Long was deleted.')
    await expectFocus(page, 'main')
  })
})

describe('a dialog whose request is refused', () => {
  const dialog = (page: Page) => page.getByRole('dialog')
  const inForm = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })

  /** Requests with this method fail, until they are let through. */
  async function refuse(page: Page, path: string, method: string): Promise<() => Promise<void>> {
    await page.route(path, (route) => (route.request().method() === method ? route.abort() : route.continue()))
    return () => page.unroute(path)
  }

  it('gives the focus back to the button that was pressed: Enter tries again', async () => {
    const page = await site.openAsAdmin('/#/users/6')
    const letThrough = await refuse(page, '**/api/users/6', 'PATCH')
    await press(page, 'Ban')
    await inForm(page, 'Ban').press('Enter')
    await dialog(page).getByRole('alert').waitFor()
    await inForm(page, 'Ban').and(page.locator(':focus')).waitFor()
    await letThrough()
    await page.keyboard.press('Enter')
    await noticeOf(page, 'Emma Long was banned.')
  })

  itLong('does so where many users are changed or exported', async () => {
    const page = await site.openAsAdmin('/#/users')
    await refuse(page, '**/api/users/bulk', 'POST')
    await page.getByRole('checkbox', { name: 'Select Dora Long' }).check()
    await press(page, 'More actions')
    await page.getByRole('menuitem', { name: 'Send a password reset' }).click()
    await inForm(page, 'Send a password reset to 1 user').press('Enter')
    await dialog(page).getByRole('alert').waitFor()
    await inForm(page, 'Send a password reset to 1 user').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')

    await refuse(page, '**/api/users/export?*', 'GET')
    await press(page, 'Export')
    await inForm(page, 'Export').press('Enter')
    await dialog(page).getByRole('alert').waitFor()
    await inForm(page, 'Export').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
  })

  itLong('puts the cursor to the field of a dialog that was refused', async () => {
    const user = await site.createUser()
    const page = await site.open('/#/account', { as: user, refused: [422] })
    await press(page, 'Add an authenticator app')
    const field = dialog(page).getByLabel('Current password')
    await field.fill('not the password')
    await inForm(page, 'Continue').click()
    await dialog(page).getByRole('alert').waitFor()
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.type(user.password) // over the wrong one, which is selected
    await expect.poll(() => field.inputValue()).toBe(user.password)
  })

  itLong('puts the cursor to the address of a picture that was refused', async () => {
    const page = await site.open('/#/account', { as: await site.createUser(), refused: [422] })
    await press(page, 'Change the picture')
    const field = dialog(page).getByLabel('Address of a picture elsewhere')
    await field.fill('https://127.0.0.1/picture.png')
    await dialog(page).getByRole('button', { name: 'Use it' }).click()
    await field.and(page.locator('[aria-invalid=true]:focus')).waitFor()
  })

  itLong('puts the cursor to the wrong field of a proof; the dialog below gets the focus back after it', async () => {
    const page = await site.openAsAdmin('/#/users/5', { refused: [403, 422] })
    await page.route('**/api/users/5', (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      return route.fulfill({ status: 403, json: { message: 'Confirm first.', code: 'reauthentication_required' } })
    })
    await press(page, 'Ban')
    await inForm(page, 'Ban').press('Enter')
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await proof.getByLabel('Password').fill('not it')
    await proof.getByRole('button', { name: 'Confirm' }).press('Enter')
    await proof.locator('[type=password][aria-invalid=true]:focus').waitFor()
    await page.keyboard.press('Escape')
    await inForm(page, 'Ban').and(page.locator(':focus')).waitFor()
  })
})

it('a question is read out with what will happen', async () => {
  const page = await site.openAsAdmin('/#/users')
  await page.getByRole('link', { name: 'Cleo Long' }).click()
  await press(page, 'Ban')
  const described = await page.getByRole('dialog').getAttribute('aria-describedby')
  await expect.poll(() => page.locator(`[id="${described}"]`).innerText()).toContain('They are signed out at once')
})

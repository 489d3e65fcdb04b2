import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf } from '../server/src/testing/long-form.ts'
import { fillSignIn, heading, picture } from './testing/passkeys.ts'
import { expectAccessible, openSite, type Site } from './testing/site.ts'
import { password, press } from './testing/steps.ts'

/* The public pages have steps: the browser's Back leads to the one before, with what was typed. */

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const phone = { width: 390, height: 844 }
const fieldValue = (page: Page, label: string) =>
  expect.poll(() => page.getByLabel(label, { exact: true }).inputValue())

async function fillPasswords(page: Page): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Repeat the password').fill(password)
  await press(page, 'Create account')
}

/** Registers, as far as the page that says where the link went. */
async function register(name: string): Promise<Page> {
  const page = await site.open('/login', { ...phone, refused: [422] })
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('Email').fill(`${name}@exmaple.com`)
  await page.getByLabel('Username').fill(name)
  await fillPasswords(page)
  await heading(page, 'Check your mail').waitFor()
  return page
}

describe('registration', () => {
  it.each(
    firstOf([
      ['the link', 'lise', (page: Page) => page.getByRole('link', { name: 'Change it' }).click()],
      ['Back', 'emmy', (page: Page) => page.goBack()],
      [
        'the link after a reload',
        'rosa',
        async (page: Page) => {
          await page.reload()
          await page.getByRole('link', { name: 'Change it' }).click()
        },
      ],
    ]),
  )('a mistyped address is corrected: %s leads to the form with what was typed', async (_way, name, goBack) => {
    const page = await register(name)
    await page.getByText(`${name}@exmaple.com`).waitFor()
    await picture(page, 'check-mail')
    await goBack(page)
    await heading(page, 'Create an account').waitFor()
    await fieldValue(page, 'Email').toBe(`${name}@exmaple.com`)
    await fieldValue(page, 'Username').toBe(name)
    await fieldValue(page, 'Password').toBe('')
    const kept = await page.evaluate(() => JSON.stringify([history.state, { ...sessionStorage }, { ...localStorage }]))
    expect(kept).not.toContain(password)
    await page.getByText('choose another username').waitFor()
    await picture(page, 'register-again')
    await expectAccessible(page)
    await page.getByLabel('Email').fill(`${name}@example.com`)
    await page.getByLabel('Username').fill(`${name}2`)
    await fillPasswords(page)
    await heading(page, 'Check your mail').waitFor()
    await page.getByText(`${name}@example.com`).waitFor()
    await site.lastMessage(`${name}@example.com`)
  })

  it('brings an address that is taken along to the sign-in page, and to the reset', async () => {
    const page = await site.open('/register', { ...phone, refused: [422] })
    await page.getByLabel('Email').fill(site.admin.email)
    await page.getByLabel('Username').fill('somebody')
    await fillPasswords(page)
    await page.getByText('The email has already been taken.').waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await fieldValue(page, 'Email or username').toBe(site.admin.email)
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await fieldValue(page, 'Email').toBe(site.admin.email)
  })

  it('keeps what was typed while one looks at another page, and over a reload', async () => {
    const page = await site.open('/register', phone)
    await page.getByLabel('Email').fill('grace@example.com')
    await page.getByLabel('Username').fill('grace')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await heading(page, 'Sign in').waitFor()
    await page.goBack()
    await fieldValue(page, 'Email').toBe('grace@example.com')
    await page.reload()
    await fieldValue(page, 'Username').toBe('grace')
  })
})

it.each(firstOf(['/forgot-password', '/check-mail']))(
  '%s: an address is corrected by Back, and by a link',
  async (path) => {
    const page = await site.open(path, phone)
    const email = page.getByLabel('Email')
    await email.fill('nobody@exmaple.com')
    await page.keyboard.press('Enter')
    await heading(page, 'Check your mail').waitFor()
    await page.goBack()
    await fieldValue(page, 'Email').toBe('nobody@exmaple.com')
    await page.goForward()
    await page.getByRole('link', { name: 'Change it' }).click()
    await fieldValue(page, 'Email').toBe('nobody@exmaple.com')
    await email.fill('nobody@example.com')
    await page.keyboard.press('Enter')
    await page.getByText('nobody@example.com').waitFor()
  },
)

describe('two-factor authentication', () => {
  /** Somebody who needs a second factor to sign in. */
  async function withPhone(number: string) {
    const user = await site.createUser()
    const params = { path: { id: user.id } }
    await site.api.PUT('/users/{id}/2fa', { params, body: { country_code: 276, phone_number: number } })
    const code = /\d{6}/.exec(await site.lastMessage(`+49${number}`))?.[0] ?? ''
    await site.api.POST('/users/{id}/2fa/verify', { params, body: { token: code } })
    return user
  }

  it('at sign-in: Back leads to the name and password, and forward to the code', async () => {
    const user = await withPhone('1701234888')
    const page = await site.open('/forgot-password', phone)
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await fillSignIn(page, user.email, user.password)
    await page.getByLabel('Code').waitFor()
    await page.goBack()
    await heading(page, 'Sign in').waitFor()
    await fieldValue(page, 'Email or username').toBe(user.email)
    await page.goForward()
    await page.getByLabel('Code').waitFor()
    await press(page, 'Back to sign in')
    await heading(page, 'Sign in').waitFor()
  })
})

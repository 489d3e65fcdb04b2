import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linkIn, openSite, type Site } from './testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const password = 'a quiet harbour at dawn'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const focused = (page: Page) => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name)

async function fillSignIn(page: Page, name: string, secret: string): Promise<void> {
  await page.getByLabel('Email or username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** The console is there, with this person in its menu. */
async function expectConsole(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Your account: ${name}` }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
}

async function setSettings(settings: Record<string, boolean | string>): Promise<void> {
  const { error } = await site.api.PATCH('/settings', { body: settings as never })
  expect(error).toBe(undefined)
}

describe('registration', () => {
  it('goes from the form over the mail to the console, and the token leaves the address', async () => {
    const page = await site.open('/login', { refused: [422] })
    await page.getByRole('link', { name: 'Create an account' }).click()
    await heading(page, 'Create an account').waitFor()
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Username').fill('ada')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Repeat the password').fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await heading(page, 'Check your mail').waitFor()
    await page.getByText('ada@example.com').waitFor()
    expect(page.url()).toBe(`${site.url}/check-mail`)

    await page.goto(linkIn(await site.lastMessage('ada@example.com')))
    await page.getByText('ada@example.com').waitFor()
    expect(page.url()).toBe(`${site.url}/verify-email`)
    await page.reload() // the token is not lost with the address
    const field = page.getByLabel('Password', { exact: true })
    await expect.poll(() => field.getAttribute('autocomplete')).toBe('current-password')
    await field.fill('what somebody else chose')
    await page.getByRole('button', { name: 'Confirm and sign in' }).click()
    await page.getByText('This is not the password of the account.').waitFor()
    await field.fill(password)
    await page.getByRole('button', { name: 'Confirm and sign in' }).click()
    await expectConsole(page, 'ada')
  })

  it('puts what only the server knows to its field', async () => {
    const page = await site.open('/register', { refused: [422] })
    await page.getByLabel('Email').fill('admin@example.com')
    await page.getByLabel('Username').fill('somebody')
    await page.getByLabel('Password', { exact: true }).fill('password1')
    await page.getByLabel('Repeat the password').fill('password1')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('The email has already been taken.').waitFor()
    await expect.poll(() => page.getByText('This password is too common.').isVisible()).toBe(true)
    expect(await focused(page)).toBe('email')
    await page.getByLabel('Email').fill('other@example.com')
    await expect.poll(() => page.getByText('The email has already been taken.').count()).toBe(0)
  })

  it('asks for the terms when they are on, and signs up at once without confirmation', async () => {
    const on = { 'registration.terms': true, 'registration.terms_url': 'https://example.com/terms' }
    await setSettings({ ...on, 'registration.email_confirmation': false })
    try {
      const page = await site.open('/register')
      await expect
        .poll(() => page.getByRole('link', { name: 'terms of service' }).getAttribute('href'))
        .toBe('https://example.com/terms')
      await page.getByLabel('Email').fill('grace@example.com')
      await page.getByLabel('Username').fill('grace')
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByLabel('Repeat the password').fill(password)
      await page.keyboard.press('Enter')
      await page.getByText('Accept the terms to go on.').waitFor()
      expect(await focused(page)).toBe('tos')
      await page.keyboard.press('Space')
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByText('Your account is ready.').waitFor()
      expect(await focused(page)).toBe('password')
    } finally {
      await setSettings({ 'registration.terms': false, 'registration.email_confirmation': true })
    }
  })

  it('and the reset of passwords can be switched off: the pages say so, and nothing links to them', async () => {
    await setSettings({ 'registration.enabled': false, 'password_reset.enabled': false })
    try {
      const page = await site.open('/register')
      await heading(page, 'Registration is closed').waitFor()
      await page.goto(`${site.url}/forgot-password`)
      await heading(page, 'Password reset is switched off').waitFor()
      await page.getByRole('link', { name: 'Sign in' }).click()
      await heading(page, 'Sign in').waitFor()
      await expect.poll(() => page.getByRole('link').count()).toBe(0)
    } finally {
      await setSettings({ 'registration.enabled': true, 'password_reset.enabled': true })
    }
  })
})

describe('signing in', () => {
  // asvs: 3.7.2
  it('works by keyboard alone, and leads to the page that was asked for, and to no other site', async () => {
    const { username, password: secret } = await site.createUser(['roles.manage'])
    const page = await site.open('/#/roles')
    await heading(page, 'Sign in').waitFor()
    await page.keyboard.type(username as string)
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('password')
    await page.keyboard.type(secret)
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'Administrator' }).waitFor()
    expect(page.url()).toBe(`${site.url}/#/roles`)
    for (const next of [
      'https://evil.example',
      '//evil.example',
      'javascript:alert(1)',
      '#//evil.example/',
      '/\\evil',
    ]) {
      await page.goto(`${site.url}/login?next=${encodeURIComponent(next)}`)
      await page.getByText('You are signed in').waitFor()
      const href = await page.getByRole('link', { name: 'Continue' }).evaluate((link: HTMLAnchorElement) => link.href)
      expect(new URL(href).origin + new URL(href).pathname).toBe(`${site.url}/`)
    }
    const asked = `#/users?filter=${encodeURIComponent(`{"search":"O'Brien (junior)"}`)}`
    await page.goto(`${site.url}/login?next=${encodeURIComponent(asked)}`)
    await expect.poll(() => page.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe(`/${asked}`)
    await page.getByRole('button', { name: 'Sign out and use another account' }).click()
    await heading(page, 'Sign in').waitFor()
  })

  it('takes the code from the SMS, and says when it is wrong', async () => {
    const { id, email, password: secret } = await site.createUser()
    const path = { id }
    await site.api.PUT('/users/{id}/2fa', {
      params: { path },
      body: { country_code: 826, phone_number: '7400123456' },
    })
    const phone = '+447400123456'
    const codeSent = async () => /\d{6}/.exec(await site.lastMessage(phone))?.[0] ?? ''
    await site.api.POST('/users/{id}/2fa/verify', { params: { path }, body: { token: await codeSent() } })

    const page = await site.open('/login', { refused: [422] })
    await fillSignIn(page, email, secret)
    await heading(page, 'Enter the code').waitFor()
    const code = await codeSent()
    expect(await focused(page)).toBe('token')
    await page.keyboard.type(code === '000000' ? '000001' : '000000')
    await page.getByText('This code is wrong or has expired.').waitFor()
    // As it is pasted from somewhere, and as a Persian keyboard types it.
    const inPersian = (digit: string) => String.fromCodePoint(0x6f0 + Number(digit))
    await page.getByLabel('Code').fill(`${code.slice(0, 3)}-${code.slice(3).replaceAll(/\d/g, inPersian)}`)
    await expectConsole(page, email.split('@')[0] as string)
  })

  it('tells who may not, and why, once the password is right', async () => {
    const { id, email, password: secret } = await site.createUser()
    const page = await site.open('/login', { refused: [403] })
    await site.api.PATCH('/users/{id}', { params: { path: { id } }, body: { status: 'Unconfirmed' } })
    await fillSignIn(page, email, secret)
    await page.getByRole('link', { name: 'get a new one' }).click()
    await heading(page, 'Get a new link').waitFor()
    await page.getByRole('button', { name: 'Send the link' }).click()
    await heading(page, 'Check your mail').waitFor()
    expect(linkIn(await site.lastMessage(email))).toContain('/verify-email#token=')
    await site.api.PATCH('/users/{id}', { params: { path: { id } }, body: { status: 'Banned' } })
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await fillSignIn(page, email, secret)
    await page.getByText('This account is banned.').waitFor()
  })

  it('says when there were too many tries', async () => {
    const { email } = await site.createUser()
    const page = await site.open('/login', { refused: [422, 429] })
    for (let tries = 0; tries < 6; tries++) {
      const answered = page.waitForResponse('**/api/login')
      await fillSignIn(page, email, `wrong ${tries}`)
      await answered
    }
    await page.getByText(/Too many attempts\. Please try again in \d+ seconds\./).waitFor()
  })
})

describe('somebody who is signed in', () => {
  it('confirms a changed address with the password, and is signed in', async () => {
    const user = await site.createUser()
    const page = await site.open('/login', { as: user })
    const email = `new-${user.email}`
    const change = { email, current_password: user.password }
    await page.evaluate(async (body) => {
      await fetch('/api/me/details/auth', { method: 'PATCH', headers: { 'content-type': 'application/json' }, body })
    }, JSON.stringify(change))
    await page.goto(linkIn(await site.lastMessage(email)))
    await page.getByLabel('Password', { exact: true }).fill(user.password)
    await page.getByRole('button', { name: 'Confirm and sign in' }).click()
    await expectConsole(page, user.email.split('@')[0] as string)
    const { data } = await site.api.GET('/users/{id}', { params: { path: { id: user.id } } })
    expect(data?.data.email).toBe(email)
  })

  it('signs in again after a reset, which ends every session, and API keys unless they are kept', async () => {
    const user = await site.createUser(['api-keys.manage'])
    const signedIn = await site.api.POST('/login', { body: { username: user.email, password: user.password } })
    const makeKey = (name: string) =>
      site.api.POST('/api-keys', { body: { name }, headers: { authorization: `Bearer ${signedIn.data?.token}` } })
    await makeKey('one')
    await makeKey('two')
    const page = await site.open('/forgot-password', { as: user, refused: [401] })
    await page.getByLabel('Email').fill(user.email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await heading(page, 'Check your mail').waitFor()
    await page.goto(linkIn(await site.lastMessage(user.email)))
    await page.getByLabel('New password').fill('another quiet harbour')
    await page.getByLabel('Repeat the password').fill('another quiet harbour')
    const revoke = page.getByLabel('Revoke the 2 API keys, too')
    await expect.poll(() => revoke.isChecked()).toBe(true)
    await revoke.uncheck()
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Your password is changed.').waitFor()
    await heading(page, 'Sign in').waitFor()
    expect(await site.lastMessage(user.email)).toContain('These API keys of your account go on working.')
  })
})

describe('a forgotten password', () => {
  it('is replaced with the link from the mail, which then is used up', async () => {
    const { email } = await site.createUser()
    const page = await site.open('/login', { refused: [400] })
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await heading(page, 'Check your mail').waitFor()

    const link = linkIn(await site.lastMessage(email))
    await page.goto(link)
    expect(page.url()).toBe(`${site.url}/reset-password`)
    await page.getByLabel('New password').fill('short')
    await page.keyboard.press('Enter')
    await page.getByText('Use at least 8 characters.').waitFor()
    await page.getByLabel('New password').fill('another quiet harbour')
    await page.getByLabel('Repeat the password').fill('another quiet harbor')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('The passwords do not match.').waitFor()
    await page.getByLabel('Repeat the password').fill('another quiet harbour')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Your password is changed.').waitFor()
    await expect.poll(() => page.getByLabel('Email or username').inputValue()).toBe(email)
    await page.getByLabel('Password', { exact: true }).fill('another quiet harbour')
    await page.keyboard.press('Enter')
    await expectConsole(page, email.split('@')[0] as string)

    await page.goto(link)
    await heading(page, 'This link does not work').waitFor()
    await page.getByRole('link', { name: 'Get a new link' }).click()
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(email)
  })

  it('lets API keys be kept where it is not known how many there are', async () => {
    const { email } = await site.createUser()
    const page = await site.open('/forgot-password', { refused: [503] })
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/api/password/reset/preview', async (route) => {
      await promise
      await route.fulfill({ status: 503, json: { message: 'The database is away.', code: 'unavailable' } })
    })
    await site.api.POST('/password/remind', { body: { email } })
    await page.goto(linkIn(await site.lastMessage(email)))
    await page.getByText('Loading…').waitFor()
    await expect.poll(() => page.getByRole('button').count()).toBe(0)
    resolve()
    await page.getByLabel('New password').fill('another quiet harbour')
    await page.getByLabel('Repeat the password').fill('another quiet harbour')
    await page.getByLabel('Revoke the API keys, too').uncheck()
    const request = page.waitForRequest('**/api/password/reset')
    await page.getByRole('button', { name: 'Change password' }).click()
    expect((await request).postDataJSON()).toMatchObject({ revoke_keys: false })
    await page.getByText('Your password is changed.').waitFor()
  })
})

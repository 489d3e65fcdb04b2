import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itLong } from '../server/src/testing/long-form.ts'
import { consoleIsThere, fillSignIn, heading, signOut } from './testing/passkeys.ts'
import { type Account, expectAccessible, openSite, type Site } from './testing/site.ts'
import { inDialog, press, typeAppCode } from './testing/steps.ts'
import { codeAt } from './testing/totp.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const phone = { width: 390, height: 844 }
const answerOf = (page: Page, path: string) => page.waitForResponse((response) => response.url().endsWith(path))

/** Adds an authenticator app under “My account”; its secret. */
async function addApp(page: Page, { password }: Account): Promise<string> {
  await press(page, 'Add an authenticator app')
  await page.getByRole('dialog').getByLabel('Current password').fill(password)
  const answer = answerOf(page, '/me/factors/totp')
  await inDialog(page, 'Continue')
  const { secret } = (await (await answer).json()).data
  await page
    .getByRole('dialog')
    .getByLabel('Code')
    .fill(codeAt(secret, Date.now() / 1000))
  const reloaded = answerOf(page, '/api/me') // the last thing that turning it on asks for: nothing is under way afterwards
  await inDialog(page, 'Turn on')
  await page.getByRole('dialog', { name: 'Keep your recovery codes' }).waitFor()
  await reloaded
  return secret
}

/** Somebody with an app, at the second step. */
async function openSecondStep(): Promise<{ page: Page; user: Account }> {
  const user = await site.createUser()
  const page = await site.open('/#/account', { ...phone, as: user, refused: [401, 422] })
  await addApp(page, user)
  await press(page, 'I have kept them')
  await signOut(site, page)
  await fillSignIn(page, user.email, user.password)
  await heading(page, 'Enter the code').waitFor()
  return { page, user }
}

async function enterWrong(page: Page): Promise<void> {
  const answer = answerOf(page, '/login/2fa')
  await page.getByLabel('Code').fill('000000') // the last digit sends it
  await answer
}

describe('the second step', () => {
  it('leads back to the password once five wrong codes have ended it, and says why', async () => {
    const { page } = await openSecondStep()
    for (let tries = 1; tries < 5; tries += 1) {
      await enterWrong(page)
      await page.getByText('This code is wrong or has expired.').waitFor()
    }
    await enterWrong(page)
    await heading(page, 'Sign in').waitFor()
    await page.getByRole('alert').filter({ hasText: 'That was wrong too often. Enter your password again.' }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('password')
  })

  it('leads back after five minutes, when no code is right any more', async () => {
    const { page, user } = await openSecondStep()
    await page.clock.install()
    await page.goto(`${site.url}/login`)
    await page.evaluate(() => sessionStorage.clear())
    await page.reload()
    await fillSignIn(page, user.email, user.password)
    await heading(page, 'Enter the code').waitFor()
    await page.clock.fastForward('06:00')
    await enterWrong(page)
    await page.getByText('That took longer than five minutes. Enter your password again.').waitFor()
  })

  itLong('in the console, after its session has ended, leads back as well', async () => {
    const user = await site.createUser()
    const page = await site.open('/#/account', { as: user, refused: [401, 422], isLive: false })
    await addApp(page, user)
    await press(page, 'I have kept them')
    await page.context().clearCookies()
    await page.getByLabel('First name').fill('Typed')
    await press(page, 'Save details')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password').fill(user.password)
    await inDialog(page, 'Sign in')
    for (let tries = 0; tries < 5; tries += 1) {
      await dialog.getByLabel('Code').fill('000000')
      const answer = answerOf(page, '/login/2fa')
      await inDialog(page, 'Sign in')
      await answer
    }
    await dialog.getByLabel('Password').waitFor()
    await dialog.getByText('That was wrong too often.').waitFor()
  })
})

describe('an authenticator app on the phone itself', () => {
  itLong('is opened by a link, where the page asks for a second factor and in the console', async () => {
    const user = await site.createUser()
    await site.api.PATCH('/roles/{id}', { params: { path: { id: user.role_id } }, body: { two_factor: 'required' } })
    const context = await site.browser.newContext({
      viewport: { width: 320, height: 568 },
      hasTouch: true,
      isMobile: true,
    })
    const page = await context.newPage()
    await page.goto(`${site.url}/login`)
    await fillSignIn(page, user.email, user.password)
    await press(page, 'Use an authenticator app')
    const link = page.getByRole('link', { name: 'Open the app' })
    await expect.poll(() => link.getAttribute('href')).toMatch(/^otpauth:\/\/totp\//)
    await page.getByRole('button', { name: 'Copy the key' }).waitFor()
    await expectAccessible(page)
    // A keyboard would cover the way to the app.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await typeAppCode(page)
    await heading(page, 'Keep your recovery codes').waitFor()
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await press(page, 'I have kept them')
    await consoleIsThere(page)
    await page.goto(`${site.url}/#/account`)
    await press(page, 'Add an authenticator app')
    await page.getByRole('dialog').getByLabel('Current password').fill(user.password)
    await inDialog(page, 'Continue')
    await expect.poll(() => page.getByRole('link', { name: 'Open the app' }).getAttribute('href')).toMatch(/^otpauth:/)
    await context.close()
  })
})

it('the button that adds a factor stays where it is while the list of factors comes', async () => {
  const page = await site.open('/login', { as: await site.createUser() })
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/me/factors', async (route) => {
    await promise
    await route.continue()
  })
  await page.goto(`${site.url}/#/account`)
  const place = () => page.getByRole('button', { name: 'Add an authenticator app' }).boundingBox()
  await page.getByText('This session').waitFor()
  const before = await place()
  resolve()
  await page.getByText('You have none yet.').waitFor()
  expect(await place()).toEqual(before)
})

describe('recovery codes', () => {
  it('stand one below another, and nothing covers them', async () => {
    const user = await site.createUser()
    const page = await site.open('/#/account', { width: 320, height: 568, as: user })
    await addApp(page, user)
    const codes = page.getByRole('textbox', { name: 'Recovery codes' })
    const lines = (await codes.innerText()).trim().split('\n')
    expect(lines).toHaveLength(10)
    const tops = await codes.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
    })
    expect(tops).toBe(5)
    const button = page.getByRole('button', { name: 'I have kept them' })
    expect(await button.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
    await expect.poll(() => page.getByText('The factor is on.').count()).toBe(0)
  })

  it('are not lost by a reload without a question', async () => {
    const user = await site.createUser()
    const page = await site.open('/#/account', { as: user })
    await addApp(page, user)
    const asked = page.waitForEvent('dialog')
    page.reload().catch(() => {}) // it waits for the answer
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
  })
})

describe('the page that asks for a second factor', () => {
  const required = async () => {
    const user = await site.createUser()
    await site.api.PATCH('/roles/{id}', { params: { path: { id: user.role_id } }, body: { two_factor: 'required' } })
    return user
  }

  it('leads a stranger to the sign-in page', async () => {
    const page = await site.open('/add-factor', phone)
    await heading(page, 'Sign in').waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
  })

  it('can be left by signing out', async () => {
    const user = await required()
    const page = await site.open('/login', phone)
    await fillSignIn(page, user.email, user.password)
    await heading(page, 'Protect your account').waitFor()
    await press(page, 'Sign out and use another account')
    await heading(page, 'Sign in').waitFor()
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual([])
  })

  it('asks for no second one after a reload', async () => {
    const user = await required()
    const page = await site.open('/login', phone)
    await fillSignIn(page, user.email, user.password)
    await press(page, 'Use an authenticator app')
    await typeAppCode(page)
    await heading(page, 'Keep your recovery codes').waitFor()
    page.on('dialog', (dialog) => dialog.accept())
    await page.reload()
    await heading(page, 'You are signed in').waitFor()
  })
})

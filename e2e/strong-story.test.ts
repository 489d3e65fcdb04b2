import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addAuthenticator,
  choosePasskey,
  consoleIsThere,
  fillSignIn,
  heading,
  picture,
  signOut,
  touch,
} from './testing/passkeys.ts'
import { expectAccessible, linkIn, openSite, type Site } from './testing/site.ts'
import { inDialog, noticeOf, press, typeAppCode } from './testing/steps.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const phone = { width: 360, height: 740 }

describe('signing in strongly, from the first rule to the last', () => {
  it('a role requires it; a member adds an app, loses it, uses a code, adds a passkey, needs no password, and secures the account', async () => {
    const user = await site.createUser(['users.manage'])

    const admin = await site.openAsAdmin(`/#/roles/${user.role_id}`, phone)
    await admin.getByLabel('Second factor').click()
    await admin.getByRole('option', { name: /^Required/ }).click()
    await picture(admin, 'story-1-role')
    await admin.getByRole('button', { name: 'Save' }).first().click()
    await noticeOf(admin, 'saved')

    const page = await site.open('/login', { ...phone, refused: [401, 403] })
    await fillSignIn(page, user.email, user.password)
    await heading(page, 'Protect your account').waitFor()
    await expectAccessible(page)
    await picture(page, 'story-2-protect')
    await page.goto(`${site.url}/#/users`) // there is no way around
    await heading(page, 'Protect your account').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(user.password)
    await press(page, 'Continue')
    await press(page, 'Use an authenticator app')
    await heading(page, 'Scan the code').waitFor()
    await expectAccessible(page)
    await picture(page, 'story-3-scan')
    await page.getByText('The app is on this device').click()
    // Pasted as apps show it; the last digit sends it.
    await typeAppCode(page, (code) => `${code.slice(0, 3)} ${code.slice(3)}`)
    await heading(page, 'Keep your recovery codes').waitFor()
    await expectAccessible(page)
    await picture(page, 'story-4-codes')
    const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()
    const [first = '', second = ''] = codes
    await press(page, 'I have kept them')
    await consoleIsThere(page)

    await signOut(site, page)
    await fillSignIn(page, user.email, user.password)
    await heading(page, 'Enter the code').waitFor()
    await expect.poll(() => page.getByLabel('Code').getAttribute('autocomplete')).toBe('one-time-code')
    await picture(page, 'story-5-code')
    await press(page, 'Use a recovery code')
    await picture(page, 'story-6-recovery')
    await page.getByLabel('Recovery code').fill(first)
    await press(page, 'Sign in')
    await consoleIsThere(page)
    await page.goto(`${site.url}/#/account`)
    await page.getByText('Signed in with a recovery code').first().waitFor()
    await page.getByText('9 recovery codes are left.').waitFor()

    const device = await addAuthenticator(page)
    await press(page, 'Add a passkey')
    await page.getByRole('dialog').getByLabel('Current password').fill(user.password)
    await picture(page, 'story-7-passkey')
    await inDialog(page, 'Continue')
    await noticeOf(page, 'The factor is on.')
    await press(page, 'Remove Authenticator app') // the lost one
    await page.getByRole('dialog').getByLabel('Current password').fill(user.password)
    await inDialog(page, 'Remove')
    await noticeOf(page, 'The factor was removed.')
    await picture(page, 'story-8-account')

    await signOut(site, page, device)
    await picture(page, 'story-9-sign-in')
    await choosePasskey(page, device)
    await consoleIsThere(page)
    await touch(device, false)

    // Somebody has the password and a code, and signs in with another browser.
    const stranger = await site.browser.newContext({
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0',
    })
    const post = async (path: string, data: object) => (await stranger.request.post(site.url + path, { data })).json()
    const { challenge } = await post('/api/login', { username: user.email, password: user.password })
    expect(await post('/api/login/2fa', { challenge, token: second })).toEqual({ token: expect.any(String) })
    await stranger.close()
    await expect.poll(() => site.lastMessage(user.email)).toContain('Browser: Firefox on Linux')

    const own = await site.open('/login', { ...phone })
    await own.goto(linkIn(await site.lastMessage(user.email)))
    await heading(own, 'Secure your account').waitFor()
    await own.getByText('Second factors stay. Remove each that is not yours').waitFor()
    await expectAccessible(own)
    await picture(own, 'story-10-secure')
    const tab = await own.context().newPage()
    await tab.goto(linkIn(await site.lastMessage(user.email)))
    await heading(tab, 'Secure your account').waitFor()
    await press(own, 'Secure my account')
    await heading(own, 'Your account is secured').waitFor()
    await own.getByText('Second factors stay. Remove each that is not yours').waitFor()
    await press(tab, 'Secure my account')
    await heading(tab, 'This link does not work').waitFor()
    await picture(own, 'story-11-secured')
    await expect.poll(() => site.lastMessage(user.email)).toContain('/reset-password')
    await site.api.PATCH('/settings', { body: { 'password_reset.enabled': false } }) // this link works all the same
    await own.goto(linkIn(await site.lastMessage(user.email)))
    await heading(own, 'Choose a new password').waitFor()
    await picture(own, 'story-12-reset')
    await page.reload()
    await heading(page, 'Sign in').waitFor() // nobody stays signed in
  })
})

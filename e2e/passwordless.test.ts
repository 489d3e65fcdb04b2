import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAuthenticator, choosePasskey, consoleIsThere, heading, picture, signOut } from './testing/passkeys.ts'
import { expectAccessible, linkIn, openSite, type Site } from './testing/site.ts'
import { noticeOf } from './testing/steps.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const without = 'Use a passkey instead of a password'
/** The answer to a session that is older than 15 minutes. */
const proofIsOld = { status: 403, json: { message: 'Confirm first.', code: 'reauthentication_required' } }

describe('an account without a password', () => {
  it('is offered only where an administrator allows it, on the page of the settings', async () => {
    const closed = await site.open('/register')
    await heading(closed, 'Create an account').waitFor()
    await closed.getByRole('button', { name: 'Create account' }).waitFor()
    await expect.poll(() => closed.getByRole('button', { name: without }).count()).toBe(0)
    const page = await site.openAsAdmin('/#/settings')
    await page.getByLabel('Every account has a password').uncheck()
    await page.getByRole('button', { name: 'Save' }).first().click()
    await noticeOf(page, 'saved')
    const open = await site.open('/register')
    await open.getByRole('button', { name: without }).waitFor()
  })

  it('signs up on a phone, confirms its address, adds a passkey, signs in with it and adds an app', async () => {
    await site.api.PATCH('/settings', { body: { 'password.required': false } as never })
    const email = 'nell@example.com'
    const page = await site.open('/register', { width: 360, height: 740, refused: [403, 422] })
    const device = await addAuthenticator(page)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Username').fill('nell')
    await page.getByRole('button', { name: without }).click()
    await expect.poll(() => page.getByLabel('Password', { exact: true }).count()).toBe(0)
    await expectAccessible(page)
    await picture(page, 'passwordless-register')
    await page.getByRole('button', { name: 'Create account' }).click()
    await heading(page, 'Check your mail').waitFor()
    await page.goto(linkIn(await site.lastMessage(email)))
    await heading(page, 'Confirm your email').waitFor()
    await page.getByText(email).waitFor()
    await picture(page, 'passwordless-confirm')
    await page.getByRole('button', { name: 'Confirm and add a passkey' }).click()
    await heading(page, 'Add your passkey').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Use an authenticator app' }).count()).toBe(0)
    await expectAccessible(page)
    await picture(page, 'passwordless-passkey')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await heading(page, 'Keep your recovery codes').waitFor()
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await consoleIsThere(page)
    await signOut(site, page, device)
    await choosePasskey(page, device)
    await consoleIsThere(page)
    await page.goto(`${site.url}/#/account`)
    await page.getByRole('button', { name: 'Add an authenticator app' }).click()
    await page.getByRole('dialog').getByText('Leave it empty if your account has none.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('dialog', { name: 'Scan the code' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('textbox', { name: 'Username' }).fill('nell.trent')
    await page.getByRole('button', { name: 'Save sign-in' }).click()
    await noticeOf(page, 'Your username was saved.')
    await page.getByRole('textbox', { name: 'Phone number' }).fill('1701234599')
    await page.getByLabel('Country of the phone').fill('Germany')
    await page.getByRole('option', { name: 'Germany' }).click()
    await page.getByRole('button', { name: 'Send a code' }).click()
    await page.getByRole('textbox', { name: 'Code from the SMS' }).waitFor()
    await page.route('**/api/me/details/auth', (route) => route.fulfill(proofIsOld), { times: 1 })
    await page.getByRole('textbox', { name: 'Username' }).fill('nell.t')
    await page.getByRole('button', { name: 'Save sign-in' }).click()
    const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await confirm.getByLabel('Code').fill('aaaaa-bbbbb')
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    await confirm.getByText('This account has no password: use a passkey.').waitFor()
    await confirm.getByRole('button', { name: 'Use a passkey' }).click()
    await confirm.waitFor({ state: 'detached' })
    await noticeOf(page, 'Your username was saved.')
  })
})

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAuthenticator, enrolPasskey, picture } from './testing/passkeys.ts'
import { openSite, type Site } from './testing/site.ts'
import { codeAt } from './testing/totp.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

/** The next creation of a role is answered as a session that is older than 15 minutes is. */
async function makeOld(page: Page): Promise<void> {
  let isOld = true
  await page.route('**/api/roles', async (route) => {
    if (!isOld || route.request().method() !== 'POST') return route.fallback()
    isOld = false
    const body = JSON.stringify({ message: 'Confirm first.', code: 'reauthentication_required' })
    return route.fulfill({ status: 403, contentType: 'application/json', body })
  })
}

const permissions = ['settings.auth', 'settings.general', 'roles.manage', 'users.manage']

const proofDialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })

/** Has a role made in an old session; the dialog is there then. */
async function createRole(page: Page, name: string): Promise<void> {
  await makeOld(page)
  await page.goto(`${site.url}/#/roles/create`)
  await page.getByLabel('Name', { exact: false }).first().fill(name)
  await page.getByRole('button', { name: 'Create the role' }).click()
  await proofDialog(page).waitFor()
}

async function addApp(page: Page, password: string): Promise<void> {
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  await page.getByRole('dialog').getByLabel('Current password').fill(password)
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  const scan = page.getByRole('dialog', { name: 'Scan the code' })
  const secret = (await scan.getByRole('textbox', { name: 'Key' }).textContent()) ?? ''
  await scan.getByLabel('Code').fill(codeAt(secret, Date.now() / 1000))
  await scan.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
}

const roleIsThere = (page: Page, name: string) => page.getByRole('heading', { name }).first().waitFor()

describe('a fresh proof', () => {
  it('is asked for over the page, and what one was doing goes on', async () => {
    const user = await site.createUser(permissions)
    const page = await site.open('/#/account', { as: user, refused: [403, 422] })
    await createRole(page, 'Fresh')
    await picture(page, 'fresh-proof')
    const dialog = proofDialog(page)
    await page.keyboard.press('Escape') // called off: nothing is said, and the form stays
    await dialog.waitFor({ state: 'hidden' })
    const create = page.getByRole('button', { name: 'Create the role' })
    await expect.poll(() => create.isEnabled()).toBe(true)
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await makeOld(page)
    await create.click()
    await dialog.getByLabel('Password').fill('not it')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByText('The current password is not right.').waitFor()
    await dialog.getByLabel('Password').fill(user.password)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await roleIsThere(page, 'Fresh')
  })

  it('can be called off; what one was doing is sent again later, and one may go on to another page', async () => {
    const user = await site.createUser(permissions)
    const page = await site.open('/#/account', { as: user, refused: [403] })
    const warnings: string[] = []
    page.on('console', (message) => (message.type() === 'warning' ? warnings.push(message.text()) : undefined))
    await createRole(page, 'Called off')
    await proofDialog(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Create the role' }).click()
    await roleIsThere(page, 'Called off')
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    expect(warnings).toEqual([])
  })

  it('is given by a passkey alone', async () => {
    const user = await site.createUser(permissions)
    const page = await site.open('/#/account', { as: user, refused: [403] })
    await addAuthenticator(page)
    await enrolPasskey(page, user.password)
    await createRole(page, 'Touched')
    await picture(page, 'fresh-proof-passkey')
    await proofDialog(page).getByRole('button', { name: 'Use a passkey' }).click()
    await roleIsThere(page, 'Touched')
  })

  it('takes the code of an SMS, also beside an app', async () => {
    const user = await site.createUser(permissions)
    const page = await site.open('/#/account', { as: user, refused: [403] })
    const phone = '1701234590'
    const params = { path: { id: user.id } }
    const codeOf = async () => /\d{6}/.exec(await site.lastMessage(`+49${phone}`))?.[0] ?? ''
    await site.api.PUT('/users/{id}/2fa', { params, body: { country_code: 276, phone_number: phone } })
    await site.api.POST('/users/{id}/2fa/verify', { params, body: { token: await codeOf() } })
    await page.reload()
    await addApp(page, user.password)
    await createRole(page, 'Texted')
    const dialog = proofDialog(page)
    await dialog.getByText('Of your app, or a recovery code').waitFor()
    const before = await codeOf()
    await dialog.getByRole('button', { name: 'Send an SMS' }).click()
    await dialog.getByText('We sent a code to your phone.', { exact: false }).waitFor()
    await dialog.getByLabel('Password').fill(user.password)
    await dialog.getByLabel('Code').fill(await newMessage(`+49${phone}`, before))
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await roleIsThere(page, 'Texted')
  })
})

/** The code of an SMS that is not the one before. */
async function newMessage(to: string, before: string): Promise<string> {
  let code = before
  await expect.poll(async () => (code = /\d{6}/.exec(await site.lastMessage(to))?.[0] ?? before)).not.toBe(before)
  return code
}

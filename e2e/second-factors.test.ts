import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linkIn, openSite, type Site } from './testing/site.ts'
import { codeAt } from './testing/totp.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

async function fillSignIn(page: Page, name: string, secret: string): Promise<void> {
  await page.getByLabel('Email or username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const consoleIsThere = (page: Page) => page.getByRole('button', { name: /^Your account:/ }).waitFor()

interface Virtual {
  readonly session: CDPSession
  readonly id: string
}

/** Chromium's virtual authenticator (CDP, domain WebAuthn): a device with a screen lock. */
async function addAuthenticator(page: Page, isUserVerified = true): Promise<Virtual> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  })
  return { session, id: authenticatorId }
}

const picture = async (page: Page, name: string): Promise<void> => {
  // biome-ignore lint/style/noProcessEnv: pictures to look at, only where somebody asks for them
  const folder = process.env.GATEHOUSE_PICTURES
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

/** Enrols a passkey under “My account”. */
async function enrolPasskey(page: Page, password: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByLabel('Current password').fill(password)
  await page.getByRole('dialog').getByLabel('Name').fill('Laptop')
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('dialog', { name: 'Keep your recovery codes' }).waitFor()
  await picture(page, 'account-codes')
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByRole('button', { name: 'Remove Laptop' }).waitFor()
}

/** The device is touched from now on, or not: a page that offers passkeys quietly would sign in by itself. */
const touch = ({ session, id }: Virtual, enabled: boolean) =>
  session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled })

/** Chooses the passkey on the sign-in page; what is offered quietly still waits for a touch, and is given up. */
async function choosePasskey(page: Page, device: Virtual): Promise<void> {
  await touch(device, true)
  const button = page.getByRole('button', { name: 'Use a passkey' })
  // Where the page offers the passkey at the name field, the authenticator answers by itself. A click meanwhile would sign in twice.
  const isTaken = await button.waitFor({ state: 'detached', timeout: 3_000 }).then(
    () => true,
    () => false,
  )
  if (!isTaken) await button.click()
}

async function signOut(page: Page, device?: Virtual): Promise<void> {
  if (device !== undefined) await touch(device, false)
  await page.goto('about:blank') // the console would go on asking without its cookie
  await page.context().clearCookies()
  await page.goto(`${site.url}/login`)
  await heading(page, 'Sign in').waitFor()
}

describe('a passkey', () => {
  it('is added under My account, signs in without a name, and as the second step', async () => {
    const user = await site.createUser()
    const page = await site.open('/#/account', { as: user })
    const device = await addAuthenticator(page)
    await enrolPasskey(page, user.password)
    await picture(page, 'account-factors')
    await signOut(page, device)
    await picture(page, 'sign-in')
    await choosePasskey(page, device)
    await consoleIsThere(page)
    await page.goto('about:blank')
    await page.context().clearCookies()
    await page.goto(`${site.url}/login`) // offered where the name is typed, and taken there
    await consoleIsThere(page)
    await signOut(page, device)
    await fillSignIn(page, user.email, user.password)
    await heading(page, 'Confirm it is you').waitFor()
    await picture(page, 'second-step-passkey')
    await choosePasskey(page, device)
    await consoleIsThere(page)
  })

  it('is refused once it was removed', async () => {
    const user = await site.createUser()
    const page = await site.open('/#/account', { as: user, refused: [422] })
    const device = await addAuthenticator(page)
    await enrolPasskey(page, user.password)
    await page.getByRole('button', { name: 'Remove Laptop' }).click()
    await page.getByRole('dialog').getByLabel('Current password').fill(user.password)
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('You have none yet.').waitFor()
    await signOut(page, device)
    await choosePasskey(page, device)
    await page.getByText('This passkey was not accepted.').waitFor()
  })

  it('is refused where its counter stayed behind: a clone', async () => {
    const user = await site.createUser()
    const page = await site.open('/#/account', { as: user, refused: [422] })
    const device = await addAuthenticator(page)
    const { session, id } = device
    await enrolPasskey(page, user.password)
    const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId: id })
    const [credential] = credentials
    if (credential === undefined) throw new Error('no credential')
    await signOut(page, device)
    await choosePasskey(page, device)
    await consoleIsThere(page)
    await session.send('WebAuthn.removeCredential', { authenticatorId: id, credentialId: credential.credentialId })
    await session.send('WebAuthn.addCredential', { authenticatorId: id, credential: { ...credential, signCount: 0 } })
    await signOut(page, device)
    await choosePasskey(page, device)
    await page.getByText('This passkey was not accepted.').waitFor()
  })

  it('is not used where the person was not verified', async () => {
    const user = await site.createUser()
    const page = await site.open('/#/account', { as: user })
    const device = await addAuthenticator(page)
    await enrolPasskey(page, user.password)
    await device.session.send('WebAuthn.setUserVerified', { authenticatorId: device.id, isUserVerified: false })
    await signOut(page, device)
    await choosePasskey(page, device)
    await page.getByText('No passkey was used.').waitFor()
  })
})

describe('a role that requires a second factor', () => {
  it('leads its users to one at sign-in: app, codes, and with a lost phone a recovery code', async () => {
    const user = await site.createUser(['users.manage'])
    const path = { id: user.role_id }
    await site.api.PATCH('/roles/{id}', { params: { path }, body: { two_factor: 'required' } })
    const page = await site.open('/login', { width: 360, height: 740, refused: [422, 403] })
    await fillSignIn(page, user.email, user.password)
    await heading(page, 'Protect your account').waitFor()
    await picture(page, 'add-factor')
    await page.goto(`${site.url}/#/users`) // there is no way around
    await heading(page, 'Protect your account').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(user.password)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Use an authenticator app' }).click()
    await heading(page, 'Scan the code').waitFor()
    await picture(page, 'scan')
    await page.getByText('The app is on this device').click()
    const secret = ((await page.locator('code.key').textContent()) ?? '').replaceAll(' ', '')
    const code = codeAt(secret, Date.now() / 1000)
    // Pasted as apps show it; the last digit sends it.
    await page.getByLabel('Code').fill(`${code.slice(0, 3)} ${code.slice(3)}`)
    await heading(page, 'Keep your recovery codes').waitFor()
    await picture(page, 'codes')
    const first = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').first().textContent()
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await consoleIsThere(page)

    await signOut(page)
    await fillSignIn(page, user.email, user.password)
    await heading(page, 'Enter the code').waitFor()
    expect(await page.getByLabel('Code').getAttribute('autocomplete')).toBe('one-time-code')
    await picture(page, 'second-step-app')
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(first ?? '')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await consoleIsThere(page)
    await page.goto(`${site.url}/#/account`)
    await page.getByText('Signed in with a recovery code').first().waitFor()
    await page.getByText('9 recovery codes are left.').waitFor()
  })
})

describe('a security mail', () => {
  it('leads to a page that asks first, and then secures the account', async () => {
    const user = await site.createUser()
    await site.api.PATCH('/users/{id}', { params: { path: { id: user.id } }, body: { role_id: 1 } })
    const page = await site.open('/login', { refused: [400] })
    await page.goto(linkIn(await site.lastMessage(user.email)))
    await heading(page, 'Secure your account').waitFor()
    expect(page.url()).toBe(`${site.url}/secure-account`)
    await picture(page, 'secure-account')
    await page.getByRole('button', { name: 'Secure my account' }).click()
    await heading(page, 'Your account is secured').waitFor()
    await page.goto(linkIn(await site.lastMessage(user.email)))
    await heading(page, 'Choose a new password').waitFor()
  })
})

describe('a fresh proof', () => {
  it('is asked for over the page, and what one was doing goes on', async () => {
    const user = await site.createUser(['settings.auth', 'settings.general', 'roles.manage', 'users.manage'])
    const page = await site.open('/#/roles/create', { as: user, refused: [403, 422] })
    await page.getByLabel('Name', { exact: false }).first().fill('Fresh')
    // As a session that is older than 15 minutes is answered.
    let isOld = true
    await page.route('**/api/roles', async (route) => {
      if (!isOld || route.request().method() !== 'POST') return route.fallback()
      isOld = false
      const body = JSON.stringify({ message: 'Confirm first.', code: 'reauthentication_required' })
      return route.fulfill({ status: 403, contentType: 'application/json', body })
    })
    await page.getByRole('button', { name: 'Create the role' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.waitFor()
    await picture(page, 'fresh-proof')
    await dialog.getByLabel('Password').fill('not it')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByText('The current password is not right.').waitFor()
    await dialog.getByLabel('Password').fill(user.password)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('heading', { name: 'Fresh' }).first().waitFor()
  })
})

import type { CDPSession, Page } from 'playwright-core'
import type { Site } from './site.ts'

/* Steps of signing in strongly, with Chromium's virtual authenticator (CDP, domain WebAuthn). */

export const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

export async function fillSignIn(page: Page, name: string, secret: string): Promise<void> {
  await page.getByLabel('Email or username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export const consoleIsThere = (page: Page) => page.getByRole('button', { name: /^Your account:/ }).waitFor()

export interface Virtual {
  readonly session: CDPSession
  readonly id: string
}

/** A device with a screen lock. */
export async function addAuthenticator(page: Page): Promise<Virtual> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { session, id: authenticatorId }
}

export const picture = async (page: Page, name: string): Promise<void> => {
  // biome-ignore lint/style/noProcessEnv: pictures to look at, only where somebody asks for them
  const folder = process.env.GATEHOUSE_PICTURES
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

/** Enrols a passkey under “My account”. */
export async function enrolPasskey(page: Page, password: string): Promise<void> {
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
export const touch = ({ session, id }: Virtual, enabled: boolean) =>
  session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled })

/** Chooses the passkey on the sign-in page; what is offered quietly still waits for a touch, and is given up. */
export async function choosePasskey(page: Page, device: Virtual): Promise<void> {
  await touch(device, true)
  const button = page.getByRole('button', { name: 'Use a passkey' })
  // Where the page offers the passkey at the name field, the authenticator answers by itself. A click meanwhile would sign in twice.
  const isTaken = await button.waitFor({ state: 'detached', timeout: 3_000 }).then(
    () => true,
    () => false,
  )
  if (!isTaken) await button.click()
}

export async function signOut({ url }: Pick<Site, 'url'>, page: Page, device?: Virtual): Promise<void> {
  if (device !== undefined) await touch(device, false)
  await page.goto('about:blank') // the console would go on asking without its cookie
  await page.context().clearCookies()
  await page.goto(`${url}/login`)
  await heading(page, 'Sign in').waitFor()
}

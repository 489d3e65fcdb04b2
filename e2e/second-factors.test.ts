import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  addAuthenticator,
  choosePasskey,
  consoleIsThere,
  enrolPasskey,
  fillSignIn,
  heading,
  picture,
  signOut,
} from './testing/passkeys.ts'
import { openSite, type Site } from './testing/site.ts'
import { inDialog, press } from './testing/steps.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

/** An empty page on another port of this host, closed with the test. */
async function startPage(): Promise<{ url: string }> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>Hello</p>'))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return { url: `http://localhost:${(server.address() as AddressInfo).port}` }
}

/** A request of no browser. */
async function post(path: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${site.url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.json()
}

describe('a passkey', () => {
  it('is added under My account, signs in without a name, and as the second step', async () => {
    const user = await site.createUser()
    const page = await site.open('/#/account', { as: user })
    const device = await addAuthenticator(page)
    const name = page.getByRole('dialog').getByLabel('Name')
    await press(page, 'Add an authenticator app')
    await name.fill('My phone')
    await inDialog(page, 'Cancel')
    await press(page, 'Add a passkey')
    await expect.poll(() => name.inputValue()).toBe('') // nothing of the dialog before
    await inDialog(page, 'Cancel')
    await enrolPasskey(page, user.password)
    await picture(page, 'account-factors')
    await signOut(site, page, device)
    await picture(page, 'sign-in')
    await choosePasskey(page, device)
    await consoleIsThere(page)
    await page.goto('about:blank')
    await page.context().clearCookies()
    await page.goto(`${site.url}/login`) // offered where the name is typed, and taken there
    await consoleIsThere(page)
    await signOut(site, page, device)
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
    await signOut(site, page, device)
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
    await signOut(site, page, device)
    await choosePasskey(page, device)
    await consoleIsThere(page)
    await session.send('WebAuthn.removeCredential', { authenticatorId: id, credentialId: credential.credentialId })
    await session.send('WebAuthn.addCredential', { authenticatorId: id, credential: { ...credential, signCount: 0 } })
    await signOut(site, page, device)
    await choosePasskey(page, device)
    await page.getByText('This passkey was not accepted.').waitFor()
  })

  it('is not used where the person was not verified', async () => {
    const user = await site.createUser()
    const page = await site.open('/#/account', { as: user })
    const device = await addAuthenticator(page)
    await enrolPasskey(page, user.password)
    await device.session.send('WebAuthn.setUserVerified', { authenticatorId: device.id, isUserVerified: false })
    await signOut(site, page, device)
    await choosePasskey(page, device)
    await page.getByText('No passkey was used.').waitFor()
  })

  it('is refused where another origin had it used: a page in between', async () => {
    const user = await site.createUser()
    const relay = await startPage()
    const page = await site.open('/#/account', { as: user, elsewhere: [relay.url] })
    const device = await addAuthenticator(page)
    await enrolPasskey(page, user.password)
    // The same host, so that the browser lends the passkey; only the origin tells the pages apart.
    await page.goto(relay.url)
    const signIn = async (isRelayed: boolean) => {
      const { challenge, options } = await post('/login/passkey/options', {})
      if (!isRelayed) await page.goto(`${site.url}/login`)
      const credential = await page.evaluate(async (given) => {
        const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(given as never)
        return ((await navigator.credentials.get({ publicKey })) as PublicKeyCredential).toJSON()
      }, options)
      return post('/login/passkey', { challenge, credential })
    }
    expect(await signIn(true)).toMatchObject({ code: 'passkey_invalid' })
    expect(await signIn(false)).toMatchObject({ token: expect.stringMatching(/^gs_/) })
    expect(device.id).not.toBe('')
  })
})

describe('who lacks the second factor that their role requires', () => {
  it('is a number on the dashboard, which leads to them', async () => {
    const [lacking, free] = [await site.createUser(), await site.createUser()]
    const path = { id: lacking.role_id }
    await site.api.PATCH('/roles/{id}', { params: { path }, body: { two_factor: 'required' } })
    const count = (await site.api.GET('/stats')).data?.data.without_required_factor ?? 0
    const page = await site.openAsAdmin('/')
    const notice = page.getByRole('alert').filter({ hasText: 'the second factor that their role requires' })
    await expect.poll(() => notice.textContent()).toContain(count === 1 ? 'One user lacks' : `${count} users lack`)
    await picture(page, 'dashboard-factors')
    await notice.getByRole('link', { name: 'Show them' }).click()
    await page.getByRole('row').filter({ hasText: lacking.email }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(count + 1)
    await expect.poll(() => page.getByRole('row').filter({ hasText: free.email }).count()).toBe(0)
    await expect.poll(() => page.getByLabel('2FA').textContent()).toBe('Missing')
  })
})

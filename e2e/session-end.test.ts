import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itLong } from '../server/src/testing/long-form.ts'
import { addAuthenticator, enrolPasskey, fillSignIn } from './testing/passkeys.ts'
import { expectAccessible, openSite, type Site, settled } from './testing/site.ts'
import { getUser, inDialog, press } from './testing/steps.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

type User = Awaited<ReturnType<Site['createUser']>>

/** Once the page has all that it asked for: else the dialog comes before the test has done what brings it. */
async function endSessions({ id }: User, page: Page): Promise<void> {
  await settled(page)
  await site.api.DELETE('/users/{id}/sessions', { params: { path: { id } } })
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' })

async function signInAgain(page: Page, { password }: User): Promise<void> {
  await dialog(page).getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
}

/** Presses a button. A page may have asked by itself when it got the focus: then the dialog is above the button. */
const pressBelow = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, includeHidden: true }).dispatchEvent('click')

/** With a phone number of their own, so that signing in takes a code. */
async function createWithSecondStep(permissions: readonly string[], number: string): Promise<User> {
  const user = await site.createUser(permissions)
  const params = { path: { id: user.id } }
  await site.api.PUT('/users/{id}/2fa', { params, body: { country_code: 276, phone_number: number } })
  await site.api.POST('/users/{id}/2fa/verify', { params, body: { token: await codeOf(number) } })
  return user
}

const codeOf = async (number: string): Promise<string> =>
  (await site.lastMessage(`+49${number}`)).match(/\d{6}/)?.[0] ?? ''

// Without live updates: the refusal of a request is what brings the dialog here.
describe('a session that ends', () => {
  it('is renewed over the page, and what was typed is sent', async () => {
    const user = await site.createUser(['roles.manage'])
    const page = await site.open('/#/roles/create', { as: user, refused: [401, 422], isLive: false })
    await page.getByRole('textbox', { name: 'Name' }).fill('Drafted')
    await page.getByRole('textbox', { name: 'Description' }).fill('A long text, typed with care')
    await endSessions(user, page)
    await page.getByRole('button', { name: 'Create the role' }).click()
    await dialog(page).waitFor()
    await expectAccessible(page)
    await dialog(page).getByLabel('Password').fill('wrong password')
    await dialog(page).getByRole('button', { name: 'Sign in' }).press('Enter')
    await dialog(page).getByText('These credentials do not match our records.').waitFor()
    await dialog(page).locator('[type=password][aria-invalid=true]:focus').waitFor()
    await signInAgain(page, user)
    await page.getByText('Drafted was created. Now choose what it may do.').waitFor()
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Description' }).inputValue())
      .toBe('A long text, typed with care')
  })

  it('is renewed by a code, where the second step is on', async () => {
    const user = await createWithSecondStep(['roles.manage'], '1701234501')
    const page = await site.open('/login', { refused: [401], isLive: false })
    await page.getByLabel('Email or username').fill(user.email)
    await page.getByLabel('Password', { exact: true }).fill(user.password)
    await page.keyboard.press('Enter')
    await page.getByLabel('Code').waitFor()
    await page.getByLabel('Code').fill(await codeOf('1701234501'))
    await page.getByRole('button', { name: /^Your account/ }).waitFor()
    await page.goto(`${site.url}/#/roles/create`)
    await page.getByRole('textbox', { name: 'Name' }).fill('Drafted with a code')
    await endSessions(user, page)
    await page.getByRole('button', { name: 'Create the role' }).click()
    await signInAgain(page, user)
    await page.getByRole('dialog', { name: 'Enter the code' }).waitFor()
    await page
      .getByRole('dialog')
      .getByLabel('Code')
      .fill(await codeOf('1701234501'))
    await page.keyboard.press('Enter')
    await page.getByText('Drafted with a code was created.').waitFor()
  })

  it('is renewed by a passkey, alone or after the password', async () => {
    const user = await site.createUser(['roles.manage'])
    const page = await site.open('/#/account', { as: user, refused: [401], isLive: false })
    await addAuthenticator(page)
    await enrolPasskey(page, user.password)
    for (const name of ['Drafted with a passkey', 'Drafted with both']) {
      await page.goto(`${site.url}/#/roles/create`)
      await page.getByRole('textbox', { name: 'Name' }).fill(name)
      await endSessions(user, page)
      await page.getByRole('button', { name: 'Create the role' }).click()
      if (name === 'Drafted with both') {
        await signInAgain(page, user)
        await page.getByRole('dialog', { name: 'Enter the code' }).getByText('Use your passkey').waitFor()
      }
      await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click()
      await page.getByText(`${name} was created.`, { exact: false }).waitFor()
    }
  })

  it('waits in a dialog that was open, and is asked for once', async () => {
    const user = await site.createUser(['users.manage', 'roles.manage'])
    const role = await site.api.POST('/roles', { body: { name: 'To be deleted' } })
    const page = await site.open(`/#/roles/${role.data?.data.id}`, { as: user, refused: [401], isLive: false })
    await page.getByRole('button', { name: 'Delete' }).click()
    await endSessions(user, page)
    await pressBelow(page.getByRole('dialog', { name: /^Delete/, includeHidden: true }), 'Delete')
    await dialog(page).waitFor()
    await expect.poll(() => dialog(page).count()).toBe(1)
    await signInAgain(page, user)
    await page.getByText('To be deleted was deleted.').waitFor()
  })

  it('gives way to another account without a question, where one has ended it oneself', async () => {
    const user = await site.createUser()
    const page = await site.open('/#/account', { as: user, refused: [401], isLive: false })
    const questions: string[] = []
    page.on('dialog', (question) => {
      questions.push(question.type())
      question.accept()
    })
    await press(page, 'End all')
    await inDialog(page, 'End all')
    await dialog(page).getByRole('button', { name: 'Use another account' }).click()
    await page.waitForURL(/\/login/)
    expect(questions).toEqual([])
  })

  it('gives way to another account', async () => {
    const user = await site.createUser(['roles.manage'])
    const page = await site.open('/#/roles', { as: user, refused: [401], isLive: false })
    await page.getByRole('cell', { name: 'Administrator' }).waitFor()
    await endSessions(user, page)
    await pressBelow(page, 'Refresh')
    await dialog(page).getByRole('button', { name: 'Use another account' }).click()
    await page.waitForURL(`${site.url}/login?next=%23%2Froles`)
  })
})

describe('several tabs', () => {
  it('end together when one signs out, and go on together when one signs in again', async () => {
    const user = await site.createUser(['roles.manage'])
    const first = await site.open('/#/roles', { as: user, refused: [401], isLive: false })
    const second = await first.context().newPage()
    await second.goto(`${site.url}/#/roles`)
    await second.getByRole('cell', { name: 'Administrator' }).waitFor()

    await endSessions(user, first)
    await pressBelow(first, 'Refresh')
    await pressBelow(second, 'Refresh')
    await dialog(first).waitFor()
    await dialog(second).waitFor()
    await signInAgain(first, user)
    await dialog(first).waitFor({ state: 'hidden' })
    await dialog(second).waitFor({ state: 'hidden' })

    await first.getByRole('button', { name: /^Your account/ }).click()
    await first.getByRole('menuitem', { name: 'Sign out' }).click()
    await first.getByRole('heading', { name: 'Sign in' }).waitFor()
    await second.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  /** A tab with something typed, whose owner chose to stay when another tab signed out. */
  async function stayBehind(user: User): Promise<{ first: Page; second: Page }> {
    const first = await site.open('/#/account', { as: user, refused: [401], isLive: false })
    await first.getByRole('textbox', { name: 'Address', exact: true }).click()
    await first.keyboard.type('First Street 1')
    const second = await first.context().newPage()
    await second.goto(`${site.url}/#/account`)
    const question = first.waitForEvent('dialog')
    await second.getByRole('button', { name: /^Your account/ }).click()
    await second.getByRole('menuitem', { name: 'Sign out' }).click()
    await (await question).dismiss()
    await second.getByRole('heading', { name: 'Sign in' }).waitFor()
    return { first, second }
  }

  it('send nothing for somebody else who signs in, though a page with typed text stays', async () => {
    const [user, other] = [await site.createUser(), await site.createUser()]
    const { first, second } = await stayBehind(user)
    const question = first.waitForEvent('dialog')
    await fillSignIn(second, other.email, other.password)
    await (await question).dismiss()
    await signInAgain(first, user)
    await dialog(first).waitFor({ state: 'hidden' })
    await first.getByRole('button', { name: 'Save details' }).click()
    await first.getByText('Your details were saved.').waitFor()
    expect((await getUser(site, other.id))?.address).toBeNull()
    expect((await getUser(site, user.id))?.address).toBe('First Street 1')
  })

  itLong('can go on as another account after one stayed when another tab signed out', async () => {
    const { first } = await stayBehind(await site.createUser())
    await first.getByRole('button', { name: 'Save details' }).click()
    await dialog(first).waitFor()
    first.on('dialog', (question) => question.accept())
    await dialog(first).getByRole('button', { name: 'Use another account' }).click()
    await first.waitForURL(/\/login\?next=/)
  })
})

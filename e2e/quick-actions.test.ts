import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itLong } from '../server/src/testing/long-form.ts'
import { fillSignIn } from './testing/passkeys.ts'
import { openSite, type Site } from './testing/site.ts'
import { addUser, hold, inDialog, noticeOf, press, rowOf } from './testing/steps.ts'

/* Whoever is quicker than the page loses nothing. */

let site: Site
beforeAll(async () => {
  site = await openSite()
  await addUser(site, 'grace@example.com')
  for (let at = 0; at < 26; at++) await addUser(site, `crowd${at}@example.com`)
})
afterAll(() => site.close())

interface Hands {
  readonly type: (text: string, placeholder?: string) => void
  readonly press: (name: RegExp) => void
}

/** What is done between two drawings of the page, as on a slow device; Playwright would wait for them. */
async function doAtOnce(page: Page, work: (hands: Hands) => void): Promise<void> {
  await page.evaluate(
    `(${work})({
      type(text, placeholder = 'Search users') {
        const box = document.querySelector('input[placeholder="' + placeholder + '"]')
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, text)
        box.dispatchEvent(new Event('input', { bubbles: true }))
      },
      press(name) {
        const nameOf = (one) => one.getAttribute('aria-label') || one.textContent || one.title
        ;[...document.querySelectorAll('button, [role=button]')].find((one) => name.test(nameOf(one))).click()
      },
    })`,
  )
}

describe('the list of users keeps', () => {
  const active = `/#/users?filter=${encodeURIComponent('{"status":"Active"}')}`
  const open = async (path: string, shown: string) => {
    const page = await site.openAsAdmin(path)
    await page.getByText(shown).waitFor()
    return page
  }
  const search = (page: Page) => page.getByRole('searchbox').inputValue()
  const status = (page: Page) => page.getByRole('combobox', { name: 'Status' }).textContent()

  it('what was typed just before the filters are cleared, and they are', async () => {
    const page = await open(active, '28 users found')
    await doAtOnce(page, ({ type, press }) => {
      type('grace')
      press(/^Clear filters$/)
    })
    await page.getByText('1 user found').waitFor()
    await expect.poll(() => page.url()).not.toContain('status')
    expect(await search(page)).toBe('grace')
    expect(await status(page)).not.toContain('Active')
  })

  itLong('the same where they are cleared just as the search begins', async () => {
    const page = await open(active, '28 users found')
    await doAtOnce(page, ({ type, press }) => {
      type('grace')
      document.querySelector('input[type=search]')?.closest('form')?.requestSubmit()
      press(/^Clear filters$/)
    })
    await page.getByText('1 user found').waitFor()
    expect(page.url()).not.toContain('status')
    expect(await search(page)).toBe('grace')
  })

  itLong('no filter on show that was cleared after a letter was typed and erased', async () => {
    const page = await open(active, '28 users found')
    await doAtOnce(page, ({ type }) => {
      type('g')
      type('')
    })
    await page.waitForURL(/page=1/) // it was applied
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('28 users found').waitFor({ state: 'detached' })
    await expect.poll(() => status(page)).not.toContain('Active')
  })

  itLong('an order that was chosen just before the page is turned', async () => {
    const page = await open('/#/users', '1-25 of 28')
    await doAtOnce(page, ({ press }) => {
      press(/^Sort by email/)
      setTimeout(() => press(/next page/))
    })
    await page.getByText('26-28 of 28').waitFor()
    expect(page.url()).toContain('sort=email')
  })
})

it('any other list keeps what was typed just before a filter is taken away, and it is', async () => {
  const page = await site.openAsAdmin(`/#/deliveries?filter=${encodeURIComponent('{"kind":"sms"}')}`)
  await page.getByRole('button', { name: 'Remove this filter' }).waitFor()
  await doAtOnce(page, ({ type, press }) => {
    type('ada@', 'Recipient')
    press(/^Remove this filter$/)
  })
  await page.waitForURL(/recipient/)
  expect(page.url()).not.toContain('sms')
  expect(await page.getByPlaceholder('Recipient').inputValue()).toBe('ada@')
})

it('an export claims no number of users while the answer to another filter is awaited', async () => {
  const page = await site.openAsAdmin('/#/users')
  await page.getByText('28 users', { exact: true }).waitFor()
  const asked = Promise.withResolvers<Route>()
  await page.route(/api\/users\?.*grace/, asked.resolve)
  await page.getByRole('searchbox').fill('grace')
  const route = await asked.promise
  await press(page, 'Export')
  await page.getByRole('dialog', { name: 'Export users' }).waitFor()
  await route.continue()
  await page.getByRole('dialog', { name: 'Export 1 user' }).waitFor()
})

describe('whoever leaves the list while something is done to several', () => {
  it('is told for whom it could not be done, and keeps what is selected and asked meanwhile', async () => {
    const filter = (search: string) => `/#/users?filter=${encodeURIComponent(JSON.stringify({ search }))}`
    const page = await site.openAsAdmin(filter('grace'), { refused: [403] })
    await rowOf(page, 'grace').waitFor()
    await page.evaluate((hash) => location.assign(hash), filter('admin@').slice(1))
    await rowOf(page, site.admin.email).getByRole('checkbox').check()
    await press(page, 'Ban')
    const letGo = await hold(page, 'PATCH')
    await inDialog(page, 'Ban 1 user')
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await rowOf(page, 'grace').getByRole('checkbox').check()
    await press(page, 'Delete')
    await page.getByRole('dialog', { name: 'Delete 2 users?' }).waitFor()
    await letGo()
    await page.getByText('1 user could not be banned. admin: You cannot delete or ban yourself.').waitFor()
    await page.getByText('2 selected, 1 not on this page').waitFor()
    await page.getByRole('dialog', { name: 'Delete 2 users?' }).waitFor()
  })
})

itLong('a choice between mails and none waits for the one before it', async () => {
  const page = await site.openAsAdmin('/#/announcements')
  const choice = page.getByRole('switch', { name: 'Send me new announcements by mail' })
  const sent: boolean[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.postDataJSON().subscribed)
  })
  const letGo = await hold(page, 'PUT')
  await choice.click()
  await choice.click({ force: true })
  await letGo()
  await noticeOf(page, 'You will get no more announcements by mail.')
  expect(sent).toEqual([false])
  await choice.click()
  await noticeOf(page, 'You will get announcements by mail.')
})

it('another way to sign in can be chosen while a code is sent', async () => {
  const page = await site.open('/login')
  await page.route('**/api/login', (route) =>
    route.fulfill({ json: { challenge: 'c', methods: ['totp', 'sms', 'recovery_code'] } }),
  )
  const asked = Promise.withResolvers<Route>()
  await page.route('**/api/login/2fa/sms', asked.resolve)
  await fillSignIn(page, 'ada@example.com', 'a quiet harbour at dawn')
  await press(page, 'Get a code by SMS')
  const route = await asked.promise
  await press(page, 'Use a recovery code')
  await page.getByLabel('Recovery code').fill('abcde')
  const answered = page.waitForResponse('**/api/login/2fa/sms')
  await route.fulfill({ json: { success: true } })
  await answered
  await expect.poll(() => page.locator('[data-busy]').count()).toBe(0)
  expect(await page.getByLabel('Recovery code').inputValue()).toBe('abcde')
})

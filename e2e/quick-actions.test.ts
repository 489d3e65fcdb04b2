import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from './testing/site.ts'
import { addUser } from './testing/steps.ts'

/* Whoever is quicker than the page loses nothing. */

let site: Site
beforeAll(async () => {
  site = await openSite()
  await addUser(site, 'grace@example.com')
  for (let at = 0; at < 26; at++) await addUser(site, `crowd${at}@example.com`)
})
afterAll(() => site.close())

interface Hands {
  readonly type: (text: string) => void
  readonly press: (name: RegExp) => void
}

/** What is done between two drawings of the page, as on a slow device; Playwright would wait for them. */
async function doAtOnce(page: Page, work: (hands: Hands) => void): Promise<void> {
  await page.evaluate(
    `(${work})({
      type(text) {
        const box = document.querySelector('input[type=search]')
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, text)
        box.dispatchEvent(new Event('input', { bubbles: true }))
      },
      press(name) {
        const nameOf = (one) => one.getAttribute('aria-label') ?? one.textContent
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

  it('the same where they are cleared just as the search begins', async () => {
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

  it('no filter on show that was cleared after a letter was typed and erased', async () => {
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

  it('an order that was chosen just before the page is turned', async () => {
    const page = await open('/#/users', '1-25 of 28')
    await doAtOnce(page, ({ press }) => {
      press(/^Sort by email/)
      setTimeout(() => press(/next page/))
    })
    await page.getByText('26-28 of 28').waitFor()
    expect(page.url()).toContain('sort=email')
  })
})

import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite, type Site } from './testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
}, 60_000)
afterAll(() => site.close())

/** The outline of the element, or of what is drawn around a hidden input. */
const outline = (element: Locator) =>
  element.evaluate((at) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(at.closest('.MuiButtonBase-root') ?? at)
    return `${outlineStyle} ${outlineWidth}`
  })
const expectRing = (element: Locator) => expect.poll(() => outline(element)).toBe('solid 2px')

/** Goes there by key. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor()
  await element.focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
}

it.each([
  ['/#/settings', 'switch'],
  ['/#/users/create', 'switch'],
  ['/#/announcements/create', 'switch'],
  ['/#/api-keys/create', 'radio'],
  ['/#/users', 'checkbox'],
] as const)('the focus can be seen: %s, %s', async (path, role) => {
  const page = await site.openAsAdmin(path)
  // A radio that is not chosen is no stop of the Tab key.
  const element = role === 'radio' ? page.getByRole(role, { checked: true }) : page.getByRole(role).first()
  await tabTo(page, element)
  await expectRing(element)
  await page.mouse.click(5, 795)
  await expect.poll(() => outline(element)).not.toContain('solid')
})

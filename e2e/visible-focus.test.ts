import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf } from '../server/src/testing/long-form.ts'
import { openSite, type Site } from './testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
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

it.each(
  firstOf([
    ['/#/settings', 'switch'],
    ['/#/users/create', 'switch'],
    ['/#/announcements/create', 'switch'],
    ['/#/api-keys/create', 'radio'],
    ['/#/users', 'checkbox'],
  ] as const),
)('the focus can be seen: %s, %s', async (path, role) => {
  const page = await site.openAsAdmin(path)
  // A radio that is not chosen is no stop of the Tab key.
  const element = role === 'radio' ? page.getByRole(role, { checked: true }) : page.getByRole(role).first()
  await tabTo(page, element)
  await expectRing(element)
  await page.mouse.click(5, 795)
  await expect.poll(() => outline(element)).not.toContain('solid')
})

describe('in forced colours, which remove backgrounds', () => {
  const openForced = async (path: string) => {
    const page = await site.openAsAdmin(path)
    await page.emulateMedia({ forcedColors: 'active' })
    return page
  }

  it('the current entry of the command palette can be seen', async () => {
    const page = await openForced('/#/roles')
    await page.getByRole('heading', { name: 'Roles' }).waitFor()
    await page.keyboard.press('Control+k')
    const options = page.getByRole('dialog').getByRole('option')
    await page.keyboard.press('ArrowDown')
    await expectRing(options.nth(1))
    expect(await outline(options.nth(0))).not.toContain('solid')
  })

  it('the current country can be seen', async () => {
    const page = await openForced('/#/users')
    await page.getByRole('combobox', { name: 'Country' }).press('ArrowDown')
    const options = page.getByRole('listbox').getByRole('option')
    await options.first().waitFor() // the countries may still be on their way
    const outlines = () => options.evaluateAll((all) => all.map((at) => getComputedStyle(at).outlineStyle))
    // A list that is drawn again meanwhile has no current country.
    const withRing = async () => {
      await page.keyboard.press('ArrowDown')
      return (await outlines()).filter((style) => style === 'solid').length
    }
    await expect.poll(withRing).toBe(1)
  })
})

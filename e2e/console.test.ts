import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, openSite, type Site } from './testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

describe('the console', () => {
  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ] as const)('shows the roles, in %s at %i px', async (scheme, width) => {
    const page = await site.open('/#/roles', { as: site.admin, scheme, width })
    await page.getByRole('cell', { name: 'Admin' }).waitFor()
    await page.screenshot({ path: `/tmp/gh-trial/roles-${scheme}-${width}.png` })
    await expectAccessible(page)
  })

  it('leads who is not signed in to the sign-in page, and back from there', async () => {
    const page = await site.open('/#/roles', { refused: [401] })
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/login?next=%23%2Froles')
  })
})

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { firstOf } from '../server/src/testing/long-form.ts'
import { openSite, type Site } from './testing/site.ts'
import { addUser } from './testing/steps.ts'

/* What is read or about to be touched stays where it is while more of the page comes. */

const long = 'A name that is longer than one line on a phone'

let site: Site
beforeAll(async () => {
  site = await openSite()
  const id = (await site.api.GET('/me')).data?.data.id as number
  await site.api.PATCH('/users/{id}', { params: { path: { id } }, body: { first_name: long, last_name: long } })
})
afterAll(() => site.close())

/** Notes each place or size that an element had while it could be seen. */
async function note(page: Page, selector: string, side: 'top' | 'height'): Promise<() => Promise<number[]>> {
  await page.addInitScript(
    ([of, what]) => {
      const seen = new Set<number>()
      Object.assign(window, { seen })
      const look = () => {
        const element = document.querySelector(of)
        if (element?.checkVisibility({ opacityProperty: true })) {
          seen.add(Math.round(element.getBoundingClientRect()[what]))
        }
        requestAnimationFrame(look)
      }
      look()
    },
    [selector, side] as const,
  )
  return () => page.evaluate(() => [...(window as unknown as { seen: Set<number> }).seen])
}

/** Answers to these requests come only once they are let through. */
async function holdBack(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(path, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

const reload = async (page: Page, hash: string) => {
  await page.goto('about:blank')
  await page.goto(site.url + hash)
}
const bannerOf = (page: Page) => page.getByRole('complementary', { name: 'Newest announcement' })

it.each(
  firstOf([
    ['that is drawn at once', 0],
    ['that a slow phone draws for a second', 1_000],
  ]),
)('a page %s begins below the banner of an announcement, and does not move for it', async (_page, drawMs) => {
  const reader = await site.createUser()
  await site.api.POST('/announcements', { body: { title: 'News', body: 'text' } })
  const page = await site.open('/login', { as: reader, width: 390 })
  await page.addInitScript((ms) => {
    const set = Element.prototype.setAttribute
    Element.prototype.setAttribute = function (name, value) {
      for (const end = Date.now() + ms; name === 'data-banner' && Date.now() < end; );
      set.call(this, name, value)
    }
  }, drawMs)
  const tops = await note(page, '#main-content', 'top')
  // On a busy machine the banner may take longer than the page waits for it.
  await expect
    .poll(async () => {
      await reload(page, '/#/account')
      await page.getByText('This session').waitFor()
      await page.getByRole('link', { name: '1 unread announcement' }).waitFor()
      expect(await tops()).toHaveLength(1)
      return bannerOf(page).isVisible()
    })
    .toBe(true)
})

it('a banner that comes later waits for the next page, and is told', async () => {
  const reader = await site.createUser()
  await site.api.POST('/announcements', { body: { title: 'News', body: 'text' } })
  const page = await site.open('/login', { as: reader })
  const tops = await note(page, '#main-content', 'top')
  const letThrough = await holdBack(page, '**/api/announcements?*')
  await reload(page, '/#/account')
  await page.getByText('This session').waitFor()
  await expect.poll(tops).toHaveLength(1)
  letThrough()
  const bell = page.getByRole('link', { name: '1 unread announcement' })
  await bell.waitFor()
  await page.getByText('New announcement: News').waitFor()
  expect(await tops()).toHaveLength(1)
  await bell.click()
  await bannerOf(page).waitFor()
})

let rowsMade = 0

it.each(
  firstOf([
    ['the activity', '/#/activity', 'main tbody tr:has(button[aria-label="Show the details"])'],
    ['the dashboard', '/#/', 'main section:has(h2:text-is("Recent activity")) li'],
    ['the page of a user', '/#/users/ID/activity', 'main section li'],
  ]),
)('rows of %s do not grow while the names come', async (_where, path, row) => {
  const id = await addUser(site, `row${++rowsMade}@example.com`)
  const page = await site.openAsAdmin('/#/roles', { width: 390 })
  const rows = page.locator(row).filter({ hasText: 'created' })
  const letThrough = await holdBack(page, '**/api/users?*')
  const listed = page.waitForResponse(/\/activity\?/)
  await reload(page, path.replace('ID', String(id)))
  await listed
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  const heightOf = async () => ((await rows.count()) === 0 ? undefined : (await rows.first().boundingBox())?.height)
  const before = await heightOf()
  letThrough()
  await rows.filter({ hasText: long }).first().waitFor()
  expect([undefined, await heightOf()]).toContain(before)
})

it('a finger hits each check box of a list', async () => {
  await addUser(site, 'finger@example.com')
  for (const width of [390, 1280]) {
    const page = await site.openAsAdmin('/#/users', { width, touch: true })
    const boxes = page.getByRole('main').getByRole('checkbox')
    await boxes.nth(1).waitFor()
    const sizes = await boxes.evaluateAll((inputs) => inputs.map((input) => input.getBoundingClientRect()))
    for (const { width: wide, height: high } of sizes) expect(Math.min(wide, high)).toBeGreaterThanOrEqual(44)
  }
})

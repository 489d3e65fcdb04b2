import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite, type Site, visit } from './testing/site.ts'
import { addUser } from './testing/steps.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
  const id = await addUser(site, 'ada@example.com')
  await site.api.POST('/announcements', { body: { title: 'Maintenance', body: 'On Sunday.' } })
  await site.api.POST('/users/bulk', { body: { action: 'ban', ids: [id], expected: 1 } })
})
afterAll(() => site.close())

/** A narrow screen, and text of twice the size. */
async function openLarge(path: string, as?: Site['admin']): Promise<Page> {
  const page = await site.open(path, { width: 320, height: 640, ...(as === undefined ? {} : { as }) })
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  return page
}

/** What makes the page scroll to the side, and what is cut with no way to get to it. Tables scroll, and some text ends in an ellipsis. */
const lost = (page: Page) =>
  page.evaluate(() => {
    const isWide = document.documentElement.scrollWidth > innerWidth
    const found = isWide ? [`the page: ${document.documentElement.scrollWidth} px`] : []
    for (const box of document.querySelectorAll('.MuiPaper-root')) {
      const end = box.getBoundingClientRect().right
      for (const element of box.querySelectorAll('*')) {
        const isHidden = element.closest('svg, legend, [aria-hidden=true], table, .MuiTabs-root') !== null
        const isShort = getComputedStyle(element.parentElement ?? element).textOverflow === 'ellipsis'
        if (!isHidden && !isShort && element.getBoundingClientRect().right > end + 1) {
          found.push(`${element.tagName} ${element.className}: ${element.textContent.slice(0, 40)}`)
        }
      }
    }
    return found.slice(0, 5)
  })

const pages: readonly [path: string, text: string][] = [
  ['/#/', 'First steps'],
  ['/#/settings', 'Save changes'],
  ['/#/import-users', 'Choose a file'],
  ['/#/api-keys/create', 'Only these'],
  ['/#/users/create', 'Create the user'],
  ['/#/users', 'ada@example.com'],
  ['/#/roles', 'Compare permissions'],
  ['/#/roles/1', 'Second factor'],
  ['/#/announcements', 'New announcement'],
  ['/#/announcements/create', 'how it is written'],
  ['/#/announcements/1', 'how it is written'],
  ['/#/permissions', 'New permission'],
  ['/#/webhooks/create', 'Create the webhook'],
  ['/#/jobs/1/show', 'left as they are'],
  ['/#/users/2/security', 'Set the password'],
  ['/#/users/2/sessions', 'is not signed in anywhere'],
  ['/#/account', 'Second factors'],
  ['/#/events', 'Live events'],
]

it('every page of the console has room for text of twice the size', async () => {
  const page = await openLarge('/#/', site.admin)
  const problems: Record<string, string[]> = {}
  for (const [path, text] of pages) {
    await visit(page, site.url + path)
    await page.getByText(text).first().waitFor()
    let found: string[] = []
    await expect
      .poll(async () => (found = await lost(page)), { timeout: 1_000 })
      .toEqual([])
      .catch(() => {})
    if (found.length > 0) problems[path] = found
  }
  expect(problems).toEqual({})
})

it('what stands in place of rows has room, too', async () => {
  const page = await openLarge('/#/users', site.admin)
  const none = { data: [], links: {}, meta: { total: 0, unread: 0 } }
  await page.route('**/api/announcements?*', (route) => route.fulfill({ json: none }))
  await visit(page, `${site.url}/#/announcements`)
  await page.getByText('No announcements yet').waitFor()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

it('the title of the page can be read', async () => {
  const page = await openLarge('/#/roles', site.admin)
  const title = page.getByRole('heading', { name: 'Roles', level: 1 })
  await expect.poll(() => title.evaluate((at) => at.scrollWidth <= at.clientWidth)).toBe(true)
})

it('the counts of a job do not lie over each other', async () => {
  const page = await openLarge('/#/', site.admin)
  await page.route('**/api/jobs/1', async (route) => {
    const { data } = await (await route.fetch()).json()
    await route.fulfill({ json: { data: { ...data, type: 'users.import', dry_run: true } } })
  })
  await page.goto(`${site.url}/#/jobs/1/show`)
  await page.getByText('to leave out').waitFor()
  const boxes = await Promise.all(
    ['to create', 'to change', 'to leave out', 'with errors'].map((name) => page.getByText(name).boundingBox()),
  )
  for (const [at, one] of boxes.entries()) {
    for (const other of boxes.slice(at + 1)) {
      if (one === null || other === null) throw new Error('A count has no place.')
      const isBeside = one.x + one.width <= other.x || other.x + other.width <= one.x
      const isBelow = one.y + one.height <= other.y || other.y + other.height <= one.y
      expect(isBeside || isBelow).toBe(true)
    }
  }
})

it('on the sign-in page, the link to a new password is beside its label or below it', async () => {
  const page = await openLarge('/login')
  const label = await page.getByText('Password', { exact: true }).boundingBox()
  const link = await page.getByRole('link', { name: 'Forgot password?' }).boundingBox()
  const isBeside = (label?.x ?? 0) + (label?.width ?? 0) <= (link?.x ?? 0)
  expect(isBeside || (label?.y ?? 0) + (label?.height ?? 0) <= (link?.y ?? 0) + 1).toBe(true)
})

it('the list of users shows more of a name than its first letter', async () => {
  const page = await openLarge('/#/users', site.admin)
  const name = page.getByRole('list').getByText('ada@example.com').first()
  await expect.poll(async () => (await name.boundingBox())?.width).toBeGreaterThan(120)
  await expect.poll(() => lost(page)).toEqual([])
})

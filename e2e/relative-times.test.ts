import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite, type Site } from './testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const hour = 3_600
const day = 24 * hour

/** Yesterday, last month and last year have ended a minute ago. */
const now = new Date('2028-01-01T00:01:00Z')

const ages: readonly [seconds: number, said: string][] = [
  [59, 'just now'],
  [60, '1 minute ago'],
  [59 * 60 + 29, '59 minutes ago'],
  [59 * 60 + 31, '1 hour ago'],
  [23 * hour + 29 * 60, '23 hours ago'],
  [23 * hour + 31 * 60, '1 day ago'],
  [35 * hour, '1 day ago'], // the day before yesterday
  [29 * day, '29 days ago'],
  [29.6 * day, '1 month ago'],
  [40 * day, '1 month ago'],
  [349 * day, '12 months ago'],
  [351 * day, '1 year ago'],
  [500 * day, '1 year ago'], // two calendar years before
  [550 * day, '2 years ago'],
]

it('how long ago something was is told by its age alone, at every hour and day of the calendar', async () => {
  const user = await site.createUser()
  const page = await site.openAsAdmin('/')
  await page.clock.setFixedTime(now)
  const common = {
    success: true,
    reason: null,
    method: 'password',
    browser: null,
    platform: null,
    network: '',
    count: 1,
  }
  const data = ages.map(([seconds], id) => {
    const created_at = new Date(now.getTime() - seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')
    return { ...common, id, created_at }
  })
  await page.route(`**/api/users/${user.id}/sign-ins?*`, (route) => route.fulfill({ json: { data } }))
  await page.goto(`${site.url}/#/users/${user.id}/security`)
  const times = page.getByRole('main').locator('li time')
  const said = async () => (await times.allInnerTexts()).map((text) => text.split(',')[0])
  await expect.poll(said).toEqual(ages.map(([, words]) => words))
})

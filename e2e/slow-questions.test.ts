import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { itLong } from '../server/src/testing/long-form.ts'
import { openSite, type Site } from './testing/site.ts'
import { addUser, getUser, hold, inDialog, noticeOf, press } from './testing/steps.ts'
import { soon } from './testing/time.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const dialog = (page: Page) => page.getByRole('dialog')

/** A ban that was answered with yes, and whose request hangs until `answer` is called. */
async function ban(email: string) {
  const id = await addUser(site, email)
  const page = await site.openAsAdmin(`/#/users/${id}`)
  const { promise, resolve: answer } = Promise.withResolvers<(route: Route) => Promise<void>>()
  await page.route(`**/api/users/${id}`, async (route) =>
    route.request().method() === 'PATCH' ? (await promise)(route) : route.continue(),
  )
  await page.clock.install()
  await press(page, 'Ban')
  await inDialog(page, 'Ban')
  return { id, page, answer }
}

/** After some seconds the dialog can be closed. */
async function close(page: Page): Promise<void> {
  await soon(page, dialog(page).getByText('This takes longer than usual.').waitFor())
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'hidden' })
}

it('a question shows that its work goes on; when that takes long, it can be closed, and a failure is said', async () => {
  const { page, answer } = await ban('ada@example.com')
  await dialog(page).getByRole('progressbar').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => dialog(page).getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
  await close(page)
  answer((route) => route.abort())
  await noticeOf(page, 'The server cannot be reached.')
})

itLong('what ends after its question was closed says so, and closes no other question', async () => {
  const { id, page, answer } = await ban('grace@example.com')
  await close(page)
  await press(page, 'Delete')
  await dialog(page).waitFor()
  answer((route) => route.continue())
  await page.getByText('grace was banned.').or(page.getByText('grace@example.com was banned.')).waitFor()
  expect((await getUser(site, id))?.status).toBe('Banned')
  await expect.poll(() => dialog(page).count()).toBe(1)
})

itLong('a deleted user’s page is left, also from another tab of it after the question was closed', async () => {
  const id = await addUser(site, 'alan@example.com')
  const page = await site.openAsAdmin(`/#/users/${id}`, { isLive: false })
  await page.clock.install()
  await press(page, 'Delete')
  await dialog(page).getByRole('textbox').fill('alan@example.com')
  const letGo = await hold(page, 'DELETE')
  await inDialog(page, 'Delete')
  await close(page)
  await page.getByRole('tab', { name: 'Security' }).click()
  await page.getByText('alan@example.com has none.').waitFor()
  await letGo()
  await noticeOf(page, 'alan@example.com was deleted.')
  await page.waitForURL(`${site.url}/#/users`)
})

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { firstOf } from '../server/src/testing/long-form.ts'
import { openSite, type Site } from './testing/site.ts'
import { noticeOf } from './testing/steps.ts'
import { soon } from './testing/time.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const unreachable = 'The server cannot be reached.'

/** The form, filled in, at its end; the server cannot be reached. */
async function openForm(path: string, field: string, width: number, height: number): Promise<Page> {
  const page = await site.openAsAdmin(path, { width, height })
  await page.route('**/api/**', (route) => (route.request().method() === 'GET' ? route.continue() : route.abort()))
  page.on('dialog', (question) => question.accept())
  await page.locator(`[name="${field}"]`).fill('20')
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  return page
}

it.each(
  firstOf([
    ['/#/api-keys/create', 'name', 'Issue the key', 1280, 800],
    ['/#/settings', 'password.min_length', 'Save changes', 1366, 768],
    ['/#/roles/create', 'name', 'Create the role', 700, 600],
    ['/#/roles/create', 'name', 'Create the role', 360, 640],
  ]),
)('a notification leaves the button free that is pressed again: %s, %s, %s, %i × %i', async (...form) => {
  const [path, field, name, width, height] = form
  const page = await openForm(path, field, width, height)
  const button = page.getByRole('button', { name, exact: true })
  await button.click()
  await noticeOf(page, unreachable)
  await button.click({ trial: true, timeout: 2_000 })
})

it('a notification that comes under the pointer goes by itself; one that the pointer moves onto stays', async () => {
  const page = await openForm('/#/roles/create', 'name', 1280, 800)
  await page.clock.install()
  const notice = page.getByRole('alert').filter({ hasText: unreachable })
  const send = async () => {
    await page.getByRole('button', { name: 'Create the role' }).press('Enter')
    await notice.waitFor()
  }
  await send()
  const { x = 0, y = 0 } = (await notice.boundingBox()) ?? {}
  await soon(page, notice.waitFor({ state: 'hidden' }))
  await page.mouse.move(x + 20, y + 20)
  await send()
  await soon(page, notice.waitFor({ state: 'hidden' }))
  await send()
  await page.mouse.move(x + 22, y + 20)
  await page.clock.fastForward(20_000)
  await expect.poll(() => notice.count()).toBe(1)
  await page.mouse.move(x, y + 300)
  await soon(page, notice.waitFor({ state: 'hidden' }))
})

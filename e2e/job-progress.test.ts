import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { itLong } from '../server/src/testing/long-form.ts'
import { openSite, type Site } from './testing/site.ts'
import { addUser, inDialog, noticeOf, press } from './testing/steps.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const path = '**/api/jobs/*'

/** The state of a job cannot be loaded: it is said, and stays said while it is tried again. */
async function expectFailure(page: Page): Promise<void> {
  await noticeOf(page, 'The progress could not be loaded. The disk is full.')
  await page.waitForResponse((response) => response.status() === 500)
  await expect.poll(() => page.getByText('The progress could not be loaded.').count()).toBe(1)
}

const fail = (page: Page) =>
  page.route(path, (route) => route.fulfill({ status: 500, json: { message: 'The disk is full.', code: 'x' } }))

it('says that the progress of a change of many users cannot be loaded, until it can', async () => {
  await addUser(site, 'ada@example.com')
  const page = await site.openAsAdmin('/#/users', { refused: [500] })
  await fail(page)
  await page.getByRole('checkbox', { name: 'Select ada@example.com' }).check()
  await press(page, 'More actions')
  await page.getByRole('menuitem', { name: 'Send a password reset' }).click()
  await inDialog(page, 'Send a password reset to 1 user')
  await expectFailure(page)
  await page.unroute(path)
  await noticeOf(page, '1 user was sent a password reset.')
})

itLong('says that the progress of an import cannot be loaded, until it can', async () => {
  const page = await site.openAsAdmin('/#/import-users', { refused: [500] })
  await fail(page)
  const buffer = Buffer.from('email\ngrace@example.com\n')
  await page.getByLabel('File with users').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
  await press(page, 'Try it without changing anything')
  await expectFailure(page)
  await page.unroute(path)
  await page.getByText('What would happen').waitFor()
  await page.getByText('1 of 1 row', { exact: true }).waitFor()
  await expect.poll(() => page.getByText('The progress could not be loaded.').count()).toBe(0)
})

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itLong } from '../server/src/testing/long-form.ts'
import { expectAccessible, openSite, type Site } from './testing/site.ts'
import { addUser, follow, hold, inDialog, noticeOf, press, questionAt, rowOf } from './testing/steps.ts'
import { soon } from './testing/time.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

/** Selects the 27 users who match, of whom the page shows 25. */
async function selectAll27(page: Page, search: string): Promise<void> {
  await page.getByRole('searchbox').fill(search)
  await page.getByText('1-25 of 27').waitFor()
  await page.getByRole('checkbox', { name: 'Select everybody on this page' }).check()
  await page.getByRole('button', { name: 'Select all 27 that match' }).click()
}

describe('changes of all who match', () => {
  it('bans them with one job, undoes it from the toast, and shows both on the page of jobs', async () => {
    for (let at = 0; at < 27; at++) await addUser(site, `everybody${at}@example.com`)
    const page = await site.openAsAdmin('/#/users')
    await selectAll27(page, 'everybody')
    await page.getByText('27 selected').waitFor()
    // The same button takes it back, and keeps the focus.
    await page.keyboard.press('Enter')
    await page.getByText('25 selected').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('27 selected').waitFor()
    await page.getByRole('button', { name: 'Ban', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Ban 27 users' }).click()
    await noticeOf(page, '27 users were banned.')
    await rowOf(page, 'everybody').first().getByText('Banned').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await noticeOf(page, '27 users are as before.')
    await rowOf(page, 'everybody').first().getByText('Active').waitFor()

    await page.getByRole('link', { name: 'Jobs' }).click()
    await rowOf(page, 'Ban of users').getByText('27 of 27').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Ban of users' }).click()
    await page.getByRole('heading', { name: 'Ban of users', level: 2 }).waitFor()
    await page.getByText('Started by admin').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Show the undo' }).click()
    await page.getByRole('heading', { name: 'Undo', level: 2 }).waitFor()
    await page.getByRole('link', { name: 'Show what was undone' }).click()
    await page.getByRole('heading', { name: 'Ban of users', level: 2 }).waitFor()
  })

  itLong('no longer offers to undo what was undone on the page of its job', async () => {
    for (let at = 0; at < 27; at++) await addUser(site, `twice${at}@example.com`)
    const page = await site.openAsAdmin('/#/users')
    await selectAll27(page, 'twice')
    await press(page, 'Ban')
    await inDialog(page, 'Ban 27 users')
    await noticeOf(page, '27 users were banned.')
    const offer = page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' })
    await page.getByRole('link', { name: 'Jobs' }).click()
    await page.getByRole('link', { name: 'Ban of users' }).first().click()
    await page.getByRole('main').getByRole('button', { name: 'Undo' }).waitFor()
    await expect.poll(() => offer.count()).toBe(1)
    await page.getByRole('main').getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { name: 'Undo', level: 2 }).waitFor()
    await expect.poll(() => offer.count()).toBe(0)
  })

  itLong('takes a blank search for none', async () => {
    for (let at = 0; at < 27; at++) await addUser(site, `blank${at}@example.com`)
    const filter = encodeURIComponent(JSON.stringify({ search: ' ', status: 'Active' }))
    const page = await site.openAsAdmin(`/#/users?filter=${filter}`)
    await page.getByRole('checkbox', { name: 'Select everybody on this page' }).check()
    await page.getByRole('button', { name: /^Select all \d+ that match$/ }).click()
    await press(page, 'Ban')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Ban \d+ users$/ })
      .click()
    await noticeOf(page, /^\d+ users were banned\./)
    await press(page, 'Undo')
    await noticeOf(page, / users are as before\.$/)
  })

  it('deletes them once their number was typed', async () => {
    for (let at = 0; at < 27; at++) await addUser(site, `unwanted${at}@example.com`)
    const page = await site.openAsAdmin('/#/users', { refused: [409], isLive: false })
    await selectAll27(page, 'unwanted')
    await press(page, 'Delete')
    const field = page.getByRole('dialog').getByRole('textbox', { name: 'Type 27 to confirm.' })
    const button = (count: number) => page.getByRole('dialog').getByRole('button', { name: `Delete ${count} users` })
    await expectAccessible(page)
    await expect.poll(() => button(27).isEnabled()).toBe(false)
    await field.fill('25')
    await field.press('Enter')
    await expect.poll(() => button(27).isEnabled()).toBe(false)
    await addUser(site, 'unwanted-late@example.com')
    await field.fill('27')
    await field.press('Enter')
    // What was typed is another number than the one that matches now.
    await page.getByRole('alert').filter({ hasText: '28 users match now, not 27.' }).waitFor()
    await expect.poll(() => button(28).isEnabled()).toBe(false)
    await page.getByRole('textbox', { name: 'Type 28 to confirm.' }).fill('28')
    await button(28).click()
    await noticeOf(page, '28 users were deleted.')
  })

  itLong('asks about the number that matches now, where it is another one than was seen', async () => {
    for (let at = 0; at < 27; at++) await addUser(site, `counted${at}@example.com`)
    const page = await site.openAsAdmin('/#/users', { refused: [409], isLive: false })
    await selectAll27(page, 'counted')
    await addUser(site, 'counted-late@example.com')
    await press(page, 'Ban')
    await inDialog(page, 'Ban 27 users')
    await page.getByRole('alert').filter({ hasText: '28 users match now, not 27.' }).waitFor()
    await inDialog(page, 'Ban 28 users')
    await noticeOf(page, '28 users were banned.')
  })

  it('ends sessions and sends mails for those who are selected', async () => {
    for (let at = 0; at < 2; at++) await addUser(site, `mailed${at}@example.com`)
    const page = await site.openAsAdmin('/#/users', { width: 390, height: 844 })
    await page.getByRole('searchbox').fill('mailed')
    await page.getByText('2 users found').waitFor()
    await page.getByRole('checkbox', { name: 'Select everybody on this page' }).check()
    await press(page, 'More actions')
    await expectAccessible(page)
    await page.getByRole('menuitem', { name: 'Send a password reset' }).click()
    await inDialog(page, 'Send a password reset to 2 users')
    await noticeOf(page, '2 users were sent a password reset.')
    expect(await site.lastMessage('mailed1@example.com')).toContain('/reset-password')
  })
})

describe('a job that the server takes long to accept', () => {
  /** Password resets for two users, whose request hangs until it is let go. */
  async function sendResets(page: Page, search: string): Promise<() => void> {
    for (let at = 0; at < 2; at++) await addUser(site, `${search}${at}@example.com`)
    await page.getByRole('searchbox').fill(search)
    await page.getByText('2 users found').waitFor()
    await page.getByRole('checkbox', { name: 'Select everybody on this page' }).check()
    await press(page, 'More actions')
    await page.getByRole('menuitem', { name: 'Send a password reset' }).click()
    const letGo = await hold(page, 'POST')
    await inDialog(page, 'Send a password reset to 2 users')
    return letGo
  }
  const dialog = (page: Page) => page.getByRole('dialog')

  /** After some seconds the dialog can be closed, and not before. */
  async function close(page: Page): Promise<void> {
    await dialog(page).getByRole('progressbar').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog(page).getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
    await soon(page, dialog(page).getByText('This takes longer than usual.').waitFor())
    await inDialog(page, 'Close')
    await dialog(page).waitFor({ state: 'hidden' })
  }

  it('cannot be called off; its dialog can be closed, and what became of it is said', async () => {
    const page = await site.openAsAdmin('/#/users')
    await page.clock.install()
    const letGo = await sendResets(page, 'slow')
    await close(page)
    await letGo()
    await noticeOf(page, '2 users were sent a password reset.')
  })

  itLong('also that it failed', async () => {
    const page = await site.openAsAdmin('/#/users')
    await page.clock.install()
    const letGo = await sendResets(page, 'failed')
    await close(page)
    await page.route('**/api/jobs/*', async (route) => {
      const { data } = await (await route.fetch()).json()
      await route.fulfill({ json: { data: { ...data, status: 'failed', message: 'The disk is full.' } } })
    })
    await letGo()
    await noticeOf(page, 'Send a password reset to 2 users: The disk is full.')
  })

  itLong('is left only after a question, and what became of it is said', async () => {
    const page = await site.openAsAdmin('/#/users')
    const letGo = await sendResets(page, 'left')
    const leave = () => follow(page, 'Roles')
    expect(await questionAt(page, leave)).toBe('The server has not answered yet. Leave without waiting?')
    page.once('dialog', (question) => question.accept())
    await leave()
    await page.waitForURL(`${site.url}/#/roles`)
    await letGo()
    await noticeOf(page, '2 users were sent a password reset.')
  })
})

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf } from '../server/src/testing/long-form.ts'
import { expectAccessible, openSite, type Site } from './testing/site.ts'
import { soon } from './testing/time.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

/** What the console needs before it draws anything. */
const isNeededToStart = (path: string) => /^\/api\/(me|me\/permissions|meta)$/.test(path)

/** The server goes away for everything but the start of the console. */
const goAway = (page: Page) =>
  page.route(
    ({ pathname }) => pathname === '/readyz' || (pathname.startsWith('/api/') && !isNeededToStart(pathname)),
    (route) => route.abort(),
  )

const failure = (page: Page) => page.getByText(/could not be loaded|cannot be shown now/)
const retry = (page: Page) => page.getByRole('button', { name: 'Try again' })

/** What would be a lie, or never end. */
const lies = [
  /No .* found/,
  'Nothing has been sent yet',
  'Nothing has happened yet',
  'Nobody has registered yet',
  'There is no API key yet',
  'No announcements yet',
  'No user matches',
  'is not signed in anywhere',
  'permissions that you lack',
]

/** Each page, and something that is there once it is loaded. */
const pages: Record<string, string | RegExp> = {
  '/#/': 'Latest registrations',
  '/#/users': 'admin@example.com',
  '/#/users/1': 'Danger zone',
  '/#/users/1/sessions': /Active just now/,
  '/#/users/1/activity': /created/,
  '/#/roles': 'Administrator',
  '/#/roles/2': 'Danger zone|Permissions',
  '/#/permissions': 'users.manage',
  '/#/api-keys': 'Everything its owner may',
  '/#/deliveries': 'admin@example.com',
  '/#/activity': /created/,
  '/#/settings': 'Password reset',
  '/#/announcements': 'There all the time',
  '/#/announcements/1/show': 'There all the time',
}

beforeAll(async () => {
  await site.api.POST('/announcements', { body: { title: 'There all the time', body: 'Text' } })
  await site.api.POST('/password/remind', { body: { email: site.admin.email } })
})

describe('while the server is away, a page says so, and it recovers by itself', () => {
  it.each(firstOf(Object.entries(pages), 3))('%s', async (path, content) => {
    const page = await site.open('/login', { as: site.admin })
    await page.clock.install()
    await goAway(page)
    await page.goto(site.url + path)
    await soon(page, failure(page).first().waitFor())
    await retry(page).first().waitFor()
    await page.getByText('The server cannot be reached. What you see may be out of date').waitFor()
    for (const lie of lies) await expect.poll(() => page.getByText(lie).count()).toBe(0)
    await expect.poll(() => page.getByText('Loading', { exact: true }).count()).toBe(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await soon(
      page,
      page
        .getByText(typeof content === 'string' ? new RegExp(content) : content)
        .first()
        .waitFor(),
    )
    await failure(page).first().waitFor({ state: 'hidden' })
    await page.getByText('The server cannot be reached').waitFor({ state: 'hidden' })
  })
})

describe('what was shown', () => {
  it('stays while the server is away, and is loaded again when it is back', async () => {
    const { data } = await site.api.POST('/roles', { body: { name: 'Kept', display_name: 'Kept in view' } })
    const page = await site.open('/#/roles', { as: site.admin })
    await page.getByRole('cell', { name: 'Kept in view' }).waitFor()
    await goAway(page)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await failure(page).waitFor()
    await page.getByRole('cell', { name: 'Kept in view' }).waitFor()
    await expectAccessible(page)
    const params = { path: { id: data?.data.id as number } }
    await site.api.PATCH('/roles/{id}', { params, body: { display_name: 'Changed meanwhile' } })
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.getByRole('cell', { name: 'Changed meanwhile' }).waitFor()
    await failure(page).waitFor({ state: 'hidden' })
  })

  it('and what was typed stay, in a form whose page is loaded again', async () => {
    const page = await site.open('/#/settings', { as: site.admin })
    const field = page.getByRole('spinbutton').first()
    await field.fill('11')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor()
    await expect.poll(() => field.inputValue()).toBe('11')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('alert').filter({ hasText: /saved/i }).waitFor()
  })

  it('is loaded by “Try again” without waiting', async () => {
    const page = await site.open('/login', { as: site.admin, refused: [500] })
    await page.route('**/api/users?*', (route) =>
      route.fulfill({ status: 500, json: { message: 'Broken.', code: 'internal_error' } }),
    )
    await page.goto(`${site.url}/#/users`)
    await page.getByText('The list could not be loaded. Broken.').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await retry(page).click()
    await page.getByRole('row').filter({ hasText: site.admin.email }).waitFor()
  })
})

describe('a page on which nothing is asked for', () => {
  it('says that the server is away, as there is no stream of live updates', async () => {
    const page = await site.open('/login', { as: site.admin })
    await page.route(
      ({ pathname }) => pathname === '/readyz' || pathname === '/api/me/stream',
      (route) => route.abort(),
    )
    await page.goto(`${site.url}/#/activity`)
    await page
      .getByText(/created/)
      .first()
      .waitFor()
    await page.getByText('The server cannot be reached.').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.getByText('The server cannot be reached.').waitFor({ state: 'hidden' })
  })
})

describe('a list that could not be loaded', () => {
  it('claims no number of pages', async () => {
    const page = await site.open('/login', { as: site.admin })
    await goAway(page)
    await page.goto(`${site.url}/#/roles`)
    await failure(page).waitFor()
    await expect.poll(() => page.getByText(/of -1/).count()).toBe(0)
    await expect.poll(() => page.getByText('Rows per page').count()).toBe(0)
  })
})

describe('a request that is under way already', () => {
  it('is not sent twice: its answer is waited for', async () => {
    const page = await site.open('/login', { refused: [409] })
    const body = { code: 'idempotency_in_progress', message: 'The first request … is still running.' }
    let isBusy = true
    await page.route('**/api/password/remind', (route) => {
      if (!isBusy) return route.continue()
      isBusy = false
      return route.fulfill({ status: 409, json: body })
    })
    await page.goto(`${site.url}/forgot-password`)
    await page.getByLabel('Email').fill(site.admin.email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
  })
})

describe('a page that could not even start', () => {
  it.each([
    ['/#/roles', 'The console cannot start', 'Administrator'],
    ['/login', 'Please try again', 'Sign in'],
  ])('%s starts by itself once the server is back', async (path, failed, started) => {
    const page = await site.open('/check-mail', { as: site.admin })
    await page.clock.install()
    await page.route('**/api/meta', (route) => route.abort())
    if (path === '/login') await page.context().clearCookies()
    await page.goto(site.url + path)
    await page.getByRole('heading', { name: failed }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await soon(page, page.getByText(started).first().waitFor())
  })
})

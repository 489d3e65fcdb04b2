import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf, itLong } from '../server/src/testing/long-form.ts'
import { expectAccessible, openSite, type Site } from './testing/site.ts'

let site: Site
let ada: Awaited<ReturnType<Site['createUser']>>
beforeAll(async () => {
  site = await openSite()
  ada = await site.createUser([], { first_name: 'Ada', last_name: 'Lovelace' })
  await site.createUser([], { first_name: '🦊', last_name: 'Fuchs' })
})
afterAll(() => site.close())

const asAdmin = (path: string, options: Parameters<Site['open']>[1] = {}) =>
  site.open(path, { as: site.admin, ...options })
const rowOf = (page: Page, name: string | RegExp) => page.getByRole('row').filter({ hasText: name })

describe('the list of users', () => {
  it('shows the newest first, says so, and how many there are', async () => {
    const asked: string[] = []
    const page = await asAdmin('/login')
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${site.url}/#/users`)
    await page.getByText('3 users', { exact: true }).waitFor()
    expect(asked.find((url) => url.includes('/api/users?'))).toContain('sort=-created_at')
    await page.getByRole('combobox', { name: 'Sort' }).filter({ hasText: 'Newest first' }).waitFor()
    await page.getByRole('searchbox').fill('lovelace')
    await page.getByText('1 user found', { exact: true }).waitFor()
  })

  it('shows initials in place of a picture that nobody chose', async () => {
    const page = await asAdmin('/#/users')
    await rowOf(page, 'Ada Lovelace').getByText('AL', { exact: true }).waitFor()
    await rowOf(page, 'Fuchs').getByText('🦊F', { exact: true }).waitFor()
    await expect.poll(() => page.locator('img[src$="default.svg"]').count()).toBe(0)
    await expectAccessible(page)
  })
})

describe('the page of a user', () => {
  it('has a menu of what can be done, beside the name', async () => {
    const page = await asAdmin(`/#/users/${ada.id}`)
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Actions' }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Actions' }).click()
    await expect
      .poll(() => page.getByRole('menuitem').allTextContents())
      .toEqual([...['Send a password reset', 'End all sessions', 'Ban', 'Delete']])
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await choose('Send a password reset')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await page.getByText(`A link was sent to ${ada.email}.`).waitFor()
    expect(await site.lastMessage(ada.email)).toContain('/reset-password#token=')
    await choose('Ban')
    await dialog.getByRole('button', { name: 'Ban' }).click()
    await page.getByText('Banned', { exact: true }).waitFor()
    await choose('Unban')
    await dialog.getByRole('button', { name: 'Unban' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
  })

  it('shows the API keys that act as them', async () => {
    const page = await asAdmin('/#/users/1/api-keys')
    await page.getByRole('link', { name: 'First key' }).waitFor()
    await expectAccessible(page)
    await page.goto(`${site.url}/#/users/${ada.id}/api-keys`)
    await page.getByText('Ada Lovelace has no API key.').waitFor()
  })
})

it('a new API key starts with nothing ticked', async () => {
  const page = await asAdmin('/#/api-keys/create')
  await page.getByRole('radio', { name: 'Only these' }).waitFor()
  await expect.poll(() => page.getByRole('radio', { name: 'Only these' }).isChecked()).toBe(true)
  await expect.poll(() => page.getByRole('checkbox', { checked: true }).count()).toBe(0)
  await page.getByRole('textbox', { name: 'Name' }).fill('Nothing')
  await page.getByRole('button', { name: 'Issue the key' }).click()
  await page.getByRole('heading', { name: 'The key “Nothing” was issued' }).waitFor()
  const { data } = await site.api.GET('/api-keys', { params: { query: { sort: '-id', per_page: 1 } } })
  expect(data?.data[0]?.permissions).toEqual([])
})

describe('activity', () => {
  it('names people, roles and settings, and is filtered by name and in words', async () => {
    const role = await site.api.POST('/roles', { body: { name: 'Helpers', display_name: 'Helping hands' } })
    const user = await site.createUser([], { first_name: 'Grace' })
    const params = { path: { id: user.id } }
    await site.api.PATCH('/users/{id}', { params, body: { role_id: role.data?.data.id as number } })
    await site.api.PATCH('/settings', { body: { 'session.max_per_user': 40 } as never })
    await site.api.POST('/password/remind', { body: { email: user.email } })
    const page = await asAdmin('/#/activity')
    await rowOf(page, 'Somebody asked for a password reset for Grace').waitFor()
    await rowOf(page, 'created the role Helping hands').waitFor()
    await rowOf(page, /changed the role of Grace from Role of person\d+ to Helping hands/).waitFor()
    await rowOf(page, 'changed settings: Sessions that one user can have').waitFor()

    await page.getByRole('combobox', { name: 'Event' }).fill('role changed')
    await page.getByRole('option', { name: 'User: role changed' }).click()
    await page.getByText('1-1 of 1').waitFor()
    await page.getByRole('combobox', { name: 'Done by' }).fill('grace')
    await page.getByRole('option', { name: 'Grace' }).click()
    await page
      .getByText('No Activity found')
      .or(page.getByText(/No .*results/i))
      .first()
      .waitFor()
  })
})

it('names deleted users by their number, and asks for all names at once', async () => {
  const users = [await site.createUser(), await site.createUser()]
  for (const { id } of users) await site.api.DELETE('/users/{id}', { params: { path: { id } } })
  const asked: string[] = []
  const page = await asAdmin('/login')
  page.on('request', (request) => asked.push(decodeURIComponent(request.url())))
  await page.goto(`${site.url}/#/activity`)
  await rowOf(page, `deleted user ${users[1]?.id}`).waitFor()
  await rowOf(page, `created user ${users[0]?.id}`).waitFor()
  for (const resource of ['users', 'api-keys']) {
    const forNames = asked.filter((url) => url.includes(`/api/${resource}?`) && url.includes('filter[id]='))
    expect(forNames, resource).toHaveLength(1)
  }
  expect(asked.filter((url) => /\/api\/users\/\d/.test(url))).toEqual([])
})

itLong('tells what was done to many at once in one line', async () => {
  const users = []
  for (const first_name of ['One', 'Two', 'Three']) users.push(await site.createUser([], { first_name }))
  for (const { id } of users) {
    await site.api.PATCH('/users/{id}', { params: { path: { id } }, body: { status: 'Banned' } })
  }
  const page = await asAdmin('/#/activity')
  const row = rowOf(page, 'banned 3 users')
  await row.getByRole('button', { name: 'Show the details' }).click()
  await page.getByRole('listitem').filter({ hasText: 'banned Two' }).waitFor()
  await expect.poll(() => rowOf(page, 'banned One').getByRole('button').count()).toBe(0)
  await expectAccessible(page)
})

it('settings speak of what they do, under four headings', async () => {
  const page = await asAdmin('/#/settings')
  await page.getByText('Off: the registration page is closed, and only administrators create accounts.').waitFor()
  const headings = await page.locator('main h2').allTextContents()
  expect(headings.slice(0, 4)).toEqual(['Registration', 'Passwords', 'Signing in', 'Records'])
  await expect.poll(() => page.locator('main').innerText()).not.toMatch(/answers 404|code points|e-mail/)
})

it('the chart has numbers at its axis', async () => {
  const page = await asAdmin('/#/')
  const chart = page.getByRole('region', { name: 'Sign-ups' })
  await chart.getByText('0', { exact: true }).first().waitFor()
  const numbers = (await chart.locator('[aria-hidden] span').allTextContents()).map(Number)
  const [top = 0] = numbers
  expect(top).toBeGreaterThan(0)
  expect(numbers).toEqual([top, top / 2, 0])
})

it.each(
  firstOf([
    ['ger', 'Germany'],
    ['curacao', 'Curaçao'],
    ['kingdom', 'United Kingdom'],
  ]),
)('the picker of countries answers “%s” with %s first', async (typed, name) => {
  const page = await asAdmin('/#/users')
  await page.getByRole('combobox', { name: 'Country' }).fill(typed)
  const first = page.getByRole('option').first()
  await first.waitFor()
  expect((await first.textContent())?.normalize('NFC').replaceAll("'", '’')).toContain(name)
})

it('on a phone, users are sorted and selected, and much is done at once', async () => {
  const emails = ['phone1@example.com', 'phone2@example.com']
  const users = [await site.createUser([], { email: emails[0] }), await site.createUser([], { email: emails[1] })]
  const page = await asAdmin('/#/users', { width: 360, height: 740 })
  await page.getByRole('combobox', { name: 'Sort' }).click()
  await page.getByRole('option', { name: 'Email, Z to A' }).click()
  await expect.poll(() => page.url()).toContain('sort=email')
  await page.getByRole('searchbox').fill('phone')
  await page.getByText('2 users found').waitFor()
  const shown = async () => (await page.locator('main li').allInnerTexts()).map((text) => /phone\d/.exec(text)?.[0])
  await expect.poll(shown).toEqual(['phone2', 'phone1'])
  await page.getByRole('checkbox', { name: 'Select everybody on this page' }).check()
  const bar = page.getByRole('toolbar', { name: 'Selected users' })
  await bar.getByText('2 selected').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  for (const name of ['Ban', 'Unban', 'Change role', 'Delete']) {
    const box = await bar.getByRole('button', { name, exact: true }).boundingBox()
    expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
  }
  await page
    .getByRole('checkbox', { name: /^Select person/ })
    .first()
    .uncheck()
  await bar.getByText('1 selected').waitFor()
  await page
    .getByRole('checkbox', { name: /^Select person/ })
    .first()
    .check()
  await bar.getByRole('button', { name: 'Ban', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Ban 2 users' }).click()
  await page.getByText('2 users were banned.').waitFor()
  for (const { id } of users) {
    const { data } = await site.api.GET('/users/{id}', { params: { path: { id } } })
    expect(data?.data.status).toBe('Banned')
  }
})

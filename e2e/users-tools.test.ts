import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itLong } from '../server/src/testing/long-form.ts'
import { expectAccessible, openSite, type Site } from './testing/site.ts'
import { addUser, getUser, inDialog, noticeOf, press, rowOf } from './testing/steps.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
  await addUser(site, 'ada@example.com', { first_name: 'Ada' })
  await addUser(site, 'grace@example.com', { first_name: 'Grace' })
  const banned = await addUser(site, 'banned@example.com')
  await site.api.PATCH('/users/{id}', { params: { path: { id: banned } }, body: { status: 'Banned' } })
})
afterAll(() => site.close())

const dialog = (page: Page) => page.getByRole('dialog')

/** Replaces all preferences of whoever is signed in; the status of the answer. */
const store = (page: Page, preferences: object): Promise<number> =>
  page.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/api/me/preferences', { method: 'PUT', headers, body })).status
  }, JSON.stringify(preferences))

describe('saved views of the list', () => {
  const chooseView = async (page: Page, name: string | RegExp) => {
    await page.getByRole('button', { name: /^Views/ }).click()
    await page.getByRole('menu').getByText(name).click()
  }

  it('are saved with filters, sort and columns, applied, renamed and deleted, and survive a sign-out', async () => {
    const as = await site.createUser(['users.manage'])
    const page = await site.open('/#/users', { as, refused: [401] })
    expect(await store(page, { theme: 'dark' })).toBe(200)
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Banned' }).click()
    await page.getByText('1 user found', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Sort' }).click()
    await page.getByRole('option', { name: 'Email, A to Z' }).click()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Phone' }).click()
    await page.keyboard.press('Escape')
    await chooseView(page, 'Save this view…')
    await dialog(page).getByLabel('Name of the view').fill('Troublemakers')
    await expectAccessible(page)
    await inDialog(page, 'Save')
    await noticeOf(page, 'The view “Troublemakers” was saved.')
    await page.getByRole('button', { name: 'Views: Troublemakers' }).waitFor()

    await page.getByRole('button', { name: /^Your account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()

    const later = await site.open('/#/users', { as, width: 360, height: 740 })
    await chooseView(later, 'Troublemakers')
    await later.getByText('1 user found', { exact: true }).waitFor()
    await later.getByRole('combobox', { name: 'Sort' }).filter({ hasText: 'Email, A to Z' }).waitFor()
    expect(new URLSearchParams(later.url().split('?')[1]).get('columns')).toContain('phone')
    await later.getByRole('button', { name: 'Views: Troublemakers' }).click()
    await expectAccessible(later)
    await later.getByRole('menuitem', { name: 'Rename or delete views…' }).click()
    await later.getByRole('textbox', { name: 'Name of Troublemakers' }).fill('Out')
    await press(later, 'Rename Troublemakers')
    await later.getByRole('textbox', { name: 'Name of Out' }).and(later.locator(':focus')).waitFor()
    await expectAccessible(later)
    const kept = () => later.evaluate(async () => (await (await fetch('/api/me/preferences')).json()).data)
    expect(await kept()).toMatchObject({
      theme: 'dark',
      user_views: [{ name: 'Out', filter: { status: 'Banned' }, sort: 'email', order: 'ASC' }],
    })
    const two = ['Out', 'Over'].map((name) => ({ name, filter: {} }))
    expect(await store(later, { theme: 'dark', user_views: two })).toBe(200)
    await later.reload()
    await chooseView(later, 'Rename or delete views…')
    await press(later, 'Delete Out')
    await later.getByRole('button', { name: 'Delete Over' }).and(later.locator(':focus')).waitFor()
    await later.keyboard.press('Enter')
    await later.getByText('There are no views any more.').waitFor()
    await dialog(later).getByRole('button', { name: 'Done' }).and(later.locator(':focus')).waitFor()
    expect(await kept()).toEqual({ theme: 'dark', user_views: [] })
  })

  it('say when they could not be saved, and a value that is no view breaks nothing', async () => {
    const as = await site.createUser(['users.manage'])
    const page = await site.open('/#/roles', { as, refused: [413, 422] })
    const room = 'x'.repeat(16_200)
    expect(await store(page, { user_views: [7, { name: 1 }, { name: 'Odd', filter: {}, columns: 'all' }], room })).toBe(
      200,
    )
    await page.goto(`${site.url}/#/users`)
    await page.getByRole('button', { name: /^Views/ }).click()
    await expect.poll(() => page.getByRole('menuitemradio').allTextContents()).toEqual(['Odd'])
    await page.getByRole('menuitem', { name: 'Save this view…' }).click()
    await dialog(page).getByLabel('Name of the view').fill('y'.repeat(60))
    await inDialog(page, 'Save')
    await dialog(page).getByText('There is no room for more. Delete something first.').waitFor()
  })
})

it('the list is filtered by dates, and by who never signed in', async () => {
  const page = await site.open('/#/users', { as: site.admin })
  await page.getByRole('button', { name: 'Dates' }).click()
  const dates = page.getByRole('dialog', { name: 'Dates' })
  await dates.getByRole('group', { name: 'Created' }).getByLabel('From').fill('9999-01-01')
  await page.getByText('0 users found').waitFor()
  await dates.getByRole('group', { name: 'Created' }).getByLabel('From').fill('2001-02-03')
  await page.getByText(/^[1-9]\d* users found$/).waitFor()
  await expectAccessible(page)
  const to = dates.getByRole('group', { name: 'Created' }).getByLabel('To')
  await to.fill('2001-02-03')
  for (const _ of ['day', 'month']) await to.press('ArrowRight')
  await page.keyboard.type('20261') // the API knows no year of five digits
  await expect.poll(() => to.inputValue()).toMatch(/^\d{4}-02-03$/)
  await to.fill('')
  await dates.getByRole('combobox', { name: 'Or' }).click()
  await page.getByRole('option', { name: 'Never' }).click()
  await expect.poll(() => page.url()).toContain('never')
  const from = dates.getByRole('group', { name: 'Last sign-in' }).getByLabel('From')
  await expect.poll(() => from.isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await rowOf(page, site.admin.email).waitFor({ state: 'detached' })
  await rowOf(page, 'ada@example.com').waitFor()
  await page.getByRole('button', { name: 'Dates and imports, 2 in force' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await rowOf(page, site.admin.email).waitFor()
})

describe('an undo', () => {
  const undo = (page: Page, name = 'Undo') => page.getByRole('alert').getByRole('button', { name }).click()

  it('takes a ban back; the reason of the ban stands in the activity', async () => {
    const id = await addUser(site, 'hasty@example.com')
    const page = await site.open(`/#/users/${id}`, { as: site.admin })
    await press(page, 'Ban')
    await dialog(page).getByLabel('Reason (optional)').fill('Sent spam')
    await expectAccessible(page)
    await inDialog(page, 'Ban')
    await noticeOf(page, 'hasty@example.com was banned.')
    await expectAccessible(page)
    expect((await getUser(site, id))?.status).toBe('Banned')
    await undo(page)
    await noticeOf(page, 'hasty@example.com is Active again. Revoked API keys stay revoked.')
    await page.getByText('Active', { exact: true }).waitFor()
    expect((await getUser(site, id))?.status).toBe('Active')
    await page.getByRole('tab', { name: 'Activity' }).click()
    await page.getByText('banned hasty@example.com: “Sent spam”').waitFor()
  })

  itLong('takes another role back', async () => {
    const id = await addUser(site, 'promoted@example.com')
    const page = await site.open(`/#/users/${id}`, { as: site.admin })
    await page.getByRole('combobox', { name: 'Role' }).fill('admin')
    await page.getByRole('option', { name: 'Administrator' }).click()
    await press(page, 'Save changes')
    await noticeOf(page, 'The role is now Administrator.')
    expect((await getUser(site, id))?.role_id).toBe(1)
    await undo(page, 'Undo role')
    await noticeOf(page, 'promoted@example.com has the role User again.')
    expect((await getUser(site, id))?.role_id).toBe(2)
    await expect.poll(() => page.getByRole('combobox', { name: 'Role' }).inputValue()).toBe('User')
  })

  it('says when it could not, and leaves what somebody else did since', async () => {
    const id = await addUser(site, 'contested@example.com')
    const page = await site.open(`/#/users/${id}`, { as: site.admin })
    await press(page, 'Ban')
    await inDialog(page, 'Ban')
    await noticeOf(page, 'contested@example.com was banned.')
    await site.api.PATCH('/users/{id}', { params: { path: { id } }, body: { status: 'Unconfirmed' } })
    await undo(page)
    await noticeOf(page, 'This could not be undone. contested@example.com was changed again meanwhile.')
    expect((await getUser(site, id))?.status).toBe('Unconfirmed')
  })

  itLong('takes a change of many back', async () => {
    const ids = [await addUser(site, 'many1@example.com'), await addUser(site, 'many2@example.com')]
    const [, second = 0] = ids
    await site.api.PATCH('/users/{id}', { params: { path: { id: second } }, body: { status: 'Unconfirmed' } })
    const page = await site.open('/#/users', { as: site.admin })
    await page.getByRole('searchbox').fill('many')
    await page.getByText('2 users found').waitFor()
    await page.getByRole('checkbox', { name: 'Select everybody on this page' }).check()
    await press(page, 'Ban')
    await dialog(page).getByLabel('Reason (optional)').fill('A wave of spam')
    await press(page, 'Ban 2 users')
    await noticeOf(page, '2 users were banned.')
    await undo(page)
    await noticeOf(page, '2 users are as before.')
    const statuses = (await Promise.all(ids.map((id) => getUser(site, id)))).map((user) => user?.status)
    expect(statuses).toEqual(['Active', 'Unconfirmed'])
  })
})

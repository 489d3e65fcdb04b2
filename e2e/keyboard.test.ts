import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf } from '../server/src/testing/long-form.ts'
import { expectAccessible, openSite, type Site } from './testing/site.ts'

let site: Site
let ada: Awaited<ReturnType<Site['createUser']>>
beforeAll(async () => {
  site = await openSite()
  ada = await site.createUser([], { first_name: 'Ada', last_name: 'Lovelace', email: 'countess@example.com' })
})
afterAll(() => site.close())

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' })
const options = (page: Page) => palette(page).getByRole('option')
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

describe('the command palette', () => {
  it.each(firstOf(['Control+k', 'Meta+k']))('opens by %s, and leads to pages', async (keys) => {
    const page = await site.open('/#/', { as: site.admin })
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.keyboard.press(keys)
    await palette(page).waitFor()
    await expectAccessible(page)
    await page.keyboard.type('deliv')
    await expect.poll(() => options(page).count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${site.url}/#/deliveries`)
    await palette(page).waitFor({ state: 'hidden' })
  })

  it.each(
    firstOf([
      ['lovel', 'by name'],
      ['countess@', 'by address'],
    ]),
  )('finds a user: %s, %s', async (typed) => {
    const page = await site.open('/#/roles', { as: site.admin })
    await page.getByRole('button', { name: 'Go anywhere' }).click()
    await page.keyboard.type(typed)
    await options(page).filter({ hasText: 'Ada Lovelace' }).waitFor()
    await page.keyboard.press('ArrowUp') // the last one
    await page.keyboard.press('Enter')
    await page.waitForURL(`${site.url}/#/users/${ada.id}`)
  })

  it('does not say that there is nothing before it knows', async () => {
    const page = await site.open('/#/roles', { as: site.admin })
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/api/users?*', async (route) => {
      await promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Go anywhere' }).click()
    await page.keyboard.type('lovelace')
    await palette(page).getByText('Searching…').waitFor()
    resolve()
    await options(page).filter({ hasText: 'Ada Lovelace' }).waitFor()
    await expect.poll(() => palette(page).getByText('Searching…').count()).toBe(0)
  })

  it('does not choose a user of the former search', async () => {
    const page = await site.open('/#/roles', { as: site.admin })
    await page.getByRole('button', { name: 'Go anywhere' }).click()
    await page.keyboard.type('lovel')
    await options(page).filter({ hasText: 'Ada Lovelace' }).waitFor()
    await page.keyboard.type('y')
    await page.keyboard.press('Enter')
    await palette(page).getByText('Nothing has this name.').waitFor()
  })

  it('does things: by mouse, too, and also from a field', async () => {
    const page = await site.open('/#/users/create', { as: site.admin })
    await page.getByRole('textbox', { name: 'Email' }).press('Control+k')
    await page.keyboard.type('dark')
    await options(page).first().click()
    await page.getByRole('button', { name: 'Switch to light colours' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('new role')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Create the role' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('nothing is called like this')
    await palette(page).getByText('Nothing has this name.').waitFor()
    await page.keyboard.press('Escape')
    await palette(page).waitFor({ state: 'hidden' })
  })

  it('offers nothing that one may not do', async () => {
    const page = await site.open('/', { as: await site.createUser() })
    await page.getByRole('heading', { name: 'My account' }).waitFor()
    await page.keyboard.press('Control+k')
    await options(page).first().waitFor()
    const shown = await options(page).allInnerTexts()
    expect(shown.filter((text) => /Users|Roles|New|Settings/.test(text))).toEqual([])
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.keyboard.type('ada')
    await palette(page).getByText('Nothing has this name.').waitFor()
    expect(asked.filter((url) => url.includes('/api/users'))).toEqual([])
  })
})

describe('keys', () => {
  it('go through a list with j, k and Enter', async () => {
    const page = await site.open('/#/roles', { as: site.admin })
    await page.getByRole('cell', { name: 'Administrator' }).waitFor()
    await page.keyboard.press('j')
    expect(await focused(page)).toBe('Administrator')
    await page.keyboard.press('j')
    expect(await focused(page)).toBe('User')
    await page.keyboard.press('k')
    expect(await focused(page)).toBe('Administrator')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${site.url}/#/roles/1`)
  })

  it('go through the users, whose search “/” reaches; in the search they are letters', async () => {
    const page = await site.open('/#/users', { as: site.admin })
    await page.getByText('countess@example.com').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('j?k/')
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('j?k/')
    await page.getByRole('searchbox').fill('lovelace')
    await page.getByText('1 user found').waitFor()
    await page.getByRole('searchbox').blur()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${site.url}/#/users/${ada.id}`)
  })

  it('reach what can be done with the selection, and undo it: “b” and “z”', async () => {
    const page = await site.open('/#/users', { as: site.admin })
    await page.getByRole('checkbox', { name: 'Select Ada Lovelace' }).press('Space')
    await page.keyboard.press('b')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Clear the selection')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Ban')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Ban' }).press('Enter')
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await page.keyboard.press('z')
    await page.getByRole('alert').filter({ hasText: '1 user is as before.' }).waitFor()
  })

  it('are listed by “?”', async () => {
    const page = await site.open('/#/', { as: site.admin })
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keys' })
    await help.getByText('Go anywhere, do anything, find a user').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'hidden' })
  })
})

it('the menu of the account is gone through with the arrow keys', async () => {
  const page = await site.open('/#/roles', { as: site.admin })
  await page.getByRole('button', { name: /^Your account/ }).press('Enter')
  await expect.poll(() => focused(page)).toBe('My account')
  await page.keyboard.press('ArrowDown')
  expect(await focused(page)).toBe('Sign out')
  await page.keyboard.press('Home')
  expect(await focused(page)).toBe('My account')
  await page.keyboard.press('End')
  expect(await focused(page)).toBe('Sign out')
})

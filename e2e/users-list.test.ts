import { readFile } from 'node:fs/promises'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf } from '../server/src/testing/long-form.ts'
import { picture } from './testing/passkeys.ts'
import { expectAccessible, openSite, type Site } from './testing/site.ts'
import { addUser, getUser, noticeOf, rowOf } from './testing/steps.ts'

let site: Site

beforeAll(async () => {
  site = await openSite()
  // First, so that she is on the first page by id, whatever order the others are made in.
  await addUser(site, 'ada@example.com', { username: 'ada', first_name: 'Ada', last_name: 'Lovelace', country_id: 826 })
  await Promise.all([
    addUser(site, 'grace@example.com', { first_name: 'Grace', last_name: 'Hopper', country_id: 840 }),
    addUser(site, 'formula@example.com', { first_name: '=1+1', last_name: 'O"Neil, Jr.', phone: '+49 30 1234567' }),
    ...Array.from({ length: 24 }, (_, index) => addUser(site, `crowd${index}@example.com`)),
  ])
})
afterAll(() => site.close())

/** Without the picture and the second factor. */
async function startExport(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog')
  for (const name of ['Picture', /country code/, /: phone/, /: state/])
    await dialog.getByRole('checkbox', { name }).uncheck()
  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
}

describe('the list of users', () => {
  it('searches as one types, filters, sorts and chooses columns, and keeps all of it in the address', async () => {
    const page = await site.openAsAdmin('/#/users', { refused: [422] })
    await page.getByText('1-25 of 28').waitFor()
    await page.getByRole('button', { name: 'Go to next page' }).click()
    await page.getByText('26-28 of 28').waitFor()

    const search = page.getByRole('searchbox', { name: 'Search by name, username or email' })
    await search.pressSequentially('LOVEL')
    await page.getByText('1-1 of 1').waitFor()
    expect(await search.evaluate((box) => box === document.activeElement)).toBe(true)
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    await search.fill('@example.com')
    await page.getByText('1-25 of 28').waitFor()

    await page.getByRole('combobox', { name: 'Country' }).fill('united k')
    await page.getByRole('option', { name: /United Kingdom/ }).click()
    await page.getByText('1-1 of 1').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('1-25 of 28').waitFor()

    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Country' }).waitFor()
    await expectAccessible(page, ['nested-interactive'])
    await page.getByRole('menuitemcheckbox', { name: 'Country' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Last sign-in' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Sort by email ascending' }).click()
    await page.getByRole('button', { name: 'Sort by email descending' }).click()
    await rowOf(page, 'grace@example.com').waitFor()

    await page.reload()
    await page.getByRole('columnheader', { name: 'Country' }).waitFor()
    await expect.poll(() => page.getByRole('columnheader', { name: 'Last sign-in' }).count()).toBe(0)
    await expect.poll(() => search.inputValue()).toBe('@example.com')
    const emails = await page.locator('tbody tr td:nth-child(3)').allTextContents()
    expect(emails).toEqual([...emails].sort().reverse())
    expect(emails.slice(0, 2)).toEqual(['grace@example.com', 'formula@example.com'])

    await rowOf(page, 'grace@example.com').getByText('Active').click()
    await page.getByRole('tab', { name: 'Profile' }).waitFor()
    await page.getByRole('link', { name: 'Users' }).last().click()
    await rowOf(page, 'grace@example.com').waitFor()
    await expect.poll(() => search.inputValue()).toBe('@example.com')

    await page.goto(`${site.url}/#/users?filter=${encodeURIComponent('{"created_from":"12026-01-01"}')}`)
    await noticeOf(page, 'created_from')
  })

  it('keeps the order that was chosen on a slow phone just before a search', async () => {
    const page = await site.openAsAdmin('/#/users', { width: 390, slowness: 4 })
    await page.getByRole('combobox', { name: 'Sort' }).click()
    await page.getByRole('option', { name: 'Email, Z to A' }).click()
    await expect.poll(() => page.url()).toContain('sort=email')
    await page.getByRole('searchbox').fill('crowd')
    await page.getByText('24 users found').waitFor()
    expect(page.url()).toContain('sort=email')
  })

  it('has room for its filters on the narrowest screen that is no phone', async () => {
    const page = await site.openAsAdmin('/#/users', { width: 601 })
    const last = await page.getByRole('button', { name: 'Dates and imports' }).boundingBox()
    expect((last?.x ?? 601) + (last?.width ?? 0)).toBeLessThan(601)
  })

  it.each(firstOf([390, 768, 1280, 1366]))(
    'moves nothing when it offers to clear a filter, at %i pixels',
    async (width) => {
      const page = await site.openAsAdmin('/#/users', { width })
      if (width < 600) await page.getByRole('button', { name: 'Filters' }).click()
      const places = () =>
        page.evaluate(
          () =>
            [...document.querySelectorAll('[role=search] input, [role=search] [role=combobox], [aria-label=Sort]')]
              .map((one) => one.getBoundingClientRect())
              .map(({ x, y, width, height }) => [x, y + scrollY, width, height]), // a click may scroll
        )
      const status = page.getByRole('combobox', { name: 'Status' })
      await status.click({ trial: true }) // once it stands still
      const before = await places()
      expect(before.length).toBeGreaterThan(5)
      await status.click()
      await page.getByRole('option', { name: 'Active' }).click()
      const clear = page.getByRole('button', { name: 'Clear filters' })
      await clear.waitFor()
      expect(await places()).toEqual(before)
      await clear.click()
      await clear.waitFor({ state: 'hidden' })
      expect(await places()).toEqual(before)
    },
  )

  it('bans, unbans, gives a role and deletes many at once, and tells for whom it could not', async () => {
    const ids = [await addUser(site, 'bulk1@example.com'), await addUser(site, 'bulk2@example.com')]
    const page = await site.openAsAdmin('/#/users', { refused: [403] })
    const select = async (...emails: string[]) => {
      for (const email of emails) {
        await page.getByRole('searchbox').fill(email)
        await rowOf(page, email).getByRole('checkbox').check()
      }
    }
    await select(site.admin.email, 'bulk1@example.com', 'bulk2@example.com')
    await page.getByText('3 selected, 2 not on this page').waitFor()
    await page.getByRole('button', { name: 'Ban', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Ban 3 users?').waitFor()
    await dialog.getByText('Not on this page: admin, bulk1@example.com.').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Ban 3 users' }).click()
    await dialog.getByText('1 user could not be banned').waitFor()
    await dialog.getByText('admin: You cannot delete or ban yourself.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    expect((await Promise.all(ids.map((id) => getUser(site, id)))).map((user) => user?.status)).toEqual([
      'Banned',
      'Banned',
    ])

    await page.getByRole('button', { name: 'Clear the selection' }).click()
    await select('bulk1@example.com', 'bulk2@example.com')
    await page.getByRole('button', { name: 'Unban' }).click()
    await dialog.getByRole('button', { name: 'Unban 2 users' }).click()
    await noticeOf(page, '2 users were unbanned.')

    await select('bulk1@example.com', 'bulk2@example.com')
    await page.getByRole('button', { name: 'Change role' }).click()
    await dialog.getByRole('combobox', { name: 'New role' }).fill('admin')
    await page.getByRole('option', { name: 'Administrator' }).click()
    await dialog.getByRole('button', { name: 'Change the role of 2 users' }).click()
    await noticeOf(page, '2 users were given another role.')

    await select('bulk1@example.com', 'bulk2@example.com')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByRole('button', { name: 'Delete 2 users' }).click()
    await noticeOf(page, '2 users were deleted.')
    expect(await Promise.all(ids.map((id) => getUser(site, id)))).toEqual([undefined, undefined])
  })

  it.each(firstOf([320, 390, 768, 1280]))(
    'leaves the way to the next page free once somebody is selected, at %i pixels',
    async (width) => {
      const page = await site.openAsAdmin('/#/users', { width })
      await page.getByRole('checkbox', { name: 'Select everybody on this page' }).check()
      const bar = page.getByRole('toolbar', { name: 'Selected users' })
      await bar.waitFor()
      const next = page.getByRole('button', { name: 'Go to next page' })
      const gap = async () => {
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
        const [above, below] = await Promise.all([next.boundingBox(), bar.boundingBox()])
        return (below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0)
      }
      await expect.poll(gap).toBeGreaterThanOrEqual(0)
      await next.click()
      await bar.getByText('25 selected, 25 not on this page').waitFor()
    },
  )

  it('offers nothing for all who match while the rows of the previous filter are shown', async () => {
    const page = await site.openAsAdmin('/#/users')
    await page.getByText('28 users', { exact: true }).waitFor()
    await page.getByRole('checkbox', { name: 'Select everybody on this page' }).check()
    const bar = page.getByRole('toolbar', { name: 'Selected users' })
    await bar.getByRole('button', { name: 'Select all 28 that match' }).click()
    await bar.getByText('28 selected').waitFor()
    const asked = Promise.withResolvers<Route>()
    await page.route(/api\/users\?.*grace/, asked.resolve)
    await page.getByRole('searchbox').fill('grace')
    const route = await asked.promise
    await bar.getByText('25 selected').waitFor()
    expect(await bar.getByRole('button', { name: /that match|Only those/ }).count()).toBe(0)
    await route.continue()
    await page.getByText('1 user found').waitFor()
  })

  it('names the first of those who are selected on other pages, before anything is done to them', async () => {
    const page = await site.openAsAdmin('/#/users?sort=id&order=ASC')
    await page.getByRole('checkbox', { name: 'Select everybody on this page' }).check()
    await page.getByRole('button', { name: 'Go to next page' }).click()
    await page.getByText('25 selected, 25 not on this page').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Send a password reset' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^Not on this page: admin, Ada Lovelace, .*, .*, .* and 20 more\.$/).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Go to previous page' }).click()
    await page.getByText('25 selected', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Ban', exact: true }).click()
    await dialog.getByText('Ban 25 users?').waitFor()
    expect(await dialog.getByText('Not on this page').count()).toBe(0)
  })

  it('exports the whole filtered list as CSV that no spreadsheet runs', async () => {
    const page = await site.openAsAdmin('/#/users')
    await page.getByRole('searchbox').fill('formula@')
    await page.getByText('1-1 of 1').waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), startExport(page)])
    await noticeOf(page, '1 user was exported.')
    expect(download.suggestedFilename()).toMatch(/^users-\d{4}-\d\d-\d\d\.csv$/)
    const [head, row, end] = (await readFile(await download.path(), 'utf8')).split('\r\n')
    expect(head).toBe(
      '\uFEFFid,email,first_name,last_name,username,phone,address,country_id,birthday,role_id,status,last_login,created_at,updated_at',
    )
    expect(row).toMatch(/^\d+,formula@example\.com,'=1\+1,"O""Neil, Jr\.",,'\+49 30 1234567,,,,2,Active,,\d{4}-/)
    expect(end).toBe('')
  })

  it('stops an export when it is cancelled', async () => {
    const page = await site.openAsAdmin('/#/users')
    await page.getByText('1-25 of').waitFor()
    await page.route('**/api/users/export?*', () => {}) // an answer that never comes
    await startExport(page)
    await page.getByRole('progressbar', { name: 'Exporting users' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  it.each(firstOf([320, 360]))('cuts nothing at %i px', async (width) => {
    const page = await site.openAsAdmin('/#/users?sort=id&order=ASC', { width, height: 700 })
    await page.getByRole('checkbox', { name: 'Select everybody on this page' }).check()
    expect((await page.getByRole('searchbox').boundingBox())?.width).toBeGreaterThan(120)
    const bar = page.getByRole('toolbar', { name: 'Selected users' })
    const cut = await bar.getByRole('button').evaluateAll((buttons) =>
      buttons
        .filter((button) => {
          const words = document.createRange()
          words.selectNodeContents(button)
          const inside = words.getBoundingClientRect()
          const { left, right } = button.getBoundingClientRect()
          return left < 0 || right > innerWidth || inside.left < left || inside.right > right
        })
        .map((button) => button.textContent || button.getAttribute('aria-label')),
    )
    expect(cut).toEqual([])
    await picture(page, `users-${width}`)
  })

  it.each([
    ['dark', 1280],
    ['light', 360],
  ] as const)('is accessible in %s at %i px', async (scheme, width) => {
    const page = await site.openAsAdmin('/#/users?sort=id&order=ASC', { scheme, width })
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    await expectAccessible(page)
    if (width > 600) return
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('combobox', { name: 'Role' }).fill('administrator')
    await page.getByRole('option', { name: 'Administrator' }).click()
    await page.getByText('1-1 of 1').waitFor()
    await page.getByRole('link', { name: site.admin.email }).click()
    await page.getByRole('tab', { name: 'Profile' }).waitFor()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  })
})

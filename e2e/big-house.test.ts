import { createClient } from '@gatehouse/client'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itLong } from '../server/src/testing/long-form.ts'
import { expectAccessible, openSite, type Site, settled, visit } from './testing/site.ts'
import { createRole, rowOf } from './testing/steps.ts'

const regions = ['EMEA', 'APAC', 'LATAM', 'Nordics']
const teams = ['Customer support', 'Billing operations', 'Field engineering', 'Compliance', 'Partners', 'Marketing']

let site: Site
beforeAll(async () => {
  site = await openSite()
  for (const region of regions) {
    for (const team of teams) {
      for (const line of ['first line', 'second line', 'third line', 'leads', 'heads']) {
        await createRole(site, `${team} ${region} ${line}`, ['users.activity'])
      }
    }
  }
})
afterAll(() => site.close())

/** The paths that a page asks for while something is done. */
async function askedBy(page: Page, work: () => Promise<unknown>): Promise<string[]> {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await work()
  await settled(page)
  return asked
}

describe('with 110 API keys', () => {
  beforeAll(async () => {
    for (let at = 1; at <= 110; at++) await site.api.POST('/api-keys', { body: { name: `Bridge to office ${at}` } })
  })

  itLong('finds those of a name, of an owner, and those that nobody uses', async () => {
    const other = await site.createUser(['api-keys.manage'], { first_name: 'Grace', last_name: 'Hopper' })
    const login = await fetch(`${site.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: other.email, password: other.password }),
    })
    const theirs = createClient({ baseUrl: `${site.url}/api`, apiKey: (await login.json()).token })
    await theirs.POST('/api-keys', { body: { name: 'Compiler' } })
    const page = await site.openAsAdmin('/#/api-keys')
    await page.getByRole('textbox', { name: 'Search' }).fill('OFFICE 11')
    await page.getByText('1-2 of 2').waitFor()
    await page.getByRole('textbox', { name: 'Search' }).fill('')
    await page.getByRole('combobox', { name: 'Owner' }).fill('hopper')
    await page.getByRole('option', { name: 'Grace Hopper' }).click()
    await page.getByText('1-1 of 1').waitFor()
    await expectAccessible(page)
    await page.reload()
    await page.getByText('1-1 of 1').waitFor()
    await visit(page, `${site.url}/#/api-keys?filter={}`)
    const usedOf = () => page.locator('tbody .column-last_used_at').first().innerText()
    await page.getByRole('button', { name: 'Last used' }).click()
    await expect.poll(usedOf).toBe('Never')
    await page.getByRole('button', { name: 'Last used' }).click()
    await expect.poll(usedOf).toMatch(/^(just now|\d minutes? ago)$/)
  })

  it('shows them all, also from the page of their owner', async () => {
    const page = await site.openAsAdmin('/#/users/1/api-keys')
    await page.getByRole('link', { name: 'Show all 111' }).click()
    await page.getByText('1-25 of 111').waitFor()
  })

  itLong('names an old one in the activity', async () => {
    const { data } = await site.api.GET('/api-keys', { params: { query: { sort: 'id', per_page: 2 } } })
    const id = data?.data[1]?.id as number
    await site.api.PATCH('/api-keys/{id}', { params: { path: { id } }, body: { name: 'The oldest bridge' } })
    for (const path of ['/#/activity', '/#/', '/#/users/1/activity']) {
      const page = await site.openAsAdmin(path)
      await page
        .getByText('changed the API key The oldest bridge')
        .or(page.getByText('updated the API key The oldest bridge'))
        .first()
        .waitFor()
    }
  })
})

it('long names stand whole on a wide screen', async () => {
  const name = { first_name: 'Maximilian', last_name: 'von Hohenlohe-Waldenburg' }
  await site.createUser([], name)
  const page = await site.openAsAdmin('/#/users', { width: 2560, height: 1440 })
  const link = page.getByRole('link', { name: 'Maximilian von Hohenlohe-Waldenburg' })
  expect(await link.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true)
})

describe('the activity', () => {
  itLong('shows what one request has done', async () => {
    const { response } = await site.api.POST('/roles', { body: { name: 'Made by one request' } })
    const id = response.headers.get('x-request-id') as string
    const page = await site.openAsAdmin('/#/activity')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Request ID' }).click()
    await page.getByRole('textbox', { name: 'Request ID' }).fill(id)
    await page.getByText('1-1 of 1').waitFor()
    await page.getByRole('link', { name: 'Made by one request' }).waitFor()
  })

  itLong('is searched by date from the page of a user', async () => {
    const user = await site.createUser([], { first_name: 'Anna', last_name: 'Lind' })
    const page = await site.openAsAdmin(`/#/users/${user.id}/activity`)
    await page.getByRole('link', { name: 'Search in the activity' }).click()
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'From (UTC)' }).click()
    await page.getByLabel('From (UTC)').fill(user.created_at.slice(0, 10))
    await page.getByText('1-1 of 1').waitFor()
    await page.getByText(/created Anna Lind/).waitFor()
  })
})

describe('with 120 roles', () => {
  it('finds a role by a part of its title, and keeps the search over the page of the role', async () => {
    const page = await site.openAsAdmin('/#/roles')
    await page.getByRole('textbox', { name: 'Search' }).fill('partners nordics')
    await page.getByText('1-5 of 5').waitFor()
    await page.getByRole('link', { name: 'Partners Nordics heads' }).click()
    await page.getByText('Nobody has it.').waitFor()
    await page.goBack()
    await page.getByText('1-5 of 5').waitFor()
    expect(await page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('partners nordics')
    await page.getByRole('textbox', { name: 'Search' }).fill('heads partners')
    await page.getByText('1-4 of 4').waitFor()
    await page.getByRole('textbox', { name: 'Search' }).fill('no such role')
    await page.getByText('No Roles found').waitFor()
  })

  itLong('compares any two roles, and keeps them over a reload', async () => {
    const page = await site.openAsAdmin('/#/permissions')
    const picker = page.getByRole('combobox', { name: 'Roles to compare' })
    for (const title of ['Customer support EMEA leads', 'Marketing Nordics heads']) {
      await picker.fill(title)
      await page.getByRole('option', { name: title }).click()
    }
    const columns = () => page.getByRole('columnheader').allInnerTexts()
    const wanted = ['Permission', 'Customer support EMEA leads', 'Marketing Nordics heads']
    await expect.poll(columns).toEqual(wanted)
    await page.reload()
    await expect.poll(columns).toEqual(wanted)
    await expectAccessible(page)
    await picker.press('Backspace')
    await picker.press('Backspace')
    await expect.poll(columns).toHaveLength(9)
  })

  it('lets a later one be given to everybody who registers', async () => {
    const page = await site.openAsAdmin('/#/settings')
    await page.getByLabel('Role of people who register').fill('marketing nordics heads')
    await page.getByRole('option', { name: 'Marketing Nordics heads' }).waitFor()
  })

  itLong('does not ask for each of them, whoever looks', async () => {
    const helper = await site.createUser(['users.manage', 'users.activity', 'roles.manage'])
    for (const path of ['/#/users', '/#/roles']) {
      const page = await site.open('/#/account', { as: helper })
      const asked = await askedBy(page, () => page.goto(`${site.url}${path}`))
      await rowOf(page, path === '/#/users' ? helper.email : 'Administrator').waitFor()
      expect(asked.filter((one) => /^\/api\/roles\/\d+/.test(one))).toEqual([])
    }
  })
})

describe('with 70 permissions', () => {
  itLong('keeps the names of roles, and the button that saves, in view', async () => {
    for (const area of 'abcdefghijkl') {
      for (const verb of ['view', 'create', 'approve', 'export', 'archive']) {
        await site.api.POST('/permissions', { body: { name: `ledger-${area}.${verb}` } })
      }
    }
    const isInView = async (element: Locator) => {
      await expect
        .poll(() =>
          element.evaluate((one) => {
            const { top, bottom, left } = one.getBoundingClientRect()
            return (
              top >= 0 && bottom <= innerHeight && one.contains(document.elementFromPoint(left + 4, (top + bottom) / 2))
            )
          }),
        )
        .toBe(true)
    }
    const page = await site.openAsAdmin('/#/permissions', { width: 1366, height: 768 })
    await page
      .getByRole('checkbox', { name: /ledger-l.archive/ })
      .first()
      .scrollIntoViewIfNeeded()
    await isInView(page.getByRole('columnheader', { name: 'Administrator' }))

    await visit(page, `${site.url}/#/roles/2`)
    await page.getByRole('checkbox', { name: 'ledger-a.view' }).check()
    await isInView(page.getByRole('button', { name: 'Save permissions' }))
    await page.getByRole('button', { name: 'Discard' }).click()
  })
})

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { firstOf } from '../server/src/testing/long-form.ts'
import { expectAccessible, openSite, type Site } from './testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const roleTable = (page: Page) => page.getByRole('cell', { name: 'Administrator' })

describe('the console', () => {
  // asvs: 3.7.1
  it('stands on a phone and on a desk, in light and in dark, accessible', async () => {
    const page = await site.open('/#/roles', { as: site.admin, width: 360, height: 740 })
    await roleTable(page).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Open the menu' }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: 'Switch to dark colours' }).click()
    await page.getByRole('button', { name: 'Switch to light colours' }).waitFor()
    await expectAccessible(page)
    await page.goto(`${site.url}/forgot-password`) // the public pages keep to the colours that were chosen
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark')
  })

  it('shows bars, tabs and buttons in the colours that the system forces on it', async () => {
    const page = await site.open('/login', { as: site.admin })
    await page.emulateMedia({ forcedColors: 'active' })
    const canvas = 'rgb(255, 255, 255)'
    const background = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor)
    await page.goto(`${site.url}/#/`)
    await page.getByText('in the last twelve months').waitFor()
    const bars = page.locator('[aria-hidden] [style*="height: "]')
    const colours = await bars.evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor))
    expect(colours.length).toBe(12)
    expect(colours).not.toContain(canvas)
    await page.goto(`${site.url}/#/users/1`)
    await page.getByRole('tab', { name: 'Profile' }).waitFor()
    expect(await background('.MuiTabs-indicator')).not.toBe(canvas)
    const save = page.getByRole('button', { name: 'Save changes' })
    expect(await save.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('1px')
  })

  it('leads who is not signed in to the sign-in page, and keeps where they wanted to go', async () => {
    const page = await site.open('/#/roles')
    await page.waitForURL(`${site.url}/login?next=%23%2Froles`)
  })

  // asvs: 7.4.4, 14.3.1
  it('signs out', async () => {
    const page = await site.open('/#/roles', { as: await site.createUser(['roles.manage']) })
    await page.getByRole('button', { name: /^Your account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const { status } = await page.request.get(`${site.url}/api/me`).then((answer) => ({ status: answer.status() }))
    expect(status).toBe(401)
  })

  it('shows in its menu only what one may read', async () => {
    const page = await site.open('/', { as: await site.createUser() })
    await page.getByRole('button', { name: /^Your account/ }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Roles' }).count()).toBe(0)
  })

  it('says so where there is nothing, and leads on', async () => {
    const page = await site.open('/#/nothing-here', { as: site.admin })
    await page.getByText('There is nothing here').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Go to the start page' }).click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  })

  it.each(
    firstOf(
      [
        ['/', '**/api/meta'],
        ['/login', '**/api/meta'],
        ['/verify-email#token=x', '**/api/email/verify/preview'],
        ['/reset-password#token=x&email=ada%40example.com', '**/api/password/reset/preview'],
      ],
      2,
    ),
  )('says that it is on its way: %s, until %s is answered', async (path, asked) => {
    const page = await site.open(path, path === '/' ? { as: site.admin } : { refused: [400] })
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(asked, async (route) => {
      await promise
      await route.continue()
    })
    await Promise.all([page.waitForRequest(asked), page.reload()])
    await page.getByText('Loading…').waitFor()
    await expect.poll(() => page.locator('#starting').evaluate((text) => getComputedStyle(text).opacity)).toBe('1')
    resolve()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.getByText('Loading…').isVisible()).toBe(false)
  })

  it('says what is wrong when it cannot start', async () => {
    const page = await site.open('/login', { as: site.admin, refused: [503] })
    const body = JSON.stringify({ message: 'The service is not available at the moment. Please try again.', code: 'x' })
    const headers = { 'content-type': 'application/json', 'retry-after': '7' }
    await page.route('**/api/me', (route) => route.fulfill({ status: 503, headers, body }))
    await page.goto(`${site.url}/`)
    await page.getByText('The service is not available at the moment. Please try again in 7 seconds.').waitFor()
    await page.unroute('**/api/me')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: /^Your account/ }).waitFor()
  })
})

describe('plugins', () => {
  /** As an author without our tools writes it. */
  const byHand = `
    import { defineConsolePlugin, jsx, List, DataTable, useApi, useMay, useState, Button, useQuery } from '/assets/kit.js'
    const Counter = () => {
      const [count, setCount] = useState(0)
      return jsx(Button, { onClick: () => setCount(count + 1), children: 'Clicked ' + count })
    }
    const Page = () => {
      const call = useApi()
      const { data } = useQuery({ queryKey: ['x'], queryFn: () => call('GET', '/me') })
      return jsx('p', { children: [useMay('users.manage') ? 'may' : 'may not', ', as ', data?.data.email] })
    }
    const ThingList = () => jsx(List, { children: jsx(DataTable, { children: jsx(DataTable.Col, { source: 'name' }) }) })
    export default defineConsolePlugin({
      id: 'by-hand',
      resources: [{ name: 'things', label: 'Things', list: ThingList, group: 'system', permission: { read: 'roles.manage', write: 'roles.manage' } }],
      pages: [{ path: '/by-hand', label: 'By hand', component: Page }],
      banner: () => jsx('p', { children: 'A banner' }),
      badge: Counter,
    })`

  it('add pages, a banner and a badge; one that cannot be loaded breaks nothing', async () => {
    const page = await site.open('/login', { as: site.admin, refused: [404] })
    await page.route('**/api/meta', async (route) => {
      const answer = await (await route.fetch()).json()
      answer.data.console_plugins = ['/plugins/by-hand/console.js', '/plugins/missing/console.js']
      await route.fulfill({ json: answer })
    })
    await page.route('**/plugins/by-hand/console.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: byHand }),
    )
    await page.route('**/api/things?*', (route) =>
      route.fulfill({ json: { data: [{ id: 1, name: 'A thing' }], meta: { total: 1 } } }),
    )
    await page.goto(`${site.url}/#/by-hand`)
    await page.getByText('A banner').waitFor()
    await page.getByText('may, as admin@example.com').waitFor()
    await page.getByText('A plugin could not be loaded: /plugins/missing/console.js').waitFor()
    await page.getByRole('button', { name: 'Clicked 0' }).click()
    await page.getByRole('button', { name: 'Clicked 1' }).waitFor()
    await page.getByRole('link', { name: 'Things' }).click()
    await page.getByRole('cell', { name: 'A thing' }).waitFor()
  })

  /** The console with these modules as its plugins. What they throw is written into the browser's console, which `site.open` forbids. */
  async function openWith(modules: Record<string, string>, path: string): Promise<Page> {
    const context = await site.browser.newContext()
    onTestFinished(() => context.close())
    const { email, password } = site.admin
    await context.request.post(`${site.url}/api/login`, { data: { username: email, password, cookie: true } })
    await context.route('**/api/meta', async (route) => {
      const answer = await (await route.fetch()).json()
      answer.data.console_plugins = Object.keys(modules).map((id) => `/plugins/${id}/console.js`)
      await route.fulfill({ json: answer })
    })
    for (const [id, text] of Object.entries(modules)) {
      const body = `import { jsx } from '/assets/kit.js'\nexport default ${text}`
      await context.route(`**/plugins/${id}/console.js`, (route) =>
        route.fulfill({ contentType: 'text/javascript', body }),
      )
    }
    context.setDefaultTimeout(20_000)
    const page = await context.newPage()
    await page.goto(site.url + path)
    return page
  }

  it.each(
    firstOf([
      ['banner', "{ id: 'x', banner: () => { throw new Error('oops') } }"],
      ['badge in the bar', "{ id: 'x', badge: () => { throw new Error('oops') } }"],
      [
        'badge in the menu',
        "{ id: 'x', menu: [{ to: '/roles', label: 'X', badge: () => { throw new Error('oops') } }] }",
      ],
      ['icon', "{ id: 'x', menu: [{ to: '/roles', label: 'X', icon: '<svg>' }] }"],
    ]),
  )('have one part that fails (%s): it is left out, and the console goes on', async (_, text) => {
    const page = await openWith({ x: text, fine: "{ id: 'fine', banner: () => 'A banner' }" }, '/#/roles')
    await roleTable(page).waitFor()
    await page.getByText('A banner').waitFor()
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('cell', { name: /admin/ }).first().waitFor()
  })

  const may = 'permission: { read: [], write: [] }'
  it.each(
    firstOf(
      [
        ["{ id: 'other' }", 'its id is "other"'],
        ["{ id: 'x', routes: [] }", 'a console plugin has no "routes"'],
        ["{ id: 'x', pages: {} }", 'its "pages" must be an array'],
        [
          "{ id: 'x', resources: [{ name: 'things' }] }",
          'the resource "things" does not say who may read and write it',
        ],
        [`{ id: 'x', resources: [{ name: 'users', ${may} }] }`, 'there is a resource "users" already'],
        ["{ id: 'x', pages: [{ path: 'x', component: () => null }] }", 'the path "x" must begin with a slash'],
        ["{ id: 'x', pages: [{ path: '/settings', component: () => null }] }", 'there is a page "/settings" already'],
        ["{ id: 'x', pages: [{ path: '/x' }] }", 'the page "/x" has no component'],
      ],
      2,
    ),
  )('that are wrong are left out, and it is said why: %s', async (text, why) => {
    const page = await openWith({ x: text }, '/#/roles')
    await roleTable(page).waitFor()
    await page.getByText(`A plugin could not be loaded: /plugins/x/console.js: ${why}`).waitFor()
  })
})

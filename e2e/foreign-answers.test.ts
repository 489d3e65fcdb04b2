import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf, itLong } from '../server/src/testing/long-form.ts'
import { openSite, type Site } from './testing/site.ts'
import { addUser, inDialog, noticeOf, press } from './testing/steps.ts'
import { soon } from './testing/time.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

/** What a captive portal, a proxy's sign-in page or a maintenance page may answer with status 200. */
const foreign: Record<string, Parameters<Route['fulfill']>[0]> = {
  'a page': { contentType: 'text/html', body: '<title>Sign in</title><form></form>' },
  'a page that claims to be JSON': { contentType: 'application/json', body: '<title>Sign in</title>' },
  nothing: { body: '' },
}
const html = foreign['a page']

const answer = (page: Page, path: string, what = html) =>
  page.route(
    ({ pathname }) => pathname === path,
    (route) => route.fulfill(what),
  )

const unreachable = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'The server cannot be reached. Check your connection' })

describe('a 200 that is not from the API is not taken for success', () => {
  it.each(firstOf(Object.entries(foreign)))('%s, by a public page', async (_name, what) => {
    const page = await site.open('/forgot-password')
    await answer(page, '/api/password/remind', what)
    await page.getByLabel('Email').fill(site.admin.email)
    await press(page, 'Send the link')
    await unreachable(page).waitFor()
    await expect.poll(() => page.getByRole('heading', { name: 'Check your mail' }).count()).toBe(0)
  })

  it('and may have hidden the answer of the API, which gets the same key again', async () => {
    const page = await site.open('/forgot-password')
    await answer(page, '/api/password/remind')
    const keys: unknown[] = []
    page.on('request', (request) => keys.push(request.headers()['idempotency-key']))
    await page.getByLabel('Email').fill(site.admin.email)
    await press(page, 'Send the link')
    await unreachable(page).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await press(page, 'Send the link')
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    expect(keys).toEqual([expect.any(String), keys[0]])
  })

  itLong('by a public page that could not even start', async () => {
    const page = await site.open('/check-mail')
    await page.clock.install()
    await answer(page, '/api/meta')
    await page.goto(`${site.url}/login`)
    await page.getByText('The server cannot be reached.').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await soon(page, page.getByRole('button', { name: 'Sign in', exact: true }).waitFor())
  })

  it('by a question', async () => {
    const { data } = await site.api.POST('/api-keys', { body: { name: 'Not revoked' } })
    const path = `/api-keys/${data?.data.id}`
    const page = await site.openAsAdmin(`/#${path}`)
    await page.getByRole('button', { name: 'Revoke' }).waitFor()
    await answer(page, `/api${path}`)
    await press(page, 'Revoke')
    await inDialog(page, 'Revoke')
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor()
    await expect.poll(() => page.getByText('was revoked').count()).toBe(0)
  })

  it('by a form', async () => {
    const id = await addUser(site, 'kept@example.com')
    const page = await site.openAsAdmin(`/#/users/${id}`)
    await page.getByRole('textbox', { name: 'Address' }).fill('typed')
    await answer(page, `/api/users/${id}`)
    await press(page, 'Save changes')
    await noticeOf(page, 'The server cannot be reached.')
    await page.getByText('Unsaved changes').waitFor()
  })

  itLong('by a page, which recovers once the answers are ours', async () => {
    const page = await site.openAsAdmin('/#/roles')
    await page.clock.install()
    await page.route(
      ({ pathname }) => /^\/(readyz|api\/(?!me$|me\/permissions|meta))/.test(pathname),
      (route) => route.fulfill(html),
    )
    const loads = () => page.getByText('could not be loaded').first()
    await page.goto(`${site.url}/#/users`)
    await soon(page, loads().waitFor())
    const asked = page.waitForResponse('**/readyz')
    await soon(page, asked)
    await page.getByText('The server cannot be reached. What you see may be out of date').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await soon(page, page.getByRole('cell', { name: site.admin.email }).waitFor())
    await loads().waitFor({ state: 'hidden' })
  })

  itLong('by an import', async () => {
    const page = await site.openAsAdmin('/#/import-users')
    await page
      .getByLabel('File with users')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('email\na@example.com\n') })
    await answer(page, '/api/users/import')
    await press(page, 'Try it without changing anything')
    await unreachable(page).waitFor()
  })

  itLong('by an export, which saves nothing', async () => {
    const page = await site.openAsAdmin('/#/users')
    await answer(page, '/api/users/export')
    await press(page, 'Export')
    await inDialog(page, 'Export')
    await unreachable(page).waitFor()
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, openSite, type Site } from './testing/site.ts'
import { inDialog, noticeOf, press, rowOf } from './testing/steps.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

/** What the API answers to a key. */
const statusWith = async (key: string, path = '/users'): Promise<number> =>
  (await fetch(`${site.url}/api${path}`, { headers: { authorization: `Bearer ${key}` } })).status

describe('API keys', () => {
  it('are issued within a scope, shown once, copied, rotated, changed and revoked', async () => {
    const page = await site.openAsAdmin('/#/api-keys', { refused: [403, 404] })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('link', { name: 'New key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Nightly import')
    await page.getByRole('radio', { name: 'Only these' }).check()
    await page.getByRole('checkbox', { name: 'Manage users' }).check()
    await press(page, 'Issue the key')
    const secret = page.getByRole('textbox', { name: 'API key' })
    const first = await secret.innerText()
    expect(first).toMatch(/^gh_[\w-]{43}$/)
    await press(page, 'Copy')
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first)
    expect([await statusWith(first), await statusWith(first, '/deliveries')]).toEqual([200, 403])
    await expectAccessible(page)

    await press(page, 'I have copied it')
    const row = rowOf(page, 'Nightly import')
    await row.getByText('users.manage').waitFor()
    await expect.poll(() => row.getByText('You', { exact: true }).count()).toBe(1)
    await page.getByRole('link', { name: 'Nightly import' }).click()
    await press(page, 'Rotate')
    const old = { code: 'reauthentication_required', message: 'POST /me/reauthenticate' }
    await page.route('**/rotate', (route) => route.fulfill({ status: 403, json: old }), { times: 1 })
    await inDialog(page, 'Rotate')
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor()
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Rotate “Nightly import”?' })
    await expect.poll(() => question.getByRole('button', { name: 'Rotate' }).isEnabled()).toBe(true)
    await expect.poll(() => question.getByRole('alert').count()).toBe(0)
    await inDialog(page, 'Rotate')
    const second = await secret.innerText()
    await inDialog(page, 'I have copied it')
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200])

    await page.getByRole('radio', { name: 'Everything you may' }).check()
    await page.getByLabel('Expires').click()
    await page.getByRole('option', { name: 'On a day…' }).click()
    await page.getByLabel('Last day').press('Backspace') // only a part of the day is there now
    await press(page, 'Save changes')
    await page.getByText('Choose the last day.').waitFor()
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain('gh_')
    await page.getByLabel('Last day').fill('9999-12-31')
    await press(page, 'Save changes')
    await noticeOf(page, 'The changes were saved.')
    const { data } = await site.api.GET('/api-keys', { params: { query: { sort: '-id', per_page: 1 } } })
    expect(data?.data[0]).toMatchObject({ permissions: null, expires_at: '9999-12-31 23:59:59' })
    expect(await statusWith(second, '/deliveries')).toBe(200)

    await press(page, 'Revoke')
    await inDialog(page, 'Revoke')
    await noticeOf(page, 'The key “Nightly import” was revoked.')
    expect(await statusWith(second)).toBe(401)
    await page.getByRole('link', { name: 'New key' }).waitFor()
    await page.goBack()
    await page.getByText('There is no such API key').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Save changes' }).count()).toBe(0)
  })

  it('tell of a wrong expiry at its field', async () => {
    const page = await site.openAsAdmin('/#/api-keys/create', { refused: [422], width: 360, scheme: 'dark' })
    await page.getByRole('textbox', { name: 'Name' }).fill('Late')
    await page.getByLabel('Expires').click()
    await page.getByRole('option', { name: 'On a day…' }).click()
    await page.getByLabel('Last day').fill('')
    await press(page, 'Issue the key')
    await page.getByText('Choose the last day.').waitFor()
    await page.getByLabel('Last day').fill('2001-01-01')
    await press(page, 'Issue the key')
    await page.getByText('The expires at field must lie in the future.').waitFor()
    await expectAccessible(page)
  })

  it('of somebody above are shown without a button', async () => {
    const as = await site.createUser(['api-keys.manage', 'users.manage'])
    const page = await site.open('/#/api-keys/1', { as })
    await page.getByText('This key belongs to somebody else.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /Save|Rotate|Revoke/ }).count()).toBe(0)
    const mine = await site.createUser(['api-keys.manage'])
    const other = await site.open('/#/api-keys/1', { as: mine }) // and asks for nothing that they may not see
    await other.getByText('This key belongs to somebody else.').waitFor()
    const own = await site.open('/#/api-keys/create', { as: mine })
    await own.getByRole('radio', { name: 'Only these' }).check()
    await expect
      .poll(() => own.getByRole('group', { name: 'Permissions of the key' }).getByRole('checkbox').count())
      .toBe(1)
  })
})

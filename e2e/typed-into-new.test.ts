import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf } from '../server/src/testing/long-form.ts'
import { openSite, type Site } from './testing/site.ts'
import { field, hold, noticeOf, password, press } from './testing/steps.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

describe('nothing is typed into what is created, while it is sent: the next page would not have it', () => {
  it.each(
    firstOf<[name: string, path: string, fields: Record<string, string>, late: string, button: string, next: RegExp]>(
      [
        [
          'a new user',
          'users',
          { Email: 'late@example.com', Password: password, 'Repeat the password': password },
          'address',
          'Create the user',
          /#\/users\/\d+$/,
        ],
        ['a new role', 'roles', { Name: 'Late' }, 'description', 'Create the role', /#\/roles\/\d+$/],
        [
          'a new permission',
          'permissions',
          { Name: 'late' },
          'description',
          'Create the permission',
          /#\/permissions$/,
        ],
        ['a new API key', 'api-keys', { Name: 'Late' }, 'name', 'Issue the key', /create$/],
        ['an announcement', 'announcements', { Title: 'Late', Text: 'Text' }, 'body', 'Publish', /\/show$/],
      ],
      2,
    ),
  )('%s', async (_name, path, fields, late, button, next) => {
    const page = await site.openAsAdmin(`/#/${path}/create`)
    for (const [label, value] of Object.entries(fields)) await field(page, label).fill(value)
    const input = page.locator(`[name=${late}]`)
    const before = await input.inputValue()
    const letGo = await hold(page, 'POST')
    await press(page, button)
    await input.focus()
    await page.keyboard.type('late')
    await expect.poll(() => input.inputValue()).toBe(before)
    await letGo()
    await page.waitForURL(next)
  })

  it('a new webhook', async () => {
    const page = await site.openAsAdmin('/#/webhooks/create')
    await field(page, 'URL').fill('https://late.example.com/')
    await page.getByRole('combobox', { name: 'Events' }).click()
    await page.getByRole('option', { name: 'Everything', exact: true }).click()
    await page.keyboard.press('Escape')
    const letGo = await hold(page, 'POST')
    await press(page, 'Create the webhook')
    await field(page, 'Description').focus()
    await page.keyboard.type('late')
    await expect.poll(() => field(page, 'Description').inputValue()).toBe('')
    await letGo()
    await field(page, 'Signing secret').waitFor()
  })

  it('a new username of mine', async () => {
    const user = await site.createUser([])
    const page = await site.open('/#/account', { as: user })
    await field(page, 'Username').fill('another-name')
    await field(page, 'Current password').first().fill(user.password)
    const letGo = await hold(page, 'PATCH')
    await press(page, 'Save sign-in')
    await field(page, 'Email').focus()
    await page.keyboard.type('late')
    await expect.poll(() => field(page, 'Email').inputValue()).toBe(user.email)
    await letGo()
    await noticeOf(page, 'Your username was saved.')
    await expect.poll(() => field(page, 'Username').inputValue()).toBe('another-name')
  })

  it('until it could not be sent: the cursor is where it was', async () => {
    const page = await site.openAsAdmin('/#/roles/create')
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/api/roles', async (route) => {
      await promise
      await route.abort()
    })
    await field(page, 'Name').fill('Never')
    await page.keyboard.press('Enter')
    await page.keyboard.type('theless?') // nor does a key of the page
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    resolve()
    await noticeOf(page, 'The server cannot be reached.')
    await page.keyboard.type(' again')
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('Never again')
  })
})

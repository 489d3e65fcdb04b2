import type { Locator, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf } from '../server/src/testing/long-form.ts'
import { type OpenOptions, openSite, type Site } from './testing/site.ts'
import { isChange } from './testing/steps.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const keyOf = (request: Request) => request.headers()['idempotency-key'] ?? ''

/** The requests of a page that write, as they come. */
function writesOf(page: Page): Request[] {
  const writes: Request[] = []
  page.on('request', (request) => {
    if (isChange(request)) writes.push(request)
  })
  return writes
}

/** Two clicks of an impatient hand, 80 ms apart; by script, for Playwright waits until a button can be clicked again. */
const clickTwice = (button: Locator) =>
  button.evaluate(async (element: HTMLElement) => {
    element.click()
    await new Promise((done) => setTimeout(done, 80))
    element.click()
  })

interface Form {
  readonly path: string
  readonly options?: OpenOptions
  readonly fill: (page: Page) => Promise<unknown>
  readonly button: string
  readonly done: (page: Page) => Locator
}

const admin = () => ({ as: site.admin })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const choosePassword = async (page: Page) => {
  await field(page, 'Password').fill('a quiet harbour at dawn')
  await field(page, 'Repeat the password').fill('a quiet harbour at dawn')
}

const forms: Record<string, Form> = {
  'a new user': {
    path: '/#/users/create',
    fill: async (page) => {
      await field(page, 'Email').fill('twice@example.com')
      await choosePassword(page)
    },
    button: 'Create the user',
    done: (page) => page.getByRole('tab', { name: 'Profile' }),
  },
  'a new user, before the roles are there': {
    path: '/#/activity',
    fill: async (page) => {
      await page.route('**/api/roles?*', async (route) => {
        await new Promise((done) => setTimeout(done, 1_500))
        await route.continue()
      })
      await page.evaluate(() => location.assign('#/users/create'))
      await field(page, 'Email').fill('twice-early@example.com')
      await choosePassword(page)
    },
    button: 'Create the user',
    done: (page) => page.getByRole('tab', { name: 'Profile' }),
  },
  'a new role': {
    path: '/#/roles/create',
    fill: (page) => field(page, 'Name').fill('Twice'),
    button: 'Create the role',
    done: (page) => page.getByRole('button', { name: 'Save permissions' }),
  },
  'a new permission': {
    path: '/#/permissions/create',
    fill: (page) => field(page, 'Name').fill('twice.read'),
    button: 'Create the permission',
    done: (page) => page.getByRole('link', { name: 'New permission' }),
  },
  'a new API key': {
    path: '/#/api-keys/create',
    fill: (page) => field(page, 'Name').fill('Twice'),
    button: 'Issue the key',
    done: (page) => page.getByRole('heading', { name: 'The key “Twice” was issued' }),
  },
  'an announcement': {
    path: '/#/announcements/create',
    fill: async (page) => {
      await field(page, 'Title').fill('Twice')
      await field(page, 'Text').fill('Once.')
    },
    button: 'Publish',
    done: (page) => page.getByRole('button', { name: 'Send by mail' }),
  },
  'the settings': {
    path: '/#/settings',
    fill: (page) => page.getByRole('spinbutton').first().fill('9'),
    button: 'Save changes',
    done: (page) => page.getByRole('alert').filter({ hasText: /saved/ }),
  },
  'registration, a public page': {
    path: '/register',
    options: {},
    fill: async (page) => {
      await page.getByLabel('Email').fill('twice-public@example.com')
      await page.getByLabel('Username').fill('twice-public')
      await choosePassword(page)
    },
    button: 'Create account',
    done: (page) => page.getByRole('heading', { name: 'Check your mail' }),
  },
}

describe('two clicks on the button of a form do one thing', () => {
  it.each(firstOf(Object.keys(forms)))('%s', async (name) => {
    const { path, options = admin(), fill, button, done } = forms[name] as Form
    const page = await site.open(path, options)
    const writes = writesOf(page)
    await fill(page)
    await clickTwice(page.getByRole('button', { name: button }))
    await done(page).waitFor()
    expect(
      await page
        .getByRole('alert')
        .filter({ hasText: /taken|failed|wrong/i })
        .count(),
    ).toBe(0)
    expect(writes.map((request) => request.method())).toHaveLength(1)
    const [first] = writes
    if (first?.method() === 'POST') expect(keyOf(first)).toMatch(uuid)
  })

  it('a button with a question before it', async () => {
    const { data } = await site.api.POST('/api-keys', { body: { name: 'Rotated twice' } })
    const page = await site.open('/#/api-keys', { as: site.admin })
    const writes = writesOf(page)
    await page.getByRole('link', { name: 'Rotated twice' }).click()
    expect(data?.data.id).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await clickTwice(page.getByRole('dialog').getByRole('button', { name: 'Revoke' }))
    await page.getByText('The key “Rotated twice” was revoked.').waitFor()
    expect(writes).toHaveLength(1)
  })
})

describe('the Idempotency-Key', () => {
  it('stays while no answer came, and is another one after a change and after an answer', async () => {
    const page = await site.open('/#/roles/create', { as: site.admin, refused: [422] })
    const writes = writesOf(page)
    const create = page.getByRole('button', { name: 'Create the role' })
    const send = async (): Promise<string> => {
      const count = writes.length
      // A click soon after the answer is part of a double click, and sends nothing.
      const click = async () => {
        if (writes.length === count) await create.click()
        return writes.length
      }
      await expect.poll(click, { interval: 500 }).toBe(count + 1)
      return keyOf(writes[count] as Request)
    }
    const unreached = () =>
      page
        .getByRole('alert')
        .filter({ hasText: /cannot be reached/ })
        .last()
        .waitFor()
    await page.route('**/api/roles', (route) => route.abort())
    await field(page, 'Name').fill('Keyed')
    const first = await send()
    await unreached()
    expect(await send()).toBe(first)
    await unreached()
    await field(page, 'Name').fill('User') // is taken
    await page.unroute('**/api/roles')
    const second = await send()
    expect(second).not.toBe(first)
    await page.getByText(/already been taken/).waitFor()
    expect(await send()).not.toBe(second)
    expect(writes.every((request) => uuid.test(keyOf(request)))).toBe(true)
  })
})

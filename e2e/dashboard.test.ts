import type { components } from '@gatehouse/client'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { expectAccessible, openSite, type Site } from './testing/site.ts'

type Stats = components['schemas']['Stats']

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

it('on a new system says what to do next and what is done, until it is hidden', async () => {
  const page = await site.open('/', { as: site.admin })
  const steps = page.getByRole('region', { name: 'First steps' })
  const step = (text: string) => steps.getByRole('listitem').filter({ hasText: text })
  await step('Create a user').getByRole('img', { name: 'To do' }).waitFor()
  await step('Connect a mail server').getByRole('link', { name: 'Deliveries' }).waitFor()
  await expectAccessible(page)
  await site.createUser([], { first_name: 'Ada', last_name: 'Lovelace' })
  await page.reload()
  await step('Create a user').getByRole('img', { name: 'Done' }).waitFor()
  await page.getByRole('region', { name: 'Latest registrations' }).getByText('Ada Lovelace').waitFor()
  await steps.getByRole('button', { name: 'Hide' }).click()
  await page.reload()
  await page.getByRole('region', { name: 'Sign-ups' }).waitFor()
  await expect.poll(() => steps.count()).toBe(0)
})

it('says where people create their own account, and nothing of it where they cannot', async () => {
  const page = await site.open('/', { as: site.admin })
  const step = page.getByRole('region', { name: 'First steps' }).getByRole('listitem').first()
  await step.getByText(`People can also create their own account at ${site.url}/register.`).waitFor()
  await site.api.PATCH('/settings', { body: { 'registration.enabled': false } })
  onTestFinished(async () => {
    await site.api.PATCH('/settings', { body: { 'registration.enabled': true } })
  })
  await page.reload()
  await step.getByText('Add somebody besides you.').waitFor()
  expect(await step.innerText()).not.toContain('their own account')
})

it('on a new system moves nothing once it knows what to do next', async () => {
  const page = await site.open('/login', { as: site.admin })
  const letGo = Promise.withResolvers<void>()
  await page.route(/\/api\/(stats|api-keys)/, async (route) => {
    await letGo.promise
    await route.continue()
  })
  await page.goto(`${site.url}/#/`)
  const topOf = async (name: string) => (await page.getByRole('region', { name }).boundingBox())?.y
  const tops = () => Promise.all(['Sign-ups', 'Latest registrations'].map(topOf))
  await page.getByRole('region', { name: 'Sign-ups' }).waitFor()
  const before = await tops()
  letGo.resolve()
  await page.getByRole('region', { name: 'First steps' }).waitFor()
  await page.getByRole('table', { name: 'Sign-ups by month' }).waitFor()
  expect(await tops()).toEqual(before)
})

it('keeps no place for the first steps once all of them are done', async () => {
  const page = await site.open('/login', { as: site.admin })
  let answers = Promise.resolve()
  const change = (url: string, edit: (body: { data: Stats; meta: { total: number } }) => void) =>
    page.route(url, async (route) => {
      await answers
      const response = await route.fetch()
      const json = await response.json()
      edit(json)
      await route.fulfill({ response, json })
    })
  await change('**/api/stats', ({ data }) =>
    Object.assign(data, { users: { ...data.users, total: 2 }, captured: { mail: false } }),
  )
  await change('**/api/api-keys?*', ({ meta }) => Object.assign(meta, { total: 2 }))
  await page.goto(`${site.url}/#/`)
  await page.getByRole('table', { name: 'Sign-ups by month' }).waitFor()
  const top = async () => (await page.getByRole('region', { name: 'Sign-ups' }).boundingBox())?.y
  const before = await top()
  const letGo = Promise.withResolvers<void>()
  answers = letGo.promise
  await page.reload()
  await page.getByRole('region', { name: 'Sign-ups' }).waitFor()
  expect(await top()).toBe(before)
  letGo.resolve()
  await page.getByRole('table', { name: 'Sign-ups by month' }).waitFor()
  expect(await top()).toBe(before)
})

it('links no page that its reader may not open', async () => {
  const page = await site.open('/', { as: await site.createUser(['users.manage']) })
  await page.getByRole('region', { name: 'First steps' }).getByText('read it under Deliveries').waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Deliveries' }).count()).toBe(0)
})

it('shows each part to who may see it, on a phone in the dark, too', async () => {
  const as = await site.createUser(['users.activity'])
  const page = await site.open('/', { as, width: 360, scheme: 'dark' })
  await page.getByRole('region', { name: 'Recent activity' }).waitFor()
  await expect.poll(() => page.getByRole('main').getByRole('region').count()).toBe(1)
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})

it('a failed message is called what its own page calls it', async () => {
  const user = await site.createUser()
  await site.api.POST('/password/remind', { body: { email: user.email } })
  await site.lastMessage(user.email)
  const { data } = await site.api.GET('/deliveries', { params: { query: { 'filter[recipient]': user.email } } })
  const page = await site.openAsAdmin('/#/account')
  await page.route('**/api/deliveries?*', (route) => route.fulfill({ json: data })) // it takes two days to fail
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('link', { name: `Reset your password, to ${user.email}` }).waitFor()
})

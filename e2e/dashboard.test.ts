import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible, openSite, type Site } from './testing/site.ts'

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

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, openSite, type Site } from './testing/site.ts'
import { addUser } from './testing/steps.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
  await addUser(site, 'ada@example.com', { username: 'ada' })
})
afterAll(() => site.close())

describe('a new user', () => {
  it('is created with a generated password; what is wrong stands at its field', async () => {
    const page = await site.openAsAdmin('/#/users/create', { refused: [422] })
    await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com')
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('short')
    await page.getByRole('button', { name: 'Create the user' }).click()
    await page.getByText('Use at least 8 characters.').waitFor()
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('password')
    await page.getByRole('textbox', { name: 'Repeat the password' }).fill('password')
    await page.getByRole('button', { name: 'Create the user' }).click()
    await page.getByText('The email has already been taken.').waitFor()
    await page.getByText(/too easy to guess|common/i).waitFor()
    await expectAccessible(page)

    await page.getByRole('textbox', { name: 'Email' }).fill('alan@example.com')
    await page.getByRole('textbox', { name: 'First name' }).fill('Alan')
    await page.getByRole('combobox', { name: 'Country' }).fill('united k')
    await page.getByRole('option', { name: /United Kingdom/ }).click()
    await page.getByRole('button', { name: 'Generate a password' }).click()
    const secret = await page.getByRole('textbox', { name: 'Password', exact: true }).inputValue()
    expect(secret).toMatch(/^(\w{5}-){3}\w{5}$/)
    await page.getByRole('button', { name: 'Create the user' }).click()
    await page.getByRole('tab', { name: 'Security' }).waitFor()
    await page.getByText('alan@example.com').first().waitFor()

    const { error } = await site.api.POST('/login', { body: { username: 'alan@example.com', password: secret } })
    expect(error).toBeUndefined()
  })

  it('keeps at its fields what is wrong when the roles come late', async () => {
    const page = await site.open('/login', { as: site.admin })
    const letGo = Promise.withResolvers<void>()
    await page.route('**/api/roles*', async (route) => {
      await letGo.promise
      await route.continue()
    })
    await page.goto(`${site.url}/#/users/create`)
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('short')
    await page.getByRole('button', { name: 'Create the user' }).click()
    await page.getByText('Use at least 8 characters.').waitFor()
    letGo.resolve()
    await expect.poll(() => page.getByRole('combobox', { name: 'Role' }).inputValue()).toBe('User')
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    expect(await page.getByText('Use at least 8 characters.').count()).toBe(1)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf, itLong } from '../server/src/testing/long-form.ts'
import { openSite, type Site, settled } from './testing/site.ts'
import { addUser, createRole, field, getUser, hold, inDialog, noticeOf, press, questionAt } from './testing/steps.ts'

let site: Site
let id: number
let role: number
let editor: number
let key: number | undefined
let webhook: number | undefined
beforeAll(async () => {
  site = await openSite()
  id = await addUser(site, 'ada@example.com', { first_name: 'Ada', address: 'Old Street 1' })
  role = await createRole(site, 'Support')
  editor = await createRole(site, 'Editor')
  key = (await site.api.POST('/api-keys', { body: { name: 'Import' } })).data?.data.id
  const body = { url: 'https://receiver.example.com/', events: ['user.*'] }
  webhook = (await site.api.POST('/webhooks', { body })).data?.data.id
})
afterAll(() => site.close())

const ticks: Record<string, { path: () => string; box: (name: string) => string; button: string }> = {
  'on the page of a role': { path: () => `/#/roles/${editor}`, box: (name) => name, button: 'Save permissions' },
  'in the matrix': { path: () => '/#/permissions', box: (name) => `Editor: ${name}`, button: 'Save changes' },
}

describe('what is typed while a form is on its way stays, and is not taken for saved', () => {
  it.each(
    firstOf<[name: string, path: () => string, sent: string, late: string, button: string, said: string]>([
      ['a user', () => `/#/users/${id}`, 'First name', 'Address', 'Save changes', 'The changes were saved.'],
      ['my account', () => '/#/account', 'First name', 'Address', 'Save details', 'Your details were saved.'],
      ['a role', () => `/#/roles/${role}`, 'Title', 'Description', 'Save details', 'The details were saved.'],
    ]),
  )('%s', async (_name, path, sent, late, button, said) => {
    const page = await site.openAsAdmin(path())
    const letGo = await hold(page, 'PATCH')
    await field(page, sent).fill(' Sent ')
    await press(page, button)
    await field(page, late).fill('typed meanwhile')
    await letGo()
    await noticeOf(page, said)
    await expect.poll(() => field(page, sent).inputValue()).toBe('Sent')
    await expect.poll(() => field(page, late).inputValue()).toBe('typed meanwhile')
    const request = page.waitForRequest((one) => one.method() === 'PATCH')
    await press(page, button)
    const body = (await request).postDataJSON() as Record<string, unknown>
    expect(Object.values(body)).toEqual(['typed meanwhile'])
    await settled(page)
    await expect.poll(() => page.getByText('Unsaved changes').count()).toBe(0)
    await expect.poll(() => page.getByText('changed elsewhere').count()).toBe(0)
  })

  it.each(
    firstOf<[name: string, path: () => string, label: string, source: string]>([
      ['an API key', () => `/#/api-keys/${key}`, 'Name', 'name'],
      ['a webhook', () => `/#/webhooks/${webhook}`, 'Description', 'description'],
    ]),
  )('%s, on in the same field', async (_name, path, label, source) => {
    const page = await site.openAsAdmin(path())
    const letGo = await hold(page, 'PATCH')
    await field(page, label).fill('Sent ') // which the server stores without the space
    await press(page, 'Save changes')
    await field(page, label).fill('Sent and typed on')
    await letGo()
    await noticeOf(page, 'The changes were saved.')
    await expect.poll(() => field(page, label).inputValue()).toBe('Sent and typed on')
    await page.getByRole('button', { name: 'Save changes', disabled: false }).waitFor()
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    expect(await page.getByText('changed elsewhere').count()).toBe(0)
    const request = page.waitForRequest((one) => one.method() === 'PATCH')
    await press(page, 'Save changes')
    expect((await request).postDataJSON()).toEqual({ [source]: 'Sent and typed on' })
    await (await request).response()
    await page.getByRole('link', { name: 'Roles', exact: true }).click() // nothing is asked
    await page.waitForURL(`${site.url}/#/roles`)
  })

  it('the expiry of an API key, which is “as now” once it was saved', async () => {
    const page = await site.openAsAdmin(`/#/api-keys/${key}`)
    const expires = page.getByRole('combobox', { name: 'Expires' })
    const choose = async (name: string) => {
      await expires.click()
      await page.getByRole('option', { name, exact: true }).click()
    }
    await choose('In 30 days')
    const letGo = await hold(page, 'PATCH')
    await press(page, 'Save changes')
    await choose('In one year')
    await letGo()
    await noticeOf(page, 'The changes were saved.')
    await expect.poll(() => expires.textContent()).toBe('In one year')
    await press(page, 'Save changes')
    await expect.poll(() => expires.textContent()).toMatch(/^As now: /)
    await choose('Never')
    await press(page, 'Save changes')
    await expect.poll(() => expires.textContent()).toBe('Never, as now')
  })

  itLong('nor while a key gets a new secret', async () => {
    const page = await site.openAsAdmin(`/#/api-keys/${key}`)
    await field(page, 'Name').fill('Not saved yet')
    await press(page, 'Rotate')
    await inDialog(page, 'Rotate')
    await field(page, 'API key').waitFor()
    const loaded = page.waitForResponse(`**/api/api-keys/${key}`)
    await inDialog(page, 'I have copied it')
    await (await loaded).finished()
    await page.getByText('never used').waitFor()
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('Not saved yet')
  })

  it.each(firstOf(Object.entries(ticks)))('what is ticked %s', async (_name, { path, box, button }) => {
    await site.api.PUT('/roles/{id}/permissions', { params: { path: { id: editor } }, body: { permissions: [] } })
    const page = await site.openAsAdmin(path())
    const tick = (name: string) => page.getByRole('checkbox', { name: box(name), exact: true })
    await tick('View activity').check()
    await tick('Manage webhooks').check()
    const letGo = await hold(page, 'PUT')
    await press(page, button)
    await tick('View deliveries').check()
    await tick('View activity').uncheck()
    await tick('Manage users').check()
    await tick('Manage users').uncheck()
    await letGo()
    await noticeOf(page, /^The permissions .*were saved\.$/)
    const names = ['View activity', 'Manage webhooks', 'View deliveries', 'Manage users']
    const checked = () => Promise.all(names.map((name) => tick(name).isChecked()))
    expect(await checked()).toEqual([false, true, true, false])
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
    await press(page, button)
    await saved
    const { data } = await site.api.GET('/roles/{id}/permissions', { params: { path: { id: editor } } })
    expect(data?.data.map(({ name }) => name).sort()).toEqual(['deliveries.view', 'webhooks.manage'])
    await page.getByRole('link', { name: 'Activity', exact: true }).first().click() // nothing is asked
    await page.waitForURL(`${site.url}/#/activity`)
  })

  itLong('an announcement, whose page then waits', async () => {
    const { data } = await site.api.POST('/announcements', { body: { title: 'Before', body: 'Text' } })
    const page = await site.openAsAdmin(`/#/announcements/${data?.data.id}`)
    const letGo = await hold(page, 'PATCH')
    await field(page, 'Title').fill('After')
    await press(page, 'Save changes')
    await field(page, 'Text').fill('typed meanwhile')
    await letGo()
    await noticeOf(page, 'The announcement was saved.')
    await expect.poll(() => field(page, 'Text').inputValue()).toBe('typed meanwhile')
    const toRoles = () => page.getByRole('link', { name: 'Roles', exact: true }).click()
    await page.getByRole('button', { name: 'Save changes', disabled: false }).waitFor()
    expect(await questionAt(page, toRoles)).toBe('Some of your changes are not saved. Leave without them?')
    const request = page.waitForRequest((one) => one.method() === 'PATCH')
    await press(page, 'Save changes')
    expect((await request).postDataJSON()).toEqual({ body: 'typed meanwhile' })
    await page.waitForURL(/#\/announcements\/\d+\/show$/)
  })

  itLong('nor where it could not be sent', async () => {
    const page = await site.openAsAdmin(`/#/users/${id}`)
    const path = '**/api/users/*'
    await page.route(path, (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
    await field(page, 'Address').fill('Third Street 3')
    await press(page, 'Save changes')
    await noticeOf(page, 'The server cannot be reached.')
    await page.unroute(path)
    await page.getByText('Unsaved changes').waitFor()
    await press(page, 'Save changes')
    await noticeOf(page, 'The changes were saved.')
    expect((await getUser(site, id))?.address).toBe('Third Street 3')
  })

  itLong('a new user, while the roles are still on their way', async () => {
    const page = await site.openAsAdmin('/#/roles')
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(/\/api\/roles/, async (route) => {
      await promise
      await route.continue()
    })
    await page.goto(`${site.url}/#/users/create`)
    await page.reload()
    await field(page, 'Email').fill('typed@example.com')
    resolve()
    await expect.poll(() => page.getByRole('combobox', { name: 'Role' }).inputValue()).toBe('User')
    await expect.poll(() => field(page, 'Email').inputValue()).toBe('typed@example.com')
  })

  itLong('a setting, also where somebody else changes another one', async () => {
    const page = await site.openAsAdmin('/#/settings')
    const minutes = page.getByRole('spinbutton').first()
    await minutes.fill('77')
    await site.api.PATCH('/settings', { body: { 'registration.terms': true } as never })
    await page.getByRole('switch', { name: 'Ask people to accept your terms', checked: true }).waitFor()
    await expect.poll(() => minutes.inputValue()).toBe('77')
    const request = page.waitForRequest((one) => one.method() === 'PATCH')
    await press(page, 'Save changes')
    expect(Object.values((await request).postDataJSON())).toEqual([77])
    await noticeOf(page, 'Settings saved')
  })
})

describe('what was typed is not given up without a question', () => {
  it.each(
    firstOf<[name: string, path: () => string, label: string, to: { role: 'tab' | 'link'; name: string }]>([
      ['for another tab of a user', () => `/#/users/${id}`, 'Address', { role: 'tab', name: 'Security' }],
      [
        'for another page, among the settings',
        () => '/#/settings',
        'Version of the terms',
        { role: 'link', name: 'Roles' },
      ],
      ['nor a new API key', () => '/#/api-keys/create', 'Name', { role: 'link', name: 'Roles' }],
      ['nor a new webhook', () => '/#/webhooks/create', 'Description', { role: 'link', name: 'Roles' }],
      ['nor one’s own details', () => '/#/account', 'Address', { role: 'link', name: 'Roles' }],
      ['nor in a plugin', () => '/#/announcements/create', 'Title', { role: 'link', name: 'Cancel' }],
    ]),
  )('%s', async (_name, path, label, to) => {
    const page = await site.openAsAdmin(path())
    const before = page.url()
    await field(page, label).fill('typed')
    const question = page.waitForEvent('dialog')
    const click = page.getByRole(to.role, { name: to.name, exact: true }).click()
    await (await question).dismiss()
    await click
    expect(page.url()).toBe(before)
    await expect.poll(() => field(page, label).inputValue()).toBe('typed')
    page.on('dialog', (other) => other.accept())
    await page.getByRole(to.role, { name: to.name, exact: true }).click()
    await expect.poll(() => page.url()).not.toBe(before)
  })

  it.each(firstOf(Object.entries(ticks)))('nor what was ticked %s', async (_name, { path, box }) => {
    const page = await site.openAsAdmin(path())
    const before = page.url()
    const tick = page.getByRole('checkbox', { name: box('View activity'), exact: true })
    await tick.check()
    const toRoles = () => page.getByRole('link', { name: 'Roles', exact: true }).first().click()
    expect(await questionAt(page, toRoles)).toBe('Some of your changes are not saved. Leave without them?')
    expect(page.url()).toBe(before)
    await expect.poll(() => tick.isChecked()).toBe(true)
    page.on('dialog', (other) => other.accept())
    await toRoles()
    await page.waitForURL(`${site.url}/#/roles`)
  })

  itLong('also after it was saved once; what was saved needs none', async () => {
    const page = await site.openAsAdmin(`/#/users/${id}`)
    await field(page, 'Address').fill('New Street 2')
    await press(page, 'Save changes')
    await noticeOf(page, 'The changes were saved.')
    await field(page, 'Address').fill('typed again')
    const question = page.waitForEvent('dialog')
    const click = page.getByRole('link', { name: 'Roles', exact: true }).click()
    await (await question).dismiss()
    await click
    await field(page, 'Address').fill('New Street 2')
    await page.getByRole('tab', { name: 'Security' }).click()
    await page.waitForURL(`${site.url}/#/users/${id}/security`)
    expect((await getUser(site, id))?.address).toBe('New Street 2')
  })
})

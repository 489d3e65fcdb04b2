import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, openSite, type Site } from './testing/site.ts'

let site: Site
const password = 'a quiet harbour at dawn'

async function addUser(email: string, fields: Record<string, unknown> = {}): Promise<number> {
  const body = { email, password, password_confirmation: password, role_id: 2, ...fields }
  const { data, error } = await site.api.POST('/users', { body })
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data.data.id
}

const getUser = async (id: number) => (await site.api.GET('/users/{id}', { params: { path: { id } } })).data?.data

const openAsAdmin = (path: string, options: Parameters<Site['open']>[1] = {}) =>
  site.open(path, { as: site.admin, ...options })

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const noticeOf = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor()

beforeAll(async () => {
  site = await openSite()
  await Promise.all([
    addUser('ada@example.com', { username: 'ada', first_name: 'Ada', last_name: 'Lovelace', country_id: 826 }),
    addUser('grace@example.com', { first_name: 'Grace', last_name: 'Hopper', country_id: 840 }),
    addUser('formula@example.com', { first_name: '=1+1', last_name: 'O"Neil, Jr.', phone: '+49 30 1234567' }),
    ...Array.from({ length: 24 }, (_, index) => addUser(`crowd${index}@example.com`)),
  ])
}, 60_000)
afterAll(() => site.close())

describe('the list of users', () => {
  it('searches as one types, filters, sorts and chooses columns, and keeps all of it in the address', async () => {
    const page = await openAsAdmin('/#/users')
    await page.getByText('1-25 of 28').waitFor()
    await page.getByRole('button', { name: 'Go to next page' }).click()
    await page.getByText('26-28 of 28').waitFor()

    const search = page.getByRole('searchbox', { name: 'Search by name, username or email' })
    await search.pressSequentially('LOVEL')
    await page.getByText('1-1 of 1').waitFor()
    expect(await search.evaluate((box) => box === document.activeElement)).toBe(true)
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    await search.fill('@example.com')
    await page.getByText('1-25 of 28').waitFor()

    await page.getByRole('combobox', { name: 'Country' }).fill('united k')
    await page.getByRole('option', { name: /United Kingdom/ }).click()
    await page.getByText('1-1 of 1').waitFor()
    await page.getByRole('button', { name: 'Clear' }).last().click()
    await page.getByText('1-25 of 28').waitFor()

    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Country' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Last sign-in' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Sort by email ascending' }).click()
    await page.getByRole('button', { name: 'Sort by email descending' }).click()
    await rowOf(page, 'grace@example.com').waitFor()

    await page.reload()
    await page.getByRole('columnheader', { name: 'Country' }).waitFor()
    expect(await page.getByRole('columnheader', { name: 'Last sign-in' }).count()).toBe(0)
    expect(await search.inputValue()).toBe('@example.com')
    const emails = await page.locator('tbody tr td:nth-child(3)').allTextContents()
    expect(emails).toEqual([...emails].sort().reverse())
    expect(emails.slice(0, 2)).toEqual(['grace@example.com', 'formula@example.com'])

    await rowOf(page, 'grace@example.com').getByText('Active').click()
    await page.getByRole('tab', { name: 'Profile' }).waitFor()
    await page.getByRole('link', { name: 'Users' }).last().click()
    await rowOf(page, 'grace@example.com').waitFor()
    expect(await search.inputValue()).toBe('@example.com')
  })

  it('bans, unbans, gives a role and deletes many at once, and tells for whom it could not', async () => {
    const ids = [await addUser('bulk1@example.com'), await addUser('bulk2@example.com')]
    const page = await openAsAdmin('/#/users', { refused: [403] })
    const select = async (...emails: string[]) => {
      for (const email of emails) {
        await page.getByRole('searchbox').fill(email)
        await rowOf(page, email).getByRole('checkbox').check()
      }
    }
    await select(site.admin.email, 'bulk1@example.com', 'bulk2@example.com')
    await page.getByRole('button', { name: 'Ban', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Ban 3 users?').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Ban 3 users' }).click()
    await dialog.getByText('1 user could not be banned').waitFor()
    await dialog.getByText('admin: You cannot delete or ban yourself.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    expect((await Promise.all(ids.map(getUser))).map((user) => user?.status)).toEqual(['Banned', 'Banned'])

    await page.getByRole('button', { name: 'Clear the selection' }).click()
    await select('bulk1@example.com', 'bulk2@example.com')
    await page.getByRole('button', { name: 'Unban' }).click()
    await dialog.getByRole('button', { name: 'Unban 2 users' }).click()
    await noticeOf(page, '2 users were unbanned.')

    await select('bulk1@example.com', 'bulk2@example.com')
    await page.getByRole('button', { name: 'Change role' }).click()
    await dialog.getByRole('combobox', { name: 'New role' }).fill('admin')
    await page.getByRole('option', { name: 'Administrator' }).click()
    await dialog.getByRole('button', { name: 'Change the role of 2 users' }).click()
    await noticeOf(page, '2 users were given another role.')

    await select('bulk1@example.com', 'bulk2@example.com')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByRole('button', { name: 'Delete 2 users' }).click()
    await noticeOf(page, '2 users were deleted.')
    expect(await Promise.all(ids.map(getUser))).toEqual([undefined, undefined])
  })

  it('exports the whole filtered list as CSV that no spreadsheet runs', async () => {
    const page = await openAsAdmin('/#/users')
    await page.getByRole('searchbox').fill('formula@')
    await page.getByText('1-1 of 1').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ])
    await noticeOf(page, 'One user was exported.')
    expect(download.suggestedFilename()).toMatch(/^users-\d{4}-\d\d-\d\d\.csv$/)
    const [head, row, end] = (await readFile(await download.path(), 'utf8')).split('\r\n')
    expect(head).toBe(
      '\uFEFFid,first_name,last_name,username,email,phone,address,birthday,role,country,status,last_login,created_at,updated_at',
    )
    expect(row).toMatch(/^\d+,'=1\+1,"O""Neil, Jr\.",,formula@example\.com,'\+49 30 1234567,,,User,,Active,,\d{4}-/)
    expect(end).toBe('')
  })

  it('stops an export when it is cancelled', async () => {
    const page = await openAsAdmin('/#/users')
    await page.getByText('1-25 of').waitFor()
    await page.route('**/api/users?*per_page=100*', () => {}) // an answer that never comes
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    await page.getByRole('progressbar', { name: 'Exporting users' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  it.each([
    ['dark', 1280],
    ['light', 360],
  ] as const)('is accessible in %s at %i px', async (scheme, width) => {
    const page = await openAsAdmin('/#/users?sort=id&order=ASC', { scheme, width })
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    await expectAccessible(page)
    if (width > 600) return
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('combobox', { name: 'Role' }).fill('administrator')
    await page.getByRole('option', { name: 'Administrator' }).click()
    await page.getByText('1-1 of 1').waitFor()
    await page.getByRole('link', { name: site.admin.email }).click()
    await page.getByRole('tab', { name: 'Profile' }).waitFor()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  })
})

describe('a new user', () => {
  it('is created with a generated password; what is wrong stands at its field', async () => {
    const page = await openAsAdmin('/#/users/create', { refused: [422] })
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
})

describe('the page of a user', () => {
  it('changes the profile; only what was changed is sent, and what is wrong stands at its field', async () => {
    const id = await addUser('edit@example.com', { first_name: 'Edith', country_id: 276 })
    const page = await openAsAdmin(`/#/users/${id}`, { refused: [422] })
    await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The email has already been taken.').waitFor()

    await page.getByRole('textbox', { name: 'Email' }).fill('edith@example.com')
    await page.getByRole('textbox', { name: 'First name' }).fill('')
    await page.getByLabel('Birthday').fill('1990-12-10')
    await page.getByRole('combobox', { name: 'Country' }).fill('norw')
    await page.getByRole('option', { name: /Norway/ }).click()
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.getByRole('button', { name: 'Save changes' }).click()
    expect((await sent).postDataJSON()).toEqual({
      email: 'edith@example.com',
      first_name: null,
      birthday: '1990-12-10',
      country_id: 578,
    })
    await noticeOf(page, 'The changes were saved.')
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
  })

  it('sets an avatar: uploaded and cut, from elsewhere, and the default one again', async () => {
    const id = await addUser('face@example.com')
    const page = await openAsAdmin(`/#/users/${id}`, { refused: [422], elsewhere: ['https://cdn.example.com'] })
    const png = await page.evaluate(() => {
      const canvas = document.createElement('canvas')
      canvas.width = 300
      canvas.height = 200
      canvas.getContext('2d')?.fillRect(0, 0, 150, 200)
      return canvas.toDataURL().split(',')[1] as string
    })
    const dialog = page.getByRole('dialog', { name: 'Profile picture' })
    const openDialog = () => page.getByRole('button', { name: 'Change the picture' }).click()
    await openDialog()
    await expectAccessible(page)
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'broken.png',
      mimeType: 'image/png',
      buffer: Buffer.from('no picture'),
    })
    await dialog.getByText('This file is not a picture that can be shown.').waitFor()
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'face.png',
      mimeType: 'image/png',
      buffer: Buffer.from(png, 'base64'),
    })
    await dialog.getByRole('img', { name: 'Preview of the avatar' }).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save the picture' }).click()
    await noticeOf(page, 'The picture was saved.')
    expect((await getUser(id))?.avatar).toMatch(/\/avatars\/[\w-]+\.webp$/)

    await openDialog()
    await dialog.getByLabel('Address of a picture elsewhere').fill('ftp://example.com/a.png')
    await dialog.getByRole('button', { name: 'Use it' }).click()
    await dialog.getByText(/must be an http or https address/).waitFor()
    await dialog.getByLabel('Address of a picture elsewhere').fill(`${site.url}/favicon.svg`)
    await dialog.getByRole('button', { name: 'Use it' }).click()
    await dialog.getByText(/must have a host on the public internet/).waitFor()
    const external = 'https://cdn.example.com/ada.png'
    await dialog.getByLabel('Address of a picture elsewhere').fill(external)
    await dialog.getByRole('button', { name: 'Use it' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect((await getUser(id))?.avatar).toBe(external)

    await openDialog()
    await dialog.getByRole('button', { name: 'Remove the picture' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect((await getUser(id))?.avatar).toMatch(/default\.svg$/)
  })

  it('sets a password, and turns two-factor authentication on and off', async () => {
    const id = await addUser('secure@example.com', { country_id: 276 })
    const page = await openAsAdmin(`/#/users/${id}/security`, { refused: [422] })
    const field = page.getByRole('textbox', { name: 'New password', exact: true })
    await field.fill('secure@example.com')
    await page.getByText('Not the email or the username: not yet').waitFor()
    await page.getByRole('textbox', { name: 'Repeat the password' }).fill('something else')
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByText('The two passwords differ.').waitFor()
    await field.fill('a loud harbour at dusk')
    await page.getByRole('textbox', { name: 'Repeat the password' }).fill('a loud harbour at dusk')
    await page.getByRole('button', { name: 'Set the password' }).click()
    await noticeOf(page, 'The password was set.')
    const login = { username: 'secure@example.com', password: 'a loud harbour at dusk' }
    expect((await site.api.POST('/login', { body: login })).error).toBeUndefined()

    await page.getByRole('textbox', { name: 'Phone number' }).fill('1')
    await page.getByRole('button', { name: 'Send a code' }).click()
    await page
      .getByText(/phone number/i)
      .filter({ hasText: /tried|valid|possible/i })
      .waitFor()
    await page.getByRole('textbox', { name: 'Phone number' }).fill('0170 1234567')
    await page.getByRole('button', { name: 'Send a code' }).click()
    const code = page.getByRole('textbox', { name: 'Code from the SMS' })
    await code.fill('000000')
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('Invalid 2FA token.').waitFor()
    await expectAccessible(page)
    const [token] = (await site.lastMessage('+491701234567')).match(/\d{6}/) ?? ['']
    await code.fill(token)
    await page.getByRole('button', { name: 'Verify' }).click()
    await noticeOf(page, 'Two-factor authentication is on.')
    expect((await getUser(id))?.two_factor_options?.enabled).toBe(true)
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('button', { name: 'Send a code' }).waitFor()
    expect((await getUser(id))?.two_factor_options).toBeNull()
  })

  it('shows sessions and activity, and ends sessions', async () => {
    const id = await addUser('roaming@example.com')
    const body = { username: 'roaming@example.com', password }
    await site.api.POST('/login', { body })
    await site.api.POST('/login', { body })
    const page = await openAsAdmin(`/#/users/${id}/sessions`)
    const ends = page.getByRole('button', { name: /End the session/ })
    await ends.first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
    await noticeOf(page, 'The session was ended.')
    expect(await ends.count()).toBe(1)
    await page.getByRole('button', { name: 'End all' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End all' }).click()
    await page.getByText('is not signed in anywhere').waitFor()
    await page.getByRole('tab', { name: 'Activity' }).click()
    await page.getByText(/ended the sessions of/).waitFor()
    await expectAccessible(page)
  })

  it('bans, unbans and deletes, each after a question', async () => {
    const id = await addUser('gone@example.com')
    const page = await openAsAdmin(`/#/users/${id}`)
    await page.getByRole('button', { name: 'Ban', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Ban' }).click()
    await page.getByRole('button', { name: 'Unban' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unban' }).click()
    await page.getByRole('button', { name: 'Ban', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('gone@example.com')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await noticeOf(page, 'gone@example.com was deleted.')
    await page.getByText('1-25 of').waitFor()
    expect(await getUser(id)).toBeUndefined()
  })
})

describe('who may do less', () => {
  it('sees nothing that would be refused', async () => {
    const manager = await site.createUser(['users.manage'])
    const admin = (await site.api.GET('/me')).data?.data.id
    const page = await site.open(`/#/users/${admin}`, { as: manager })
    await page.getByText(/holds permissions that you lack/).waitFor()
    expect(await page.getByRole('textbox', { name: 'Email' }).isDisabled()).toBe(true)
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Profile', 'Security', 'Sessions'])
    for (const name of ['Save changes', 'Ban', 'Delete', 'Change the picture']) {
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    }
    await page.getByRole('tab', { name: 'Security' }).click()
    await page.getByText('A code by SMS').waitFor()
    expect(await page.locator('main').getByRole('button').count()).toBe(0)
    await page.getByRole('tab', { name: 'Sessions' }).click()
    expect(await page.getByRole('button', { name: /End/ }).count()).toBe(0)
  })

  it('sees no users without the permission', async () => {
    const page = await site.open('/', { as: await site.createUser(['roles.manage']) })
    await page.getByRole('link', { name: 'Roles' }).waitFor()
    expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0)
  })
})

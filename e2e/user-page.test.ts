import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, openSite, type Site } from './testing/site.ts'
import { addUser, getUser, noticeOf, password } from './testing/steps.ts'

let site: Site

beforeAll(async () => {
  site = await openSite()
  await addUser(site, 'ada@example.com', { username: 'ada' })
})
afterAll(() => site.close())

it('nothing on the page of a user moves once it is known what one may change', async () => {
  const id = await addUser(site, 'still@example.com')
  const page = await site.openAsAdmin('/#/roles')
  const known = Promise.withResolvers<void>()
  await page.route('**/api/roles?*', async (route) => {
    await known.promise
    await route.continue()
  })
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const answered = page.waitForResponse(`**/api/users/${id}`)
  await page.goto('about:blank')
  await page.goto(`${site.url}/#/users/${id}/security`)
  await answered
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  known.resolve()
  await page.getByRole('region', { name: 'Set a password' }).waitFor()
  await page.getByText('Nobody has signed in yet.').waitFor()
  expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([])
})

describe('the page of a user', () => {
  it('keeps its own words in order, whatever the name turns round', async () => {
    const id = await addUser(site, 'evil@example.com', { first_name: '\u2067evil\u202e', last_name: 'live' })
    const page = await site.openAsAdmin(`/#/users/${id}/sessions`)
    await page.getByText('evil live is not signed in anywhere.').waitFor()
    await page.getByRole('heading', { name: 'evil live', exact: true }).waitFor()
    expect(await page.title()).toBe('evil live · Gatehouse')
    await page.goto(`${site.url}/#/users/${id}`)
    await page.getByRole('button', { name: 'Ban', exact: true }).click()
    await page.getByRole('dialog', { name: 'Ban evil live?', exact: true }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Ban', exact: true }).click()
    await noticeOf(page, 'evil live was banned.')
  })

  it('changes the profile; only what was changed is sent, and what is wrong stands at its field', async () => {
    const id = await addUser(site, 'edit@example.com', { first_name: 'Edith', country_id: 276 })
    const page = await site.openAsAdmin(`/#/users/${id}`, { refused: [422] })
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

  it('asks for the rest of a date that is half typed, instead of removing it', async () => {
    const id = await addUser(site, 'half@example.com', { birthday: '1990-12-10' })
    const page = await site.openAsAdmin(`/#/users/${id}`)
    const birthday = page.getByLabel('Birthday')
    // The field is drawn anew when the user is loaded again, which undoes a key that was pressed before.
    const isHalfTyped = async () => {
      await birthday.press('Backspace') // the first part, day or month
      return birthday.evaluate((input: HTMLInputElement) => input.validity.badInput)
    }
    await expect.poll(isHalfTyped).toBe(true)
    await page.getByRole('textbox', { name: 'First name' }).fill('Hal')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Write the whole date, or remove all of it.').waitFor()
    for (const key of ['Tab', 'Backspace', 'Tab', 'Backspace', 'Enter']) await page.getByLabel('Birthday').press(key)
    await noticeOf(page, 'The changes were saved.')
    expect(await getUser(site, id)).toMatchObject({ first_name: 'Hal', birthday: null })
  })

  it('sets an avatar: uploaded and cut, from elsewhere, and the default one again', async () => {
    const id = await addUser(site, 'face@example.com')
    const page = await site.openAsAdmin(`/#/users/${id}`, { refused: [422], elsewhere: ['https://cdn.example.com'] })
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
    expect((await getUser(site, id))?.avatar).toMatch(/\/avatars\/[\w-]+\.webp$/)

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
    expect((await getUser(site, id))?.avatar).toBe(external)

    await openDialog()
    await dialog.getByRole('button', { name: 'Remove the picture' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect((await getUser(site, id))?.avatar).toMatch(/default\.svg$/)
  })

  it('sets a password, and turns two-factor authentication on and off', async () => {
    const id = await addUser(site, 'secure@example.com', { country_id: 276 })
    const page = await site.openAsAdmin(`/#/users/${id}/security`, { refused: [422] })
    const field = page.getByRole('textbox', { name: 'New password', exact: true })
    await field.fill('secure@example.com')
    await page.getByText('Not the email or the username: not yet').waitFor()
    await page.getByRole('textbox', { name: 'Repeat the password' }).fill('something else')
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByText('The two passwords differ.').waitFor()
    await field.fill('a loud harbour at dusk')
    await page.getByRole('textbox', { name: 'Repeat the password' }).fill('a loud harbour at dusk')
    const path = `**/api/users/${id}`
    await page.route(path, (route) => (route.request().method() === 'PATCH' ? route.abort() : route.fallback()))
    await page.getByRole('button', { name: 'Set the password' }).click()
    await noticeOf(page, 'The server cannot be reached. Check your connection and try again.')
    await page.unroute(path)
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
    await page.getByText('This code is wrong or has expired.').waitFor()
    await expectAccessible(page)
    const [token] = (await site.lastMessage('+491701234567')).match(/\d{6}/) ?? ['']
    await code.fill(token)
    await page.getByRole('button', { name: 'Verify' }).click()
    await noticeOf(page, 'Two-factor authentication is on.')
    expect((await getUser(site, id))?.two_factor_options?.enabled).toBe(true)
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('button', { name: 'Send a code' }).waitFor()
    expect((await getUser(site, id))?.two_factor_options).toBeNull()
  })

  it('shows sessions and activity, and ends sessions', async () => {
    const id = await addUser(site, 'roaming@example.com')
    const body = { username: 'roaming@example.com', password }
    await site.api.POST('/login', { body })
    await site.api.POST('/login', { body })
    const page = await site.openAsAdmin(`/#/users/${id}/sessions`)
    const ends = page.getByRole('button', { name: /End the session/ })
    await ends.first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
    await noticeOf(page, 'The session was ended.')
    await expect.poll(() => ends.count()).toBe(1)
    await page.getByRole('button', { name: 'End all' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End all' }).click()
    await page.getByText('is not signed in anywhere').waitFor()
    await page.getByRole('tab', { name: 'Activity' }).click()
    await page.getByText(/ended the sessions of/).waitFor()
    await expectAccessible(page)
  })

  it('bans, unbans and deletes, each after a question', async () => {
    const id = await addUser(site, 'gone@example.com')
    const page = await site.openAsAdmin(`/#/users/${id}`, { refused: [404] })
    await page.getByRole('button', { name: 'Ban', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Ban' }).click()
    await page.getByRole('button', { name: 'Unban' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unban' }).click()
    await page.getByRole('button', { name: 'Ban', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('gone@example.com')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await noticeOf(page, 'gone@example.com was deleted.')
    await page.getByText(/^1-\d+ of/).waitFor()
    expect(await getUser(site, id)).toBeUndefined()
    await page.goBack()
    await page.getByText('There is no such user').waitFor()
    await expect.poll(() => page.getByRole('tab').count()).toBe(0)
  })
})

describe('who may do less', () => {
  it('sees nothing that would be refused', async () => {
    const manager = await site.createUser(['users.manage'])
    const admin = (await site.api.GET('/me')).data?.data.id
    const { email, password } = site.admin
    await site.api.POST('/login', { body: { username: email, password } })
    const page = await site.open(`/#/users/${admin}`, { as: manager })
    await page.getByText(/holds permissions that you lack/).waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Email' }).isDisabled()).toBe(true)
    await expect.poll(() => page.getByRole('tab').allTextContents()).toEqual(['Profile', 'Security', 'Sessions'])
    for (const name of ['Save changes', 'Ban', 'Delete', 'Change the picture']) {
      await expect.poll(() => page.getByRole('button', { name }).count()).toBe(0)
    }
    await page.getByRole('tab', { name: 'Security' }).click()
    await page.getByText('A code by SMS').waitFor()
    await expect.poll(() => page.locator('main').getByRole('button').count()).toBe(0)
    await page.getByRole('tab', { name: 'Sessions' }).click()
    await page.getByText('Unknown program').first().waitFor()
    await expect.poll(() => page.getByRole('button', { name: /End/ }).count()).toBe(0)
  })

  it('sees no users without the permission', async () => {
    const page = await site.open('/', { as: await site.createUser(['roles.manage']) })
    await page.getByRole('link', { name: 'Roles' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Users' }).count()).toBe(0)
  })
})

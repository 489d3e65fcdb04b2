import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf } from '../server/src/testing/long-form.ts'
import { openSite, type Site } from './testing/site.ts'
import { addUser, createRole, follow, hold, noticeOf, password, press } from './testing/steps.ts'

let site: Site
let user: number
let roles: { readonly page: number; readonly matrix: number }
let announcement: number | undefined
beforeAll(async () => {
  site = await openSite()
  user = await addUser(site, 'pictured@example.com')
  roles = { page: await createRole(site, 'On its page'), matrix: await createRole(site, 'In the matrix') }
  announcement = (await site.api.POST('/announcements', { body: { title: 'Before', body: 'Text' } })).data?.data.id
})
afterAll(() => site.close())

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

interface Refused {
  readonly path: () => string
  readonly fill: (page: Page) => Promise<unknown>
  readonly button: string
  readonly method: 'POST' | 'PUT' | 'PATCH'
  /** Makes the server refuse it. */
  readonly refuse: () => Promise<unknown>
  readonly said: RegExp
}

const things: Record<string, Refused> = {
  'a new user': {
    path: () => '/#/users/create',
    fill: async (page) => {
      await field(page, 'Email').fill('taken@example.com')
      await field(page, 'Password').fill(password)
      await field(page, 'Repeat the password').fill(password)
    },
    button: 'Create the user',
    method: 'POST',
    refuse: () => addUser(site, 'taken@example.com'),
    said: /taken|in use|already/i,
  },
  'a new role': {
    path: () => '/#/roles/create',
    fill: (page) => field(page, 'Name').fill('Taken'),
    button: 'Create the role',
    method: 'POST',
    refuse: () => createRole(site, 'Taken'),
    said: /taken|in use|already/i,
  },
  'a changed announcement': {
    path: () => `/#/announcements/${announcement}`,
    fill: (page) => field(page, 'Title').fill('After'),
    button: 'Save changes',
    method: 'PATCH',
    refuse: () => site.api.DELETE('/announcements/{id}', { params: { path: { id: announcement as number } } }),
    said: /not found/i,
  },
  'the permissions of a role': {
    path: () => `/#/roles/${roles.page}`,
    fill: (page) => page.getByRole('checkbox', { name: 'View activity', exact: true }).click(),
    button: 'Save permissions',
    method: 'PUT',
    refuse: () => site.api.DELETE('/roles/{id}', { params: { path: { id: roles.page } } }),
    said: /not found/i,
  },
  'a question that nobody is there to answer': {
    path: () => '/#/roles/2',
    fill: (page) => page.getByRole('checkbox', { name: 'Manage users', exact: true }).click(),
    button: 'Save permissions',
    method: 'PUT',
    refuse: () => Promise.resolve(),
    said: /everybody who registers/i,
  },
  'permissions in the matrix': {
    path: () => '/#/permissions',
    fill: (page) => page.getByRole('checkbox', { name: 'In the matrix: View activity' }).click(),
    button: 'Save changes',
    method: 'PUT',
    refuse: () => site.api.DELETE('/roles/{id}', { params: { path: { id: roles.matrix } } }),
    said: /In the matrix: .*not found/i,
  },
  'a picture elsewhere': {
    path: () => `/#/users/${user}`,
    fill: async (page) => {
      await press(page, 'Change the picture')
      await field(page, 'Address of a picture elsewhere').fill('https://example.com/a.png')
    },
    button: 'Use it',
    method: 'PUT',
    refuse: () => site.api.DELETE('/users/{id}', { params: { path: { id: user } } }),
    said: /not found/i,
  },
}

describe('whoever goes elsewhere while something is sent is told that it was refused, and why', () => {
  it.each(firstOf(Object.entries(things), 2))('%s', async (_name, { path, fill, button, method, refuse, said }) => {
    const page = await site.openAsAdmin(path(), { refused: [404, 409, 422] })
    await fill(page)
    const letGo = await hold(page, method)
    await press(page, button)
    page.once('dialog', (dialog) => dialog.accept())
    await follow(page, 'Activity')
    await page.getByRole('columnheader', { name: 'What happened' }).waitFor()
    await refuse()
    await letGo()
    await noticeOf(page, said)
    expect(page.url()).toBe(`${site.url}/#/activity`)
  })

  it('in a dialog, which hides everything else from a screen reader', async () => {
    const page = await site.openAsAdmin('/#/roles/create', { refused: [422] })
    await field(page, 'Name').fill('Taken in a dialog')
    const letGo = await hold(page, 'POST')
    await press(page, 'Create the role')
    page.once('dialog', (dialog) => dialog.accept())
    await follow(page, 'Activity')
    await page.getByRole('columnheader', { name: 'What happened' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await createRole(site, 'Taken in a dialog')
    await letGo()
    await noticeOf(page, /taken|in use|already/i)
    expect(await page.getByRole('columnheader').count()).toBe(0) // hidden
  })
})

describe('a permission that somebody has just deleted', () => {
  it.each(
    firstOf([
      ['the page of a role', (id: number) => `/#/roles/${id}`, 'Save permissions', ''],
      ['the matrix', () => '/#/permissions', 'Save changes', 'Holder of the matrix: '],
    ]),
  )('is left out on %s, which says so and saves the rest', async (where, path, button, prefix) => {
    const id = await createRole(site, where === 'the matrix' ? 'Holder of the matrix' : 'Holder of the page')
    const names = [`gone.${id}`, `kept.${id}`]
    for (const name of names) await site.api.POST('/permissions', { body: { name } })
    const page = await site.openAsAdmin(path(id), { refused: [422], isLive: false })
    for (const name of names) await page.getByRole('checkbox', { name: `${prefix}${name}`, exact: true }).check()
    const { data } = await site.api.GET('/permissions', { params: { query: { per_page: 100 } } })
    const gone = data?.data.find(({ name }) => name === names[0])?.id as number
    await site.api.DELETE('/permissions/{id}', { params: { path: { id: gone } } })
    await press(page, button)
    await noticeOf(page, `gone.${id} was deleted meanwhile.`)
    await expect.poll(async () => (await grantsOf(id)).includes(`kept.${id}`)).toBe(true)
    await expect.poll(() => page.getByRole('button', { name: button, disabled: false }).count()).toBe(0)
  })
})

const grantsOf = async (id: number) =>
  (await site.api.GET('/roles/{id}/permissions', { params: { path: { id } } })).data?.data.map(({ name }) => name) ?? []

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf } from '../server/src/testing/long-form.ts'
import { openSite, type Site } from './testing/site.ts'
import { hold, inDialog, noticeOf, password, press, questionAt } from './testing/steps.ts'

let site: Site
let announcement: number | undefined
beforeAll(async () => {
  site = await openSite()
  announcement = (await site.api.POST('/announcements', { body: { title: 'Before', body: 'Text' } })).data?.data.id
})
afterAll(() => site.close())

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first()

/** From here on, as on a busy machine, the browser goes back and forth in its history only after a moment. */
const goSlowly = () => {
  const go = history.go.bind(history)
  history.go = (steps) => setTimeout(go, 200, steps)
}

interface Sent {
  readonly path: () => string
  readonly fill?: (page: Page) => Promise<unknown>
  readonly button: string
  readonly said: string
}

const things: Record<string, Sent> = {
  'a new user': {
    path: () => '/#/users/create',
    fill: async (page) => {
      await field(page, 'Email').fill('meanwhile@example.com')
      await field(page, 'Password').fill(password)
      await field(page, 'Repeat the password').fill(password)
    },
    button: 'Create the user',
    said: 'was created.',
  },
  'a new role': {
    path: () => '/#/roles/create',
    fill: (page) => field(page, 'Name').fill('Meanwhile'),
    button: 'Create the role',
    said: 'Meanwhile was created.',
  },
  'a new permission': {
    path: () => '/#/permissions/create',
    fill: (page) => field(page, 'Name').fill('meanwhile.read'),
    button: 'Create the permission',
    said: 'meanwhile.read was created.',
  },
  'an announcement': {
    path: () => '/#/announcements/create',
    fill: async (page) => {
      await field(page, 'Title').fill('Meanwhile')
      await field(page, 'Text').fill('Once.')
    },
    button: 'Publish',
    said: 'Published.',
  },
  'a changed announcement': {
    path: () => `/#/announcements/${announcement}`,
    fill: (page) => field(page, 'Title').fill('After'),
    button: 'Save changes',
    said: 'The announcement was saved.',
  },
  'a test mail': {
    path: () => '/#/settings',
    button: 'Send a test mail',
    said: 'A test mail to admin@example.com is on its way.',
  },
}

describe('whoever goes elsewhere while something is sent stays there, and is told of it', () => {
  it.each(firstOf(Object.entries(things), 2))('%s', async (name, { path, fill, button, said }) => {
    const page = await site.openAsAdmin(path())
    await fill?.(page)
    const letGo = await hold(page, button === 'Save changes' ? 'PATCH' : 'POST')
    await press(page, button)
    page.once('dialog', (dialog) => dialog.accept())
    await link(page, 'Activity').click()
    await page.waitForURL(`${site.url}/#/activity`)
    await link(page, 'Roles').click()
    await link(page, 'New role').click()
    await field(page, 'Name').fill(`Other than ${name}`)
    const questions: string[] = []
    page.on('dialog', (dialog) => {
      questions.push(dialog.message())
      dialog.dismiss()
    })
    await letGo()
    await noticeOf(page, said)
    await press(page, 'Create the role')
    await page.waitForURL(/#\/roles\/\d+$/)
    expect(questions).toEqual([])
  })
  describe.each(
    firstOf([
      ['was done', () => Promise.resolve(), 'The key “Left” was revoked.'],
      ['was refused', (id: number) => site.api.DELETE('/api-keys/{id}', { params: { path: { id } } }), /not found/i],
    ]),
  )('also after a question, whose deed %s', (_what, before, said) => {
    it.each(firstOf(['while the browser asks', 'while it goes', 'afterwards']))('%s', async (when) => {
      const id = (await site.api.POST('/api-keys', { body: { name: 'Left' } })).data?.data.id as number
      const page = await site.openAsAdmin('/#/activity', { refused: [404] })
      await link(page, 'API keys').click()
      await link(page, 'Left').click()
      await press(page, 'Revoke')
      const letGo = await hold(page, 'DELETE')
      await inDialog(page, 'Revoke')
      const answer = async () => {
        await before(id)
        await letGo()
      }
      const asked = page.waitForEvent('dialog')
      await page.evaluate(goSlowly)
      await page.evaluate(() => history.go(-2))
      const question = await asked
      const goOn = async () => {
        if (when === 'while the browser asks') await answer()
        await question.accept()
        if (when === 'while it goes') await answer()
        await page.getByRole('columnheader', { name: 'What happened' }).waitFor()
        if (when === 'afterwards') await answer()
      }
      await Promise.all([noticeOf(page, said), goOn()]) // it may have gone again once the list is drawn
      expect(page.url()).toBe(`${site.url}/#/activity`)
    })
  })
  it('and is asked once, however soon they go on', async () => {
    const page = await site.openAsAdmin('/#/roles/create')
    await field(page, 'Name').fill('Left in a hurry')
    await link(page, 'Activity').evaluate((first) => {
      globalThis.confirm = () => {
        document.title += ' asked'
        setTimeout(() => document.querySelector<HTMLElement>('a[href="#/api-keys"]')?.click())
        return true
      }
      ;(first as HTMLElement).click()
    })
    await page.waitForURL(`${site.url}/#/api-keys`)
    await link(page, 'New key').waitFor()
    expect(await page.title()).not.toContain('asked asked')
  })
  it('also where the answer comes while the question is open', async () => {
    const page = await site.openAsAdmin('/#/roles/create')
    await field(page, 'Name').fill('Answered')
    const letGo = await hold(page, 'POST')
    await press(page, 'Create the role')
    page.once('dialog', async (dialog) => {
      await letGo()
      const names = async () => (await site.api.GET('/roles')).data?.data.map(({ name }) => name)
      await expect.poll(names).toContain('Answered')
      await dialog.accept()
    })
    await link(page, 'Activity').click()
    await noticeOf(page, 'Answered was created.')
    await expect.poll(() => page.url()).not.toContain('create')
    expect(page.url()).toBe(`${site.url}/#/activity`)
  })
})

describe('no question goes along to the page that the browser’s Back shows', () => {
  const add: Record<string, (name: string) => Promise<number | undefined>> = {
    users: async (name) => (await site.createUser([], { username: name })).id,
    roles: async (name) => (await site.api.POST('/roles', { body: { name } })).data?.data.id,
    'api-keys': async (name) => (await site.api.POST('/api-keys', { body: { name } })).data?.data.id,
    announcements: async (title) =>
      (await site.api.POST('/announcements', { body: { title, body: 'Text' } })).data?.data.id,
  }
  it.each(
    firstOf([
      ['users', '', 'Ban'],
      ['roles', '', 'Delete'],
      ['api-keys', '', 'Revoke'],
      ['announcements', '/show', 'Delete'],
    ]),
  )('%s', async (path, end, button) => {
    const addressOf = async (name: string) => `#/${path}/${await add[path]?.(name)}${end}`
    const [first, second] = [await addressOf('first-of-two'), await addressOf('second-of-two')]
    const page = await site.openAsAdmin(`/${first}`)
    const shown = (name: string) => page.getByText(name).filter({ visible: true }).first().waitFor()
    await shown('first-of-two')
    await page.evaluate((hash) => location.assign(hash), second)
    await shown('second-of-two')
    await press(page, button)
    await page.getByRole('dialog').waitFor()
    await page.goBack()
    await shown('first-of-two')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })
})

describe('what was typed is not lost without a question', () => {
  const lost = 'Some of your changes are not saved. Leave without them?'

  it('where another address is typed into the address bar', async () => {
    const page = await site.openAsAdmin('/#/roles/create')
    await field(page, 'Name').fill('Half typed')
    const type = (hash: string) => page.evaluate((to) => location.assign(to), hash)
    expect(await questionAt(page, () => type('#/api-keys'))).toBe(lost)
    await page.waitForURL(`${site.url}/#/roles/create`)
    expect(await field(page, 'Name').inputValue()).toBe('Half typed')
    await questionAt(page, () => type('#/api-keys/create'), 'accept')
    await page.getByRole('button', { name: 'Issue the key' }).waitFor()
    await field(page, 'Name').fill('From a typed address')
    expect(await questionAt(page, () => page.evaluate(() => history.back()))).toBe(lost)
    expect(await questionAt(page, () => type('#/activity'))).toBe(lost)
    await page.waitForURL(`${site.url}/#/api-keys/create`)
    await questionAt(page, () => page.evaluate(() => history.back()), 'accept')
    await page.waitForURL(`${site.url}/#/roles/create`)
  })

  it('while a new announcement asks whether it shall be sent', async () => {
    const page = await site.openAsAdmin('/#/announcements')
    await link(page, 'New announcement').click()
    await field(page, 'Title').fill('Half published')
    await field(page, 'Text').fill('Once.')
    await page.getByRole('switch', { name: 'Also send it by mail' }).click()
    await press(page, 'Publish')
    await page.getByRole('dialog').waitFor()
    expect(await questionAt(page, () => page.evaluate(() => history.back()))).toBe(lost)
    await inDialog(page, 'Cancel')
    expect(await field(page, 'Title').inputValue()).toBe('Half published')
    await press(page, 'Publish')
    await questionAt(page, () => page.evaluate(() => history.back()), 'accept')
    await link(page, 'New announcement').waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })
})

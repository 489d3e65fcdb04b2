import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf, itLong } from '../server/src/testing/long-form.ts'
import { openSite, type Site, settled } from './testing/site.ts'
import { addUser, createRole, noticeOf, press, rowOf } from './testing/steps.ts'
import { soon } from './testing/time.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

/** What says at once that there is something new; its banner waits for the next page. */
const bell = (page: Page) => page.getByRole('link', { name: '1 unread announcement' })
const publish = (title: string) => site.api.POST('/announcements', { body: { title, body: 'Text' } })
const change = (id: number, body: object) => site.api.PATCH('/users/{id}', { params: { path: { id } }, body })
const isStream = (request: Request) =>
  request.url().endsWith('/api/me/stream') && request.headers().accept === 'text/event-stream'

const elsewhere = 'What you are changing was changed elsewhere meanwhile.'

/** Opens a page whose stream has begun. */
async function openLive(path: string, as: Parameters<Site['open']>[1] = { as: site.admin }): Promise<Page> {
  const page = await site.open('/login', as)
  const begun = page.waitForResponse((response) => isStream(response.request()))
  await page.goto(site.url + path)
  await begun
  return page
}

interface Editable {
  readonly address: string
  readonly label: string
  /** Changes that field as somebody else. */
  readonly change: (text: string) => Promise<unknown>
}

/** A new record of each kind that has a form. */
const editables: Readonly<Record<string, () => Promise<Editable>>> = {
  'a user': async () => {
    const id = await addUser(site, 'both@example.com')
    return { address: `users/${id}`, label: 'First name', change: (first_name) => change(id, { first_name }) }
  },
  'a role': async () => {
    const path = { id: await createRole(site, 'Both') }
    const send = (description: string) => site.api.PATCH('/roles/{id}', { params: { path }, body: { description } })
    return { address: `roles/${path.id}`, label: 'Description', change: send }
  },
  'a permission': async () => {
    const { data } = await site.api.POST('/permissions', { body: { name: 'both' } })
    const path = { id: data?.data.id ?? 0 }
    const send = (description: string) =>
      site.api.PATCH('/permissions/{id}', { params: { path }, body: { description } })
    return { address: `permissions/${path.id}`, label: 'Description', change: send }
  },
  'an API key': async () => {
    const { data } = await site.api.POST('/api-keys', { body: { name: 'Both' } })
    const path = { id: data?.data.id ?? 0 }
    const send = (name: string) => site.api.PATCH('/api-keys/{id}', { params: { path }, body: { name } })
    return { address: `api-keys/${path.id}`, label: 'Name', change: send }
  },
  'a webhook': async () => {
    const body = { url: 'https://both.example.com/', events: ['user.*'] }
    const { data } = await site.api.POST('/webhooks', { body })
    const path = { id: data?.data.id ?? 0 }
    const send = (description: string) => site.api.PATCH('/webhooks/{id}', { params: { path }, body: { description } })
    return { address: `webhooks/${path.id}`, label: 'Description', change: send }
  },
  'an announcement': async () => {
    const { data } = await publish('Both')
    const path = { id: data?.data.id ?? 0 }
    const send = (body: string) => site.api.PATCH('/announcements/{id}', { params: { path }, body: { body } })
    return { address: `announcements/${path.id}`, label: 'Text', change: send }
  },
  'the settings': async () => ({
    address: 'settings',
    label: 'Version of the terms',
    change: (text) => site.api.PATCH('/settings', { body: { 'registration.terms_version': text } as never }),
  }),
}

describe('somebody else changes', () => {
  it.each(firstOf(Object.entries(editables), 2))('%s that is being changed here, too', async (_name, create) => {
    const { address, label, change } = await create()
    const page = await openLive(`/#/${address}`)
    const field = page.getByRole('textbox', { name: label, exact: true })
    const isTold = () => page.getByText(elsewhere).count()
    await field.waitFor()
    await change('first')
    await expect.poll(() => field.inputValue()).toBe('first')
    await field.fill('mine')
    await change('theirs')
    await expect.poll(isTold).toBe(1)
    await expect.poll(() => field.inputValue()).toBe('mine')
    await press(page, 'Discard mine and load')
    await expect.poll(() => field.inputValue()).toBe('theirs')
    await expect.poll(isTold).toBe(0)

    await field.fill('mine after all')
    await change('theirs again')
    await expect.poll(isTold).toBe(1)
    await page.getByRole('button', { name: /^Save (changes|details)$/ }).click()
    await expect.poll(isTold).toBe(0)
  })
})

describe('what others do', () => {
  it('shows in the list of users, and search and selection stay', async () => {
    const id = await addUser(site, 'watched@example.com', { first_name: 'Before' })
    const page = await openLive('/#/users')
    await page.getByRole('searchbox').fill('watched')
    await rowOf(page, 'Before').getByRole('checkbox').check()
    await change(id, { first_name: 'After', status: 'Banned' })
    await rowOf(page, 'After').getByText('Banned').waitFor()
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('watched')
    await page.getByText('1 selected').waitFor()
  })

  it('shows also where much happens and an answer takes longer than the pause between two refreshes', async () => {
    const [id, other] = [await addUser(site, 'late@example.com'), await addUser(site, 'busy@example.com')]
    const page = await openLive('/#/users')
    await rowOf(page, 'late@example.com').waitFor()
    const pause = (ms: number) => new Promise((next) => setTimeout(next, ms))
    await page.route('**/api/users?*', async (route) => {
      await pause(3_000)
      await route.continue().catch(() => {}) // it was called off
    })
    let isOver = false
    const muchHappens = async () => {
      for (let at = 0; !isOver; at++) {
        await change(other, { first_name: `Busy ${at}` })
        await pause(300)
      }
    }
    const happening = muchHappens()
    await change(id, { first_name: 'Late', last_name: 'Lucy' })
    await rowOf(page, 'Late Lucy')
      .waitFor()
      .finally(() => {
        isOver = true
      })
    await happening
  })

  it('shows on the page of a user, takes nothing away that is being typed, and is not overwritten', async () => {
    const id = await addUser(site, 'edited@example.com', { first_name: 'Old', last_name: 'Old' })
    const page = await openLive(`/#/users/${id}`)
    const first = page.getByRole('textbox', { name: 'First name' })
    const last = page.getByRole('textbox', { name: 'Last name' })
    await change(id, { last_name: 'Seen' })
    await expect.poll(() => last.inputValue()).toBe('Seen')
    await first.fill('Draft')
    await change(id, { last_name: 'Elsewhere' })
    await expect.poll(() => last.inputValue()).toBe('Elsewhere')
    await expect.poll(() => first.inputValue()).toBe('Draft')
    await expect.poll(() => page.getByText(elsewhere).count()).toBe(0)
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await press(page, 'Save changes')
    expect((await sent).postDataJSON()).toEqual({ first_name: 'Draft' })
  })

  it('reaches people without any permission: announcements, and a role of their own', async () => {
    const user = await site.createUser()
    const page = await openLive('/#/account', { as: user })
    await page.getByRole('link', { name: 'My account' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Users' }).count()).toBe(0)
    await publish('Fire drill')
    await bell(page).waitFor()
    await change(user.id, { role_id: 1 })
    await page.getByRole('link', { name: 'Users' }).waitFor()
  })

  it.each(firstOf(['/#/users', '/#/users/1', '/#/roles']))('takes away what a role lost, also at %s', async (path) => {
    const user = await site.createUser(['users.manage', 'roles.manage'])
    const page = await openLive(path, { as: user, refused: [403] }) // requests that are already on their way
    const menu = page.getByRole('navigation', { name: 'Main' })
    await menu.getByRole('link', { name: 'Roles' }).waitFor()
    const content = page.getByText(path === '/#/roles' ? 'Administrator' : site.admin.email).first()
    await content.waitFor()
    const params = { path: { id: user.role_id } }
    await site.api.PUT('/roles/{id}/permissions', { params, body: { permissions: [] } })
    await menu.getByRole('link', { name: 'Roles' }).waitFor({ state: 'detached' })
    await expect.poll(() => menu.getByRole('link', { name: 'Users' }).count()).toBe(0)
    await page.getByText('There is nothing here').waitFor()
    await expect.poll(() => content.count()).toBe(0)
    await site.api.PUT('/roles/{id}/permissions', { params, body: { permissions: ['users.manage', 'roles.manage'] } })
    await content.waitFor()
  })

  it('and an answer that was overtaken by a newer one brings nothing back', async () => {
    const user = await site.createUser(['users.manage', 'roles.manage'])
    const page = await openLive('/#/account', { as: user })
    const roles = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Roles' })
    await roles.waitFor()
    const old = Promise.withResolvers<void>()
    const late = Promise.withResolvers<void>()
    await page.route(
      '**/api/me/permissions',
      async (route) => {
        const response = await route.fetch()
        old.resolve()
        await late.promise
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    const params = { path: { id: user.role_id } }
    await site.api.PUT('/roles/{id}/permissions', { params, body: { permissions: ['roles.manage'] } })
    await old.promise
    await site.api.PUT('/roles/{id}/permissions', { params, body: { permissions: [] } })
    await roles.waitFor({ state: 'detached' })
    const arrived = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/me/permissions'))
    late.resolve()
    await arrived
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    await expect.poll(() => roles.count()).toBe(0)
  })

  it('ends the session here: the password is asked for over the page, and the stream goes on', async () => {
    const user = await site.createUser(['roles.manage'])
    const page = await openLive('/#/roles/create', { as: user })
    await page.getByRole('textbox', { name: 'Name' }).fill('Typed')
    await settled(page) // what is still on its way would be refused
    await site.api.DELETE('/users/{id}/sessions', { params: { path: { id: user.id } } })
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByLabel('Password').fill(user.password)
    const begun = page.waitForResponse((response) => isStream(response.request()))
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Typed')
    await begun
    await publish('Heard again')
    await bell(page).waitFor()
  })
})

itLong('a user who was deleted here is not requested again, however slow the device is', async () => {
  for (let nth = 0; nth < 3; nth++) {
    const email = `leaving${nth}@example.com`
    const page = await openLive(`/#/users/${await addUser(site, email)}`)
    await press(page, 'Delete')
    await page.getByRole('dialog').getByRole('textbox').fill(email)
    const device = await page.context().newCDPSession(page)
    await device.send('Emulation.setCPUThrottlingRate', { rate: 10 })
    await page.keyboard.press('Enter')
    await noticeOf(page, `${email} was deleted.`)
  }
})

describe('the connection', () => {
  it('goes on after the last event when it was cut', async () => {
    const page = await site.open('/login', { as: await site.createUser() })
    const { data } = await site.api.GET('/me/stream')
    const last = String(data?.meta.last_event_id)
    const begun: (string | undefined)[] = []
    await page.route('**/api/me/stream', async (route) => {
      begun.push(route.request().headers()['last-event-id'])
      if (begun.length === 1) {
        return route.fulfill({ contentType: 'text/event-stream', body: `id: ${last}\nevent: ready\ndata: {}\n\n` })
      }
      await publish('During the cut')
      return route.continue()
    })
    await page.goto(`${site.url}/#/account`)
    await bell(page).waitFor()
    expect(begun).toEqual([undefined, last])
  })

  it('asks now and then where something cuts every stream', async () => {
    const page = await site.open('/login', { as: await site.createUser() })
    await page.clock.install()
    await page.route('**/api/me/stream', (route) => (isStream(route.request()) ? route.abort() : route.continue()))
    const asked = page.waitForResponse((response) => {
      const request = response.request()
      return request.url().endsWith('/api/me/stream') && !isStream(request)
    })
    await page.goto(`${site.url}/#/account`)
    await soon(page, asked)
    await publish('By asking')
    await soon(page, bell(page).waitFor())
  })

  it('is one for each tab, and is closed with it', async () => {
    const page = await openLive('/#/')
    let streams = 0
    page.on('request', (request) => {
      if (isStream(request)) streams += 1
    })
    for (const hash of ['#/users', '#/roles', '#/activity']) {
      await page.evaluate((to) => location.assign(to), hash)
      await page.getByRole('row').nth(1).waitFor()
    }
    expect(streams).toBe(0)
    const closed = page.waitForEvent('requestfailed', isStream)
    await page.goto(`${site.url}/check-mail`)
    await closed
  })
})

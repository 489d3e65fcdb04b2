import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf } from '../server/src/testing/long-form.ts'
import { expectAccessible, openSite, type Site } from './testing/site.ts'
import { createRole, noticeOf, press, rowOf } from './testing/steps.ts'

const motto = resolve(import.meta.dirname, 'testing/plugin-motto.js')

let site: Site
beforeAll(async () => {
  site = await openSite({ GATEHOUSE_PLUGINS: `announcements,${motto}` })
})
afterAll(() => site.close())

describe('deliveries', () => {
  it('show the code of a captured SMS', async () => {
    const user = await site.createUser()
    await site.api.PUT('/users/{id}/2fa', {
      params: { path: { id: user.id } },
      body: { country_code: 826, phone_number: '7400123456' },
    })
    const code = /\d{6}/.exec(await site.lastMessage('+447400123456'))?.[0] ?? 'none'
    const page = await site.openAsAdmin('/#/deliveries')
    await page.getByRole('textbox', { name: /Recipient/ }).fill('+4474001')
    await page.getByRole('link', { name: 'Code to turn on two-factor sign-in' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Code' }).innerText()).toBe(code)
    await expect.poll(() => page.getByRole('button', { name: 'Send again now' }).count()).toBe(0)
    await expectAccessible(page)
    const next_try_at = new Date(Date.now() + 20_000).toISOString().slice(0, 19).replace('T', ' ')
    await page.route(/\/api\/deliveries\/\d+$/, async (route) => {
      const answer = await route.fetch()
      return route.fulfill({ json: { data: { ...(await answer.json()).data, status: 'queued', next_try_at } } })
    })
    await page.reload()
    await page.getByText('in a moment').waitFor()
  })

  it('show a captured mail as its reader sees it, and its text; found by its recipient', async () => {
    const user = await site.createUser()
    await site.api.POST('/password/remind', { body: { email: user.email } })
    const page = await site.openAsAdmin('/#/deliveries')
    await page.getByRole('textbox', { name: /Recipient/ }).fill(user.email)
    await page.getByText('1-1 of 1').waitFor()
    await page.getByRole('link', { name: 'Reset your password' }).click()
    const frame = page.frameLocator('iframe[title="Preview: Reset your password"]')
    await frame.getByRole('link', { name: 'Choose a new password' }).waitFor()
    await expect.poll(() => page.locator('iframe').getAttribute('sandbox')).toBe('')
    await page.getByRole('tab', { name: 'Text' }).click()
    await page.getByText('#token=').waitFor()
    await expectAccessible(page)
  })
})

it('a captured mail of somebody above says that its text is hidden, and why', async () => {
  await site.api.POST('/password/remind', { body: { email: site.admin.email } })
  const page = await site.open('/#/deliveries', { as: await site.createUser(['deliveries.view']) })
  await page.getByRole('textbox', { name: /Recipient/ }).fill(site.admin.email)
  await page.getByText('1-1 of 1').waitFor()
  await page.getByRole('link', { name: 'Reset your password' }).click()
  await page.getByText('The text is hidden. It holds a link or code').waitFor()
  await page.getByText('if you held every permission that the recipient holds').waitFor()
  await expectAccessible(page)
})

describe('a test mail', () => {
  it.each(firstOf(['/#/settings', '/#/']))(
    'is sent from %s to oneself, and what became of it is shown',
    async (path) => {
      const page = await site.openAsAdmin(path)
      await press(page, 'Send a test mail')
      await noticeOf(page, `A test mail to ${site.admin.email} is on its way.`)
      await page.frameLocator('iframe[title="Preview: A test mail"]').getByText('can send mail').waitFor()
      await page.getByText('Captured', { exact: true }).first().waitFor()
    },
  )

  it('is sent by whoever may do only that, on a page of settings without any', async () => {
    const as = await site.createUser(['settings.notifications'])
    const page = await site.open('/', { as })
    await page.waitForURL(`${site.url}/#/settings`)
    await press(page, 'Send a test mail')
    await noticeOf(page, `A test mail to ${as.email} is on its way.`)
    await expect.poll(() => page.getByRole('main').getByRole('textbox').count()).toBe(0)
    await expectAccessible(page)
  })

  it('has no button without the permission', async () => {
    const page = await site.open('/#/settings', { as: await site.createUser(['settings.general']) })
    await page.getByText('You may read these settings.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Send a test mail' }).count()).toBe(0)
  })
})

describe('deliveries that are refused', () => {
  let refusing: Site
  let isRefused: boolean
  const mails = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) =>
      done(isRefused ? Object.assign(new Error('5.1.1 No such mailbox'), { responseCode: 550 }) : null),
    onData: (stream, _session, done) => {
      stream.resume().on('end', () => done(null))
    },
  })

  beforeAll(async () => {
    await new Promise<void>((done) => mails.listen(0, '127.0.0.1', done))
    const { port } = mails.server.address() as AddressInfo
    refusing = await openSite({ GATEHOUSE_MAIL_URL: `smtp://127.0.0.1:${port}?tls=opportunistic` })
  })
  afterAll(async () => {
    await refusing.close()
    mails.close()
  })

  it('say why, are sent again when told to, and show nothing of a token', async () => {
    isRefused = true
    const user = await refusing.createUser()
    await refusing.api.POST('/password/remind', { body: { email: user.email } })
    const reason = async () => (await refusing.api.GET('/deliveries')).data?.data[0]?.last_error
    await expect.poll(reason).toContain('No such mailbox')

    const page = await refusing.open('/#/deliveries', { as: refusing.admin })
    await rowOf(page, 'Reset your password').getByText('No such mailbox').waitFor()
    await page.getByRole('link', { name: 'Reset your password' }).click()
    await page.getByText('Only the recipient sees it, and it is erased once it is sent.').waitFor()
    await noticeOf(page, 'No such mailbox')
    await expectAccessible(page)
    // Not before the click arrives, or the outbox may be the first to send it again.
    await page.route('**/retry', (route) => {
      isRefused = false
      return route.continue()
    })
    await press(page, 'Send again now')
    await page.getByText('The text was erased. It held a link or code').waitFor()
    await page.getByText('Sent', { exact: true }).first().waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Send again now' }).count()).toBe(0)
  })
})

describe('activity', () => {
  it('reads as sentences with links, is filtered, and shows all that was kept', async () => {
    const user = await site.createUser([], { first_name: 'Bob', last_name: 'Banned' })
    await site.api.PATCH('/users/{id}', { params: { path: { id: user.id } }, body: { status: 'Banned' } })
    const page = await site.openAsAdmin(`/#/activity?filter=${encodeURIComponent('{"event":"user.banned"}')}`)
    const row = rowOf(page, 'banned Bob Banned')
    await row.getByRole('link', { name: 'Bob Banned' }).waitFor()
    await row.getByRole('button', { name: 'Show the details' }).click()
    await page.getByText('Request ID').waitFor()
    await expectAccessible(page)

    const id = await createRole(site, 'Linked')
    await page.evaluate(() => location.assign('#/activity?filter={"event":"role.created"}'))
    await page.getByRole('link', { name: 'Linked', exact: true }).first().click()
    await page.getByRole('group', { name: 'Permissions of Linked' }).waitFor()
    expect(page.url()).toContain(`/roles/${id}`)
  })

  it('is filtered by an event of a plugin', async () => {
    await site.api.POST('/announcements', { body: { title: 'Noted', body: 'Something' } })
    const page = await site.openAsAdmin('/#/activity')
    await page.getByRole('combobox', { name: 'Event' }).fill('announcement: c')
    await page.getByRole('option', { name: 'Announcement: created' }).click()
    await rowOf(page, 'created an announcement').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Show the details' }).count()).toBe(1)
  })

  it('names nobody as who made sign-ins fail', async () => {
    const user = await site.createUser([], { first_name: 'Fay', last_name: 'Failed' })
    await site.api.POST('/login', { body: { username: user.email, password: 'a wrong password' } })
    const page = await site.openAsAdmin('/#/activity?filter={"event":"user.sign_in_failed"}')
    const row = rowOf(page, 'Failed sign-ins of Fay Failed')
    await row.waitFor()
    await expect.poll(() => row.innerText()).not.toContain('Somebody')
  })
})

describe('settings', () => {
  it('send only what was changed, with errors at their field', async () => {
    const page = await site.openAsAdmin('/#/settings', { refused: [422] })
    const idle = page.getByLabel(/unused session/)
    await idle.waitFor()
    const sent: unknown[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.postDataJSON())
    })
    await idle.fill('90')
    await press(page, 'Save changes')
    await noticeOf(page, 'Settings saved')
    expect(sent).toEqual([{ 'session.idle_minutes': 90 }])
    await expectAccessible(page)
  })

  it('of a plugin that are empty by default can be emptied again', async () => {
    const page = await site.openAsAdmin('/#/settings')
    for (const text of ['Nobody waits', '']) {
      await page.getByLabel('Words of the day').fill(text)
      await press(page, 'Save changes')
      await noticeOf(page, 'Settings saved')
      await page.reload()
      expect((await site.api.GET('/settings')).data?.data).toHaveProperty(['motto.text'], text)
    }
  })

  it('are for reading only without settings.auth', async () => {
    const as = await site.createUser(['settings.general'])
    const page = await site.open('/#/settings', { as })
    await page.getByText('You may read these settings.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Save changes' }).count()).toBe(0)
    await expect.poll(() => page.getByLabel(/unused session/).isDisabled()).toBe(true)
  })
})

it('fits a phone, and tells of what is not there', async () => {
  const page = await site.openAsAdmin('/#/roles', { width: 360, refused: [404], isLive: false })
  for (const path of [
    'roles',
    'roles/1',
    'permissions',
    'api-keys',
    'api-keys/1',
    'deliveries',
    'activity',
    'settings',
  ]) {
    await page.evaluate((hash) => location.assign(hash), `#/${path}`)
    await page.waitForLoadState('networkidle')
    expect({ path, width: await page.evaluate(() => document.documentElement.scrollWidth) }).toEqual({
      path,
      width: 360,
    })
  }
  for (const [path, text] of [
    ['users/import', 'user'],
    ['users/export', 'user'],
    ['roles/9999', 'role'],
    ['permissions/9999', 'permission'],
    ['api-keys/9999', 'API key'],
    ['announcements/9999', 'announcement'],
    ['deliveries/9999/show', 'message'],
    ['announcements/9999/show', 'announcement'],
  ]) {
    await page.evaluate((hash) => location.assign(hash), `#/${path}`)
    await page.getByText(`There is no such ${text}`).waitFor()
  }
})

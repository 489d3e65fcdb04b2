import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, openSite, type Site } from './testing/site.ts'

let site: Site

const openAsAdmin = (path: string, options: Parameters<Site['open']>[1] = {}) =>
  site.open(path, { as: site.admin, ...options })
const noticeOf = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor()
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

async function createRole(name: string, permissions: readonly string[] = []): Promise<number> {
  const id = (await site.api.POST('/roles', { body: { name } })).data?.data.id as number
  await site.api.PUT('/roles/{id}/permissions', { params: { path: { id } }, body: { permissions: [...permissions] } })
  return id
}

async function grantsOf(id: number): Promise<string[]> {
  const { data } = await site.api.GET('/roles/{id}/permissions', { params: { path: { id } } })
  return (data?.data ?? []).map(({ name }) => name)
}

/** What the API answers to a key. */
const statusWith = async (key: string, path = '/users'): Promise<number> =>
  (await fetch(`${site.url}/api${path}`, { headers: { authorization: `Bearer ${key}` } })).status

beforeAll(async () => {
  site = await openSite()
}, 60_000)
afterAll(() => site.close())

describe('roles', () => {
  it('are created, given permissions, renamed and deleted, with errors at their field', async () => {
    await createRole('Taken')
    const page = await openAsAdmin('/#/roles', { refused: [422] })
    await rowOf(page, 'Administrator').getByText('Built in').waitFor()
    await page.getByRole('link', { name: 'New role' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('taken')
    await press(page, 'Create the role')
    await page.getByText('The name has already been taken.').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Support')
    await press(page, 'Create the role')

    await page.getByRole('checkbox', { name: 'Manage users' }).check()
    await page.getByRole('checkbox', { name: 'View activity' }).check()
    await press(page, 'Save permissions')
    await noticeOf(page, 'The permissions of Support were saved.')
    const id = Number(/roles\/(\d+)/.exec(page.url())?.[1])
    expect(await grantsOf(id)).toEqual(['users.manage', 'users.activity'])
    await expectAccessible(page)

    await page.getByLabel('Title').fill('Support team')
    await press(page, 'Save details')
    await noticeOf(page, 'The details were saved.')
    await site.createUser([], { role_id: id })
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText('The one user who has it gets the role User instead.').waitFor()
    await press(page, 'Delete')
    await inDialog(page, 'Delete')
    await noticeOf(page, 'Support team was deleted.')
    await page.getByRole('link', { name: 'Administrator' }).waitFor()
    expect(await rowOf(page, 'Support team').count()).toBe(0)
  })

  it('cannot be deleted or renamed where they are built in, and the administrator holds everything', async () => {
    const page = await openAsAdmin('/#/roles/1')
    const boxes = page.getByRole('group', { name: 'Permissions of Administrator' }).getByRole('checkbox')
    await boxes.first().waitFor()
    for (const box of await boxes.all()) {
      expect([await box.isChecked(), await box.isDisabled()]).toEqual([true, true])
    }
    expect(await page.getByRole('textbox', { name: 'Name' }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  })

  it('can be read only by whoever manages users', async () => {
    const as = await site.createUser(['users.manage'])
    const page = await site.open('/#/roles', { as })
    await rowOf(page, 'Administrator').waitFor()
    expect(await page.getByRole('link', { name: 'New role' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Permissions' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Administrator' }).count()).toBe(0)
  })
})

describe('the matrix of permissions', () => {
  it('saves the changes of several roles, and only when told to', async () => {
    const [editor, reader] = [await createRole('Editor'), await createRole('Reader', ['users.activity'])]
    const page = await openAsAdmin('/#/permissions')
    const give = page.getByRole('checkbox', { name: 'Editor: View deliveries' })
    const take = page.getByRole('checkbox', { name: 'Reader: View activity' })
    await give.check()
    await take.uncheck()
    await page.getByText('Changes to Editor and Reader are not saved yet.').waitFor()
    await take.check()
    await page.getByText('Changes to Editor are not saved yet.').waitFor()
    expect(await grantsOf(editor)).toEqual([])
    await take.uncheck()
    await press(page, 'Save changes')
    await noticeOf(page, 'The permissions were saved.')
    expect(await grantsOf(editor)).toEqual(['deliveries.view'])
    expect(await grantsOf(reader)).toEqual([])
    await expectAccessible(page)
  })

  it('lets nobody give what they lack, or change a role above them, and says why', async () => {
    await createRole('Helper')
    const as = await site.createUser(['roles.manage', 'users.activity'])
    const page = await site.open('/#/permissions', { as })
    await page.getByRole('checkbox', { name: 'Helper: View activity', exact: true }).check()
    const lacked = page.getByRole('checkbox', {
      name: 'Helper: Manage users. You lack this permission yourself, so you cannot give it.',
    })
    expect(await lacked.isDisabled()).toBe(true)
    const above = page.getByRole('checkbox', {
      name: /^Editor: View activity\. This role holds a permission that you lack/,
    })
    expect(await above.isDisabled()).toBe(true)
    expect(await page.getByRole('link', { name: 'New permission' }).count()).toBe(0)
    await press(page, 'Save changes')
    await noticeOf(page, 'The permissions were saved.')
  })

  it('has permissions of our own, which come and go; built-in ones stay', async () => {
    const page = await openAsAdmin('/#/permissions', { width: 360 })
    await page.getByRole('link', { name: 'New permission' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('no spaces')
    await press(page, 'Create the permission')
    await page.getByText('Letters, digits, dot, colon, hyphen and underscore only').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('invoices.read')
    await press(page, 'Create the permission')
    await page.getByRole('checkbox', { name: 'User: invoices.read', exact: true }).waitFor()
    await page.getByRole('link', { name: 'invoices.read' }).click()
    await press(page, 'Delete')
    await inDialog(page, 'Delete')
    await noticeOf(page, 'invoices.read was deleted.')
    await page.getByRole('link', { name: 'Manage users' }).click()
    await page.getByText('This permission is built in').waitFor()
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  })
})

describe('API keys', () => {
  it('are issued within a scope, shown once, copied, rotated, changed and revoked', async () => {
    const page = await openAsAdmin('/#/api-keys')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('link', { name: 'New key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Nightly import')
    await page.getByRole('radio', { name: 'Only these' }).check()
    await page.getByRole('checkbox', { name: 'Manage users' }).check()
    await press(page, 'Issue the key')
    const secret = page.getByRole('textbox', { name: 'API key' })
    const first = await secret.innerText()
    expect(first).toMatch(/^gh_[\w-]{43}$/)
    await press(page, 'Copy')
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first)
    expect([await statusWith(first), await statusWith(first, '/deliveries')]).toEqual([200, 403])
    await expectAccessible(page)

    await page.getByRole('link', { name: 'I have copied it' }).click()
    const row = rowOf(page, 'Nightly import')
    await row.getByText('users.manage').waitFor()
    expect(await row.getByText('You', { exact: true }).count()).toBe(1)
    await page.getByRole('link', { name: 'Nightly import' }).click()
    await press(page, 'Rotate')
    await inDialog(page, 'Rotate')
    const second = await secret.innerText()
    await inDialog(page, 'I have copied it')
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200])

    await page.getByRole('radio', { name: 'Everything you may' }).check()
    await page.getByLabel('Expires').click()
    await page.getByRole('option', { name: 'On a day…' }).click()
    await page.getByLabel('Last day').fill('2001-01-01')
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain('gh_')
    await page.getByLabel('Last day').fill('2099-12-31')
    await press(page, 'Save changes')
    await noticeOf(page, 'The changes were saved.')
    const { data } = await site.api.GET('/api-keys', { params: { query: { sort: '-id', per_page: 1 } } })
    expect(data?.data[0]).toMatchObject({ permissions: null, expires_at: '2099-12-31 23:59:59' })
    expect(await statusWith(second, '/deliveries')).toBe(200)

    await press(page, 'Revoke')
    await inDialog(page, 'Revoke')
    await noticeOf(page, 'The key “Nightly import” was revoked.')
    expect(await statusWith(second)).toBe(401)
  })

  it('tell of a wrong expiry at its field', async () => {
    const page = await openAsAdmin('/#/api-keys/create', { refused: [422], width: 360, scheme: 'dark' })
    await page.getByRole('textbox', { name: 'Name' }).fill('Late')
    await page.getByLabel('Expires').click()
    await page.getByRole('option', { name: 'On a day…' }).click()
    await page.getByLabel('Last day').fill('2001-01-01')
    await press(page, 'Issue the key')
    await page.getByText('The expires at field must lie in the future.').waitFor()
    await expectAccessible(page)
  })

  it('of somebody above are shown without a button', async () => {
    const as = await site.createUser(['api-keys.manage', 'users.manage'])
    const page = await site.open('/#/api-keys/1', { as })
    await page.getByText('This key belongs to somebody else.').waitFor()
    expect(await page.getByRole('button', { name: /Save|Rotate|Revoke/ }).count()).toBe(0)
    const mine = await site.createUser(['api-keys.manage'])
    const own = await site.open('/#/api-keys/create', { as: mine })
    await own.getByRole('radio', { name: 'Only these' }).check()
    expect(await own.getByRole('group', { name: 'Permissions of the key' }).getByRole('checkbox').count()).toBe(1)
  })
})

describe('deliveries', () => {
  it('show the code of a captured SMS', async () => {
    const user = await site.createUser()
    await site.api.PUT('/users/{id}/2fa', {
      params: { path: { id: user.id } },
      body: { country_code: 826, phone_number: '7400123456' },
    })
    const code = /\d{6}/.exec(await site.lastMessage('+447400123456'))?.[0] ?? 'none'
    const page = await openAsAdmin('/#/deliveries')
    await page.getByRole('textbox', { name: /Recipient/ }).fill('+4474001')
    await page.getByRole('link', { name: 'Code to turn on two-factor sign-in' }).click()
    expect(await page.getByRole('textbox', { name: 'Code' }).innerText()).toBe(code)
    expect(await page.getByRole('button', { name: 'Send again now' }).count()).toBe(0)
    await expectAccessible(page)
  })

  it('show a captured mail as its reader sees it, and its text; found by its recipient', async () => {
    const user = await site.createUser()
    await site.api.POST('/password/remind', { body: { email: user.email } })
    const page = await openAsAdmin('/#/deliveries')
    await page.getByRole('textbox', { name: /Recipient/ }).fill(user.email)
    await page.getByText('1-1 of 1').waitFor()
    await page.getByRole('link', { name: 'Reset your password' }).click()
    const frame = page.frameLocator('iframe[title="Preview: Reset your password"]')
    await frame.getByRole('link', { name: 'Choose a new password' }).waitFor()
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('')
    await page.getByRole('tab', { name: 'Text' }).click()
    await page.getByText('#token=').waitFor()
    await expectAccessible(page)
  })
})

describe('deliveries that are refused', () => {
  let refusing: Site
  let isRefused = true
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
  }, 60_000)
  afterAll(async () => {
    await refusing.close()
    mails.close()
  })

  it('say why, are sent again when told to, and show nothing of a token', async () => {
    const user = await refusing.createUser()
    await refusing.api.POST('/password/remind', { body: { email: user.email } })
    const reason = async () => (await refusing.api.GET('/deliveries')).data?.data[0]?.last_error
    await expect.poll(reason, { timeout: 10_000 }).toContain('No such mailbox')

    const page = await refusing.open('/#/deliveries', { as: refusing.admin })
    await rowOf(page, 'Reset your password').getByText('No such mailbox').waitFor()
    await page.getByRole('link', { name: 'Reset your password' }).click()
    await page.getByText('Its text is shown to its recipient alone').waitFor()
    await noticeOf(page, 'No such mailbox')
    await expectAccessible(page)
    isRefused = false
    await press(page, 'Send again now')
    await page.getByText('This message held a token or code, so its text was erased.').waitFor()
    await page.getByText('Sent', { exact: true }).first().waitFor()
    expect(await page.getByRole('button', { name: 'Send again now' }).count()).toBe(0)
  })
})

describe('activity', () => {
  it('reads as sentences with links, is filtered, and shows all that was kept', async () => {
    const user = await site.createUser([], { first_name: 'Bob', last_name: 'Banned' })
    await site.api.PATCH('/users/{id}', { params: { path: { id: user.id } }, body: { status: 'Banned' } })
    const page = await openAsAdmin(`/#/activity?filter=${encodeURIComponent('{"event":"user.banned"}')}`)
    const row = rowOf(page, 'banned Bob Banned')
    await row.getByRole('link', { name: 'Bob Banned' }).waitFor()
    await row.getByRole('button', { name: 'Show the details' }).click()
    await page.getByText('Request ID').waitFor()
    await expectAccessible(page)

    const id = await createRole('Linked')
    await page.evaluate(() => location.assign('#/activity?filter={"event":"role.created"}'))
    await page.getByRole('link', { name: 'Linked', exact: true }).first().click()
    await page.getByRole('group', { name: 'Permissions of Linked' }).waitFor()
    expect(page.url()).toContain(`/roles/${id}`)
  })
})

describe('settings', () => {
  it('send only what was changed, with errors at their field', async () => {
    const page = await openAsAdmin('/#/settings', { refused: [422] })
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

  it('are for reading only without settings.auth', async () => {
    const as = await site.createUser(['settings.general'])
    const page = await site.open('/#/settings', { as })
    await page.getByText('You may read these settings.').waitFor()
    expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0)
    expect(await page.getByLabel(/unused session/).isDisabled()).toBe(true)
  })
})

it('fits a phone, and tells of what is not there', async () => {
  const page = await openAsAdmin('/#/roles', { width: 360, refused: [404] })
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
    ['roles/9999', 'role'],
    ['permissions/9999', 'permission'],
    ['api-keys/9999', 'API key'],
    ['deliveries/9999/show', 'message'],
  ]) {
    await page.evaluate((hash) => location.assign(hash), `#/${path}`)
    await page.getByText(`There is no such ${text}`).waitFor()
  }
})

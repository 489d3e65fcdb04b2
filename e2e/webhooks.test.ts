import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { itLong } from '../server/src/testing/long-form.ts'
import { picture } from './testing/passkeys.ts'
import { expectAccessible, openSite, type Site, visit } from './testing/site.ts'
import { addUser, inDialog, noticeOf, press } from './testing/steps.ts'

let site: Site
beforeAll(async () => {
  site = await openSite({ GATEHOUSE_WEBHOOK_NETWORKS: '127.0.0.0/8' })
})
afterAll(() => site.close())

interface Received {
  readonly headers: Record<string, string>
  readonly body: string
}

interface Receiver {
  readonly url: string
  readonly received: Received[]
  status: number
}

/** Takes messages on loopback, until the test is over. */
async function startReceiver(): Promise<Receiver> {
  const receiver = { url: '', received: [] as Received[], status: 200 }
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('')
    receiver.received.push({ headers: request.headers as Record<string, string>, body })
    response.writeHead(receiver.status, { 'content-type': 'application/json' }).end('{"thanks":"received"}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return receiver
}

async function chooseEvent(page: Page, typed: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Events' }).fill(typed)
  await page.getByRole('option', { name: option, exact: true }).click()
}

async function createWebhook(url: string, events: string[]): Promise<number> {
  const { data } = await site.api.POST('/webhooks', { body: { url, events, description: 'Keeps the CRM up to date' } })
  return data?.data.id as number
}

/** What the keyboard would press. */
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

const attempts = (page: Page) => page.getByRole('region', { name: 'Attempts' })

describe('a webhook', () => {
  it('is created with events from a list, shows its secret once, and gets a signed test', async () => {
    const receiver = await startReceiver()
    const page = await site.openAsAdmin('/#/webhooks')
    await page.getByText('There is no webhook yet').waitFor()
    await page.getByRole('link', { name: 'New webhook' }).first().click()
    await page.getByLabel('URL', { exact: false }).fill(receiver.url)
    await page.getByRole('combobox', { name: 'Events' }).click()
    await page.getByRole('option', { name: 'Everything', exact: true }).waitFor()
    await expectAccessible(page) // options in groups
    await chooseEvent(page, 'user', 'User: everything')
    await chooseEvent(page, 'role: created', 'Role: created')
    await page.keyboard.press('Escape')
    await page.getByLabel('Description').fill('Keeps the CRM up to date')
    await expectAccessible(page)
    await picture(page, 'webhook-create')
    await press(page, 'Create the webhook')
    const secret = (await page.getByRole('textbox', { name: 'Signing secret' }).textContent()) ?? ''
    await picture(page, 'webhook-secret')
    expect(await focused(page)).toBe('Copy')
    await press(page, 'I have copied it')
    await attempts(page).getByText('Nothing has been sent yet.').waitFor()
    expect(await page.content()).not.toContain(secret)
    await press(page, 'Send a test')
    await attempts(page).getByText('Webhook: tested').waitFor()
    await press(page, 'Show')
    await attempts(page).getByRole('region', { name: 'Request' }).getByText('"webhook.tested"').waitFor()
    await attempts(page).getByRole('region', { name: 'Answer' }).getByText('"received"').waitFor()
    await expectAccessible(page)
    await picture(page, 'webhook-page')
    const [{ body = '', headers = {} } = {}] = receiver.received
    expect(new Verifier(secret).verify(body, headers)).toMatchObject({ type: 'webhook.tested' })
    await page.goto(`${site.url}/#/webhooks`)
    await page.getByRole('row').filter({ hasText: 'User: everything, Role: created' }).getByText('On').waitFor()
    await picture(page, 'webhooks')
  })

  it('shows what failed and how it does; a message is sent again, and a range of time', async () => {
    const receiver = await startReceiver()
    receiver.status = 500
    const id = await createWebhook(receiver.url, ['permission.created'])
    const page = await site.openAsAdmin(`/#/webhooks/${id}`, { width: 390, height: 800 })
    await site.api.POST('/permissions', { body: { name: 'shelves.build' } })
    await attempts(page).getByText('answered 500', { exact: false }).waitFor()
    await attempts(page).getByText('0 of the last 1 succeeded', { exact: false }).waitFor()
    receiver.status = 204
    await press(page, 'Show')
    await attempts(page).getByRole('button', { name: 'Send again' }).click()
    await attempts(page).getByText('answered 204', { exact: false }).waitFor()
    await attempts(page).getByText('1 of the last 2 succeeded', { exact: false }).waitFor()
    await expectAccessible(page)
    await picture(page, 'webhook-phone')
    await press(page, 'Replay')
    await page.getByLabel('From').and(page.locator(':focus')).waitFor()
    await expectAccessible(page)
    await picture(page, 'webhook-replay')
    await inDialog(page, 'Send again')
    await noticeOf(page, 'One message is sent.')
    await attempts(page).getByText('2 of the last 3 succeeded', { exact: false }).waitFor()
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  it('takes no year of five digits for a replay: the API has none', async () => {
    const page = await site.openAsAdmin(`/#/webhooks/${await createWebhook('http://127.0.0.1:1/hook', ['user.*'])}`)
    await press(page, 'Replay')
    const to = page.getByRole('textbox', { name: 'To' })
    for (const _ of ['day', 'month']) await to.press('ArrowRight')
    await page.keyboard.type('20261')
    await expect.poll(() => to.inputValue()).toMatch(/^2026-/)
  })

  it('says in words why no answer came', async () => {
    const id = await createWebhook('http://127.0.0.1:1/hook', ['permission.created'])
    await site.api.POST('/webhooks/{id}/test', { params: { path: { id } } })
    const page = await site.openAsAdmin(`/#/webhooks/${id}`)
    await attempts(page).getByText('Connection refused (ECONNREFUSED) after', { exact: false }).first().waitFor()
  })

  it('is changed and switched off, gets a new secret, and is deleted', async () => {
    const receiver = await startReceiver()
    const id = await createWebhook(receiver.url, ['announcement.*', 'role.created'])
    const page = await site.openAsAdmin(`/#/webhooks/${id}`)
    await page.getByRole('button', { name: 'announcement.*' }).waitFor() // a plugin's, by its name
    await page.getByLabel('Send messages').uncheck()
    await press(page, 'Save changes')
    await page.getByText('Nothing is sent. What happens meanwhile', { exact: false }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Send a test' }).count()).toBe(0)
    await press(page, 'Rotate')
    await inDialog(page, 'Rotate')
    const dialog = page.getByRole('dialog', { name: 'The webhook has a new secret' })
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Signing secret' }).textContent()).toMatch(/^whsec_/)
    await inDialog(page, 'I have copied it')
    await expect.poll(() => focused(page)).toBe('Rotate')
    const { data } = await site.api.GET('/webhooks/{id}', { params: { path: { id } } })
    expect(data?.data).toMatchObject({ enabled: false, events: ['announcement.*', 'role.created'] })
    await press(page, 'Delete')
    await inDialog(page, 'Delete')
    await noticeOf(page, 'The webhook was deleted.')
    expect((await site.api.GET('/webhooks/{id}', { params: { path: { id } } })).response.status).toBe(404)
  })

  it('offers a typed event among those of plugins', async () => {
    const page = await site.openAsAdmin('/#/webhooks/create')
    await page.getByRole('combobox', { name: 'Events' }).fill('stock.emptied')
    const group = page.getByRole('group', { name: 'Plugins' })
    await group.getByRole('option', { name: 'Add “stock.emptied”' }).click()
    await page.getByRole('combobox', { name: 'Events' }).fill('')
    await page.getByRole('option', { name: 'Everything', exact: true }).waitFor()
    await expect.poll(() => page.getByRole('group', { name: 'undefined' }).count()).toBe(0)
  })

  it('says at the field what is wrong', async () => {
    const page = await site.openAsAdmin('/#/webhooks/create', { refused: [422] })
    await page.getByLabel('URL', { exact: false }).fill('http://10.0.0.1/hook')
    await chooseEvent(page, 'role: created', 'Role: created')
    await page.keyboard.press('Escape')
    await press(page, 'Create the webhook')
    await page.getByText('GATEHOUSE_WEBHOOK_NETWORKS', { exact: false }).waitFor()
  })
})

describe('the live events', () => {
  it('come while they happen, of one kind, and not while paused', async () => {
    const page = await site.openAsAdmin('/')
    await page.goto(`${site.url}/#/events`)
    const list = page.getByRole('region', { name: 'Live events' })
    await list.getByText('User: created · ', { exact: false }).first().waitFor()
    await addUser(site, 'fresh.fred@example.com')
    await list.getByText('User: created · fresh.fred@example.com').waitFor()
    await list.getByRole('link', { name: 'admin' }).first().waitFor() // by whom
    await list.getByRole('button', { name: 'Show' }).first().click()
    await list.getByRole('region', { name: 'Event' }).getByText('"user.created"').waitFor()
    await expectAccessible(page)
    await picture(page, 'events')
    await page.getByLabel('About').click()
    await page.getByRole('option', { name: 'Role', exact: true }).click()
    await site.api.POST('/roles', { body: { name: 'Heard' } })
    await list.getByText('Role: created', { exact: false }).first().waitFor()
    await expect.poll(() => list.getByText('fresh.fred').count()).toBe(0)
    await list.getByRole('button', { name: 'Pause' }).click()
    await list.getByText('Paused').waitFor()
    const before = await list.getByRole('listitem').count()
    const { data } = await site.api.POST('/roles', { body: { name: 'Missed' } })
    // It is in the feed, and would be here.
    await expect
      .poll(async () => {
        const query = { last: '1', types: 'role.created' }
        return (await site.api.GET('/events', { params: { query } })).data?.data[0]?.data.subject.id
      })
      .toBe(data?.data.id)
    await expect.poll(() => list.getByRole('listitem').count()).toBe(before)
    await list.getByRole('button', { name: 'Go on' }).click()
    await list.getByText(`Role: created · Role ${data?.data.id}`).waitFor()
  })

  it('can be those of a plugin alone', async () => {
    await site.api.POST('/announcements', { body: { title: 'Heard', body: 'Something' } })
    const page = await site.openAsAdmin('/')
    await page.goto(`${site.url}/#/events`)
    await page.getByLabel('About').click()
    await page.getByRole('option', { name: 'Announcement', exact: true }).click()
    const list = page.getByRole('region', { name: 'Live events' })
    await list.getByText('Announcement: created', { exact: false }).first().waitFor()
    await expect.poll(() => list.getByText('User: created', { exact: false }).count()).toBe(0)
  })
})

describe('many webhooks and attempts', () => {
  itLong('show those that fail, and every attempt or those that failed', async () => {
    const receiver = await startReceiver()
    const id = await createWebhook(receiver.url, ['permission.deleted'])
    for (let at = 0; at < 30; at++) await createWebhook(`${receiver.url}/${at}`, ['backup.created'])
    const send = () => site.api.POST('/webhooks/{id}/test', { params: { path: { id } } })
    for (let at = 0; at < 70; at++) await send()
    await expect.poll(() => receiver.received.length).toBe(70)
    receiver.status = 500
    await send()
    await expect.poll(() => receiver.received.length).toBe(71)

    const page = await site.openAsAdmin(`/#/webhooks/${id}`)
    const rows = attempts(page).getByRole('listitem')
    for (let shown = 10; shown <= 70; shown += 10) {
      await expect.poll(() => rows.count()).toBe(shown)
      await press(page, 'Show more')
    }
    await expect.poll(() => page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
    expect(await rows.count()).toBeGreaterThan(70)
    await page.getByRole('switch', { name: 'Failures only' }).check()
    await expect.poll(() => rows.count()).toBeLessThan(10)
    const failures = await rows.allInnerTexts()
    expect(failures.filter((row) => row.includes('Answered 500'))).toEqual(failures)
    await expectAccessible(page)

    await visit(page, `${site.url}/#/webhooks`)
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Failing' }).click()
    const standing = page.locator('tbody .column-enabled')
    await expect.poll(async () => [...new Set(await standing.allInnerTexts())]).toEqual(['Failing'])
    await page.getByRole('link', { name: receiver.url, exact: true }).first().waitFor()
    await expectAccessible(page)
  })
})

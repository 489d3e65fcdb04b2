import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { expectAccessible, openSite, type Site } from './testing/site.ts'
import { publish } from './testing/steps.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const notice = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor()

describe('who manages announcements', () => {
  it('writes one with a live preview, sends it by mail after a question, sees how far it is, changes and deletes it', async () => {
    const page = await site.open('/#/announcements/create', { as: site.admin, refused: [404, 422] })
    await page.getByRole('textbox', { name: 'Title' }).fill('Opening hours')
    const text = page.getByRole('textbox', { name: 'Text' })
    await text.fill('hello')
    await text.press('ControlOrMeta+a')
    await page.getByRole('button', { name: 'Bold' }).click()
    await expect.poll(() => text.inputValue()).toBe('**hello**')
    await text.press('ControlOrMeta+End')
    await text.pressSequentially('\n\n<b>x</b>')
    const preview = page.frameLocator('iframe[title="Preview of the text"]')
    await preview.locator('strong', { hasText: 'hello' }).waitFor()
    await preview.getByText('<b>x</b>').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Publish' }).click()
    await notice(page, 'Published.')
    await page.getByRole('heading', { name: 'Opening hours' }).waitFor()
    await page.frameLocator('iframe[title="Text of Opening hours"]').locator('strong', { hasText: 'hello' }).waitFor()

    await page.getByRole('button', { name: 'Send by mail' }).click()
    const dialog = page.getByRole('dialog')
    const { data } = await site.api.GET('/announcements/recipients')
    const many = data?.data.count === 1 ? '1 mail' : `${data?.data.count} mails`
    await expectAccessible(page)
    await dialog.getByRole('button', { name: `Send ${many}` }).click()
    await page.getByText('Sent by mail', { exact: true }).waitFor()
    await page.getByText(`${data?.data.count} of ${many} sent`).waitFor()
    expect(await site.lastMessage(site.admin.email)).toContain('hello')

    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByText('nobody is mailed again').waitFor()
    await text.fill('Something else')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.frameLocator('iframe[title="Text of Opening hours"]').getByText('Something else').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await notice(page, 'The announcement was deleted.')
    await page.getByRole('link', { name: 'New announcement' }).first().waitFor()
    await page.goBack()
    await page.getByText('There is no such announcement').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    await page.getByRole('main').getByRole('link', { name: 'Announcements' }).click()
    await page.getByRole('link', { name: 'New announcement' }).first().waitFor()
  })

  it('publishes and sends at once, when the question is answered with yes', async () => {
    const page = await site.open('/#/announcements/create', { as: site.admin })
    await page.getByRole('textbox', { name: 'Title' }).fill('At once')
    await page.getByRole('textbox', { name: 'Text' }).fill('To all')
    await page.getByRole('switch', { name: 'Also send it by mail' }).click()
    const dialog = page.getByRole('dialog')
    for (const answer of [/^Cancel/, /^Publish and send \d+ mail/]) {
      await page.getByRole('button', { name: 'Publish', exact: true }).click()
      await dialog.getByRole('button', { name: answer }).click()
      await dialog.waitFor({ state: 'hidden' })
    }
    await page.getByText('Sent by mail', { exact: true }).waitFor()
    const { data } = await site.api.GET('/announcements', { params: { query: { 'filter[title]': 'At once' } } })
    expect(data?.meta.total).toBe(1)
  })

  it('shows the mails on their way, and stops them', async () => {
    await site.createUser()
    await site.createUser()
    const { id } = await publish(site, 'To be stopped', 'text')
    const page = await site.open(`/#/announcements/${id}/show`, { as: site.admin })
    const progress = { status: 'running', total: 1200, queued: 300, sent: 895, failed: 2, skipped: 3 }
    let status = 'running'
    await page.route(`**/api/announcements/${id}/notifications`, (route) => {
      if (route.request().method() === 'DELETE') status = 'cancelled'
      return route.fulfill({ json: { data: { ...progress, status } } })
    })
    await page.getByRole('button', { name: 'Send by mail' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Send \d+ mails/ })
      .click()
    await page.getByText('895 of 1,197 mails sent').waitFor()
    await expect
      .poll(() => page.getByRole('progressbar', { name: 'Mails sent' }).getAttribute('aria-valuenow'))
      .toBe('75')
    await page.getByText(/2 mails could not be delivered/).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop sending' }).click()
    await page.getByText('Stopped', { exact: true }).waitFor()
  })

  it('has a table of them; what is wrong stands at its field', async () => {
    const page = await site.open('/#/announcements', { as: site.admin, refused: [422] })
    await page.getByRole('link', { name: 'To be stopped' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'New announcement' }).click()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('A title is needed.').waitFor()
    await page.getByText('A text is needed.').waitFor()
    await page.setViewportSize({ width: 360, height: 640 })
    await page.getByRole('textbox', { name: 'Title' }).fill('Long')
    const text = page.getByRole('textbox', { name: 'Text' })
    for (const [typed, why] of [
      ['', 'A text is needed.'],
      ['b'.repeat(20_001), '20000'],
    ]) {
      await text.fill(typed ?? '')
      await page.getByRole('tab', { name: 'Preview' }).click()
      await page.getByRole('button', { name: 'Publish' }).press('Enter')
      await text.and(page.locator(':focus')).waitFor()
      await page
        .getByText(why ?? '')
        .first()
        .waitFor()
    }
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })
})

describe('everybody else', () => {
  it('reads: a banner for the newest, a number for the unread, and nothing that would be refused', async () => {
    const reader = await site.createUser()
    const [, second] = [await publish(site, 'Older news', 'old'), await publish(site, 'Newest news', 'A *new* thing')]
    const page = await site.open('/#/announcements', { as: reader, width: 360, scheme: 'dark' })
    await page.getByRole('link', { name: '2 unread announcements' }).waitFor()
    await page.getByRole('img', { name: 'Unread' }).first().waitFor()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    for (const name of ['New announcement', 'Edit', 'Delete', 'Send by mail']) {
      await expect.poll(() => page.getByRole('link', { name }).or(page.getByRole('button', { name })).count()).toBe(0)
    }
    const banner = page.getByRole('complementary', { name: 'Newest announcement' })
    // On a busy machine it may take longer than the page waits for it: then it comes with the next one.
    const isShown = async () => {
      if (await banner.isVisible()) return true
      await page.reload()
      await page.getByRole('link', { name: '2 unread announcements' }).waitFor()
      return false
    }
    await expect.poll(isShown).toBe(true)
    await banner.getByRole('link', { name: 'Read' }).click()
    await page.frameLocator('iframe').locator('em', { hasText: 'new' }).waitFor()
    await page.getByRole('link', { name: '1 unread announcement' }).waitFor()
    await expectAccessible(page)
    expect(second.title).toBe('Newest news')
    await banner.getByRole('button', { name: 'Mark as read' }).click()
    await banner.waitFor({ state: 'hidden' })
    await page.getByRole('banner').getByRole('link', { name: 'Announcements', exact: true }).click()
    await page.getByRole('switch', { name: 'Send me new announcements by mail' }).click()
    await notice(page, 'You will get no more announcements by mail.')
  })

  it('sees nothing move once the list is there', async () => {
    const page = await site.open('/login', { as: await site.createUser(), width: 360 })
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/api/announcements?*sort*', async (route) => {
      await promise
      await route.continue()
    })
    const asked = page.waitForRequest('**/api/announcements?*sort*')
    await page.goto(`${site.url}/#/announcements`)
    await asked
    await page.getByRole('heading', { name: 'Announcements', level: 1 }).waitFor()
    expect(await page.getByText('Send me new announcements by mail').isVisible()).toBe(false)
    resolve()
    await page.getByText('Send me new announcements by mail').waitFor()
  })

  it('finds none of it where the plugin is not installed', async () => {
    const without = await openSite({ GATEHOUSE_PLUGINS: '' })
    onTestFinished(() => without.close())
    const page = await without.open('/', { as: without.admin })
    await page.getByRole('link', { name: 'Dashboard' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: /announcement/i }).count()).toBe(0)
  })
})

it('the activity tells in words who started or stopped mails, and who wants them', async () => {
  const { id } = await publish(site, 'In words', 'text')
  await site.api.POST('/announcements/{id}/notifications', { params: { path: { id } } })
  for (const subscribed of [false, true]) await site.api.PUT('/announcements/subscription', { body: { subscribed } })
  const page = await site.open('/#/activity', { as: site.admin })
  await page.getByText('admin turned off announcements by mail for their own account').waitFor()
  await page.getByText('admin turned on announcements by mail for their own account').waitFor()
  await page.getByText('admin started to send an announcement by mail').first().waitFor()
  await page.getByText('admin created an announcement').first().waitFor()
})

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf } from '../server/src/testing/long-form.ts'
import { type Account, openSite, type Site, visit } from './testing/site.ts'

let site: Site
let someone: Account & { id: number }
const ids: Record<'role' | 'permission' | 'key' | 'announcement' | 'webhook' | 'victim', number> = {
  role: 0,
  permission: 0,
  key: 0,
  announcement: 0,
  webhook: 0,
  victim: 0,
}

const long = (length: number) => 'W'.repeat(length)
const rightToLeft = 'محمد بن عبد الله بن عبد العزيز آل سعود'
const emoji = '👩‍👩‍👧‍👦🏳️‍🌈'.repeat(12)
const password = 'a quiet harbour at dawn'

const idOf = (answer: { data?: { data: { id: number } }; error?: unknown }): number => {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error))
  return answer.data.data.id
}

beforeAll(async () => {
  site = await openSite()
  const { api } = site
  const create = async (email: string, fields: object) =>
    idOf(
      await api.POST('/users', {
        body: { email, password, password_confirmation: password, role_id: ids.role, ...fields },
      }),
    )
  ids.role = idOf(
    await api.POST('/roles', { body: { name: long(100), display_name: long(250), description: long(250) } }),
  )
  ids.permission = idOf(
    await api.POST('/permissions', { body: { name: long(100), display_name: long(250), description: long(250) } }),
  )
  const email = `${long(60)}@${long(60)}.example.com`.toLowerCase()
  const id = await create(email, { first_name: long(250), role_id: 1 })
  ids.victim = await create('victim@example.com', { first_name: long(125), last_name: long(125), username: long(250) })
  await create('rtl@example.com', { first_name: rightToLeft, username: rightToLeft })
  await create('emoji@example.com', { first_name: emoji })
  someone = { id, email, password }
  const context = await site.browser.newContext()
  const as = (method: string, path: string, data: object) =>
    context.request.fetch(`${site.url}/api${path}`, { method, data, headers: { origin: site.url } })
  await as('POST', '/login', { username: email, password, cookie: true })
  const key = await as('POST', '/api-keys', { name: long(250) })
  ids.key = (await key.json()).data.id
  const written = await as('POST', '/announcements', { title: long(150), body: long(1000) })
  ids.announcement = (await written.json()).data.id
  const url = `https://example.com/${long(200)}`
  const webhook = await as('POST', '/webhooks', { url, events: ['*'], description: long(100), enabled: false })
  ids.webhook = (await webhook.json()).data.id
  await as('PATCH', `/users/${ids.victim}`, { last_name: long(120) })
  await as('PATCH', `/roles/${ids.role}`, { description: rightToLeft })
  await as('POST', '/announcements', { title: `${rightToLeft} ${emoji}`, body: 'Text' })
  await site.api.POST('/password/remind', { body: { email } })
  await context.close()
})
afterAll(() => site.close())

/** What sticks out: of the window to the side, of what scrolls to the side, or of a cell into the next; or is cut unseen. A section cuts what is too wide, and on paper it does not. */
const stickingOut = (page: Page) =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const nameOf = (element: Element) => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 30)}`
    const found =
      document.documentElement.scrollWidth > width ? [`the page: ${document.documentElement.scrollWidth}`] : []
    for (const element of document.querySelectorAll('body *')) {
      const { overflowX } = getComputedStyle(element)
      const scrolls = overflowX === 'auto' || overflowX === 'scroll'
      const isMeant = element.closest('[aria-label="Permissions of roles"], .MuiTabs-root') !== null
      if (scrolls && !isMeant && element.scrollWidth > element.clientWidth + 1)
        found.push(`scrolls: ${nameOf(element)}`)
      if (element.matches('[role=dialog], [role=dialog] button, main button, header button')) {
        const { left, right } = element.getBoundingClientRect()
        if (right > width + 1 || left < -1) found.push(`off the screen: ${nameOf(element)}`)
      }
    }
    for (const section of document.querySelectorAll('section.MuiPaper-root')) {
      if (section.scrollWidth > section.clientWidth + 1) found.push(`cuts: ${nameOf(section)}`)
    }
    // A box in the title that is not of the line is cut in the middle of a letter.
    for (const part of document.querySelectorAll('h1#react-admin-title *')) {
      if (getComputedStyle(part).display !== 'inline') found.push(`has no ellipsis: ${nameOf(part)}`)
    }
    return found
  })

const comesToRestMs = 2_000

/** The same where it does not go away: a page that is still being drawn may stick out for a moment. */
async function stillStickingOut(page: Page): Promise<string[]> {
  let found: string[] = []
  const look = async () => {
    found = await stickingOut(page)
    return found
  }
  await expect
    .poll(look, { timeout: comesToRestMs })
    .toEqual([])
    .catch(() => {})
  return found
}

const pages: [path: string, waitFor: string][] = [
  ['/#/', 'Recent activity'],
  ['/#/users', 'victim@example.com'],
  ['/#/users/{victim}', 'Danger zone'],
  ['/#/users/{victim}/security', 'Set a password'],
  ['/#/users/{victim}/sessions', 'is not signed in anywhere'],
  ['/#/users/{victim}/activity', 'What the user did'],
  ['/#/roles', 'Administrator'],
  ['/#/roles/{role}', 'Danger zone'],
  ['/#/permissions', 'users.manage'],
  ['/#/permissions/{permission}', 'Danger zone'],
  ['/#/api-keys', 'Everything its owner may'],
  ['/#/api-keys/{key}', 'Danger zone'],
  ['/#/deliveries', 'Reset your password'],
  ['/#/activity', 'created'],
  ['/#/account', 'Second factors'],
  ['/#/webhooks', 'https://example.com/W'],
  ['/#/webhooks/{webhook}', 'Delete this webhook'],
  ['/#/events', 'Live events'],
  ['/#/jobs', 'Jobs'],
  ['/#/settings', 'Save changes'],
  ['/#/announcements', 'Send me new'],
  ['/#/announcements/{announcement}/show', 'Not sent by mail'],
]

const dialogs: [path: string, button: string][] = [
  ['/#/users/{victim}', 'Ban'],
  ['/#/users/{victim}', 'Delete'],
  ['/#/users/{victim}', 'Change the picture'],
  ['/#/roles/{role}', 'Delete'],
  ['/#/permissions/{permission}', 'Delete'],
  ['/#/api-keys/{key}', 'Revoke'],
  ['/#/api-keys/{key}', 'Rotate'],
  ['/#/announcements/{announcement}/show', 'Delete'],
  ['/#/announcements/{announcement}/show', 'Send by mail'],
]

const addressOf = (path: string) => path.replace(/\{(\w+)\}/, (_, name: keyof typeof ids) => String(ids[name]))

describe.each(firstOf([360, 1280]))('with names of any length and direction, at %i px', (width) => {
  it('every page keeps to its place', async () => {
    const page = await site.open('/#/', { as: someone, width })
    const problems: Record<string, string[]> = {}
    for (const [path, text] of pages) {
      await visit(page, site.url + addressOf(path))
      await page.getByText(text).first().waitFor()
      const found = await stillStickingOut(page)
      if (found.length > 0) problems[path] = found
    }
    expect(problems).toEqual({})
  })

  it('every dialog keeps to its place', async () => {
    const page = await site.open('/#/', { as: someone, width })
    const problems: Record<string, string[]> = {}
    for (const [path, button] of dialogs) {
      await visit(page, site.url + addressOf(path))
      await page.getByRole('button', { name: button, exact: true }).first().click()
      await page.getByRole('dialog').waitFor()
      const found = await stillStickingOut(page)
      if (found.length > 0) problems[`${path}, ${button}`] = found
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(problems).toEqual({})
  })

  it('the menu of the account', async () => {
    const page = await site.open('/#/account', { as: someone, width })
    await page.getByRole('button', { name: /^Your account/ }).click()
    const box = await page.getByRole('menu').boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
  })
})

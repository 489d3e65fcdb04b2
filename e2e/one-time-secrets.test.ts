import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from './testing/site.ts'
import { hold, inDialog, press, questionAt } from './testing/steps.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
}, 60_000)
afterAll(() => site.close())

const toRoles = (page: Page) => () => page.getByRole('link', { name: 'Roles', exact: true }).click()
/** A frame later than the last click, as nobody is quicker: the question is ready by then. */
const back = (page: Page) => () =>
  page.evaluate(() => {
    requestAnimationFrame(() => setTimeout(() => history.back()))
  })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

const unanswered = 'The server has not answered yet. Leave without waiting?'
const unkept = 'The secret is shown only now. Leave without it?'

interface Form {
  readonly path: string
  readonly fill: (page: Page) => Promise<unknown>
  readonly button: string
  readonly secret: string
  readonly next: RegExp
}

const forms: Record<string, Form> = {
  'an API key': {
    path: 'api-keys',
    fill: (page) => field(page, 'Name').fill('Kept'),
    button: 'Issue the key',
    secret: 'API key',
    next: /#\/api-keys$/,
  },
  'a webhook': {
    path: 'webhooks',
    fill: async (page) => {
      await field(page, 'URL').fill('https://receiver.example.com/')
      await page.getByRole('combobox', { name: 'Events' }).click()
      await page.getByRole('option', { name: 'Everything', exact: true }).click()
      await page.keyboard.press('Escape')
    },
    button: 'Create the webhook',
    secret: 'Signing secret',
    next: /#\/webhooks\/\d+$/,
  },
}

describe('a secret that is shown once is not given up without a question', () => {
  it.each(Object.entries(forms))('%s', async (_name, { path, fill, button, secret, next }) => {
    const page = await site.openAsAdmin(`/#/${path}`)
    await page.getByRole('link', { name: /^New / }).click()
    await fill(page)
    const letGo = await hold(page, 'POST')
    await press(page, button)
    expect(await questionAt(page, toRoles(page))).toBe(unanswered)
    letGo()
    await field(page, secret).waitFor()
    for (const leave of [toRoles, back]) expect(await questionAt(page, leave(page))).toBe(unkept)
    await field(page, secret).waitFor()
    await page.waitForURL(`${site.url}/#/${path}/create`)
    const questions: string[] = []
    page.on('dialog', (dialog) => questions.push(dialog.message()))
    await press(page, 'I have copied it')
    await page.waitForURL(next)
    expect(questions).toEqual([])
  })

  it('a new secret', async () => {
    const { data } = await site.api.POST('/api-keys', { body: { name: 'Rotated' } })
    const page = await site.openAsAdmin('/#/api-keys')
    await page.getByRole('link', { name: 'Rotated' }).click()
    await press(page, 'Rotate')
    const letGo = await hold(page, 'POST')
    await inDialog(page, 'Rotate')
    expect(await questionAt(page, back(page))).toBe(unanswered)
    letGo()
    await field(page, 'API key').waitFor()
    expect(await questionAt(page, back(page))).toBe(unkept)
    await page.waitForURL(`${site.url}/#/api-keys/${data?.data.id}`)
    await inDialog(page, 'I have copied it')
    await field(page, 'API key').waitFor({ state: 'hidden' })
    await page.goBack()
    await page.waitForURL(`${site.url}/#/api-keys`)
  })
})

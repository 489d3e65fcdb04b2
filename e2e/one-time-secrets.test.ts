import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf, itLong } from '../server/src/testing/long-form.ts'
import { addAuthenticator, enrolPasskey } from './testing/passkeys.ts'
import { openSite, type Site } from './testing/site.ts'
import { follow, hold, inDialog, noticeOf, press, questionAt } from './testing/steps.ts'
import { soon } from './testing/time.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const toRoles = (page: Page) => () => page.getByRole('link', { name: 'Roles', exact: true }).click()
/** A frame later than the last click, as nobody is quicker: the question is ready by then. */
const back = (page: Page) => () =>
  page.evaluate(() => {
    requestAnimationFrame(() => setTimeout(() => history.back()))
  })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

/** Leaves for the roles, also from a dialog, and says yes to the question once `meanwhile` is over. */
async function leave(page: Page, meanwhile?: () => Promise<unknown>): Promise<void> {
  page.once('dialog', async (dialog) => {
    await meanwhile?.()
    await dialog.accept()
  })
  await follow(page, 'Roles')
  await page.waitForURL(`${site.url}/#/roles`)
}

const unanswered = 'The server has not answered yet. Leave without waiting?'
const unkept = 'The secret is shown only now. Leave without it?'

interface Form {
  readonly path: string
  readonly fill: (page: Page) => Promise<unknown>
  readonly button: string
  readonly secret: string
  readonly next: RegExp
  readonly lost: string
}

const forms: Record<string, Form> = {
  'an API key': {
    path: 'api-keys',
    fill: (page) => field(page, 'Name').fill('Kept'),
    button: 'Issue the key',
    secret: 'API key',
    next: /#\/api-keys$/,
    lost: 'The key “Kept” was issued after you had left: nobody has seen its secret.',
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
    lost: 'The webhook was created after you had left: nobody has seen its secret.',
  },
}

describe('a secret that is shown once is not given up without a question', () => {
  it.each(firstOf(Object.entries(forms)))('%s', async (_name, { path, fill, button, secret, next }) => {
    const page = await site.openAsAdmin(`/#/${path}`)
    await page.getByRole('link', { name: /^New / }).click()
    await fill(page)
    const letGo = await hold(page, 'POST')
    await press(page, button)
    expect(await questionAt(page, toRoles(page))).toBe(unanswered)
    await letGo()
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
    await letGo()
    await field(page, 'API key').waitFor()
    expect(await questionAt(page, back(page))).toBe(unkept)
    await page.waitForURL(`${site.url}/#/api-keys/${data?.data.id}`)
    await inDialog(page, 'I have copied it')
    await field(page, 'API key').waitFor({ state: 'hidden' })
    await page.goBack()
    await page.waitForURL(`${site.url}/#/api-keys`)
  })
})

const addKey = async (name: string) => (await site.api.POST('/api-keys', { body: { name } })).data?.data.id
const addWebhook = async (description: string) => {
  const body = { url: 'https://receiver.example.com/', events: ['*'], description }
  return (await site.api.POST('/webhooks', { body })).data?.data.id
}

interface Rotation {
  readonly path: () => Promise<string>
  readonly button: string
  readonly secret: string
  readonly lost: string
}

const rotations: Record<string, Rotation> = {
  'an API key': {
    path: async () => `/#/api-keys/${await addKey('Slow')}`,
    button: 'Rotate',
    secret: 'API key',
    lost: 'The key “Slow” was rotated after you had left: nobody has seen its new secret.',
  },
  'a webhook': {
    path: async () => `/#/webhooks/${await addWebhook('Slow')}`,
    button: 'Rotate',
    secret: 'Signing secret',
    lost: 'The webhook was given a new secret after you had left: nobody has seen it.',
  },
}

describe('a secret that the server takes long to give', () => {
  it.each(firstOf(Object.entries(rotations)))(
    'keeps its question open: %s',
    async (_name, { path, button, secret }) => {
      const page = await site.openAsAdmin(await path())
      await page.clock.install()
      await press(page, button)
      const letGo = await hold(page, 'POST')
      await inDialog(page, button)
      await soon(page, page.getByRole('dialog').getByText('This takes longer than usual.').waitFor())
      await page.keyboard.press('Escape')
      await expect.poll(() => page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
      expect(await questionAt(page, () => follow(page, 'Roles'))).toBe(unanswered)
      await letGo()
      await field(page, secret).waitFor()
    },
  )

  describe('is said to be lost to whoever left', () => {
    it.each(firstOf(Object.entries(rotations)))('of %s that is rotated', async (_name, { path, button, lost }) => {
      const page = await site.openAsAdmin(await path())
      await press(page, button)
      const letGo = await hold(page, 'POST')
      await inDialog(page, button)
      await leave(page)
      await letGo()
      await noticeOf(page, lost)
    })

    it.each(firstOf(Object.entries(forms)))('of %s that is new', async (_name, { path, fill, button, lost }) => {
      const page = await site.openAsAdmin(`/#/${path}/create`)
      await fill(page)
      const letGo = await hold(page, 'POST')
      await press(page, button)
      await leave(page)
      await letGo()
      await noticeOf(page, lost)
    })

    it('also where it comes while they are asked', async () => {
      const { path, button, lost } = rotations['an API key'] as Rotation
      const page = await site.openAsAdmin(await path())
      await press(page, button)
      const asked = Promise.withResolvers<void>()
      const answered = Promise.withResolvers<void>()
      await page.route('**/rotate', async (route) => {
        const response = await route.fetch()
        await asked.promise
        await route.fulfill({ response })
        answered.resolve()
      })
      await inDialog(page, button)
      await leave(page, () => {
        asked.resolve()
        return answered.promise
      })
      await noticeOf(page, lost)
    })

    itLong('of recovery codes', async () => {
      const user = await site.createUser()
      const page = await site.open('/#/account', { as: user })
      await addAuthenticator(page)
      await enrolPasskey(page, user.password)
      await press(page, 'New recovery codes')
      await page.getByRole('dialog').getByLabel('Current password').fill(user.password)
      const letGo = await hold(page, 'POST')
      await inDialog(page, 'Make new codes')
      page.once('dialog', (dialog) => dialog.accept())
      await page.evaluate(() => location.assign('#/'))
      await page.waitForURL(`${site.url}/#/`)
      await letGo()
      await noticeOf(page, 'New recovery codes were made after you had left: nobody has seen them.')
    })
  })
})

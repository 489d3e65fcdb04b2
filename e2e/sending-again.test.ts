import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { firstOf } from '../server/src/testing/long-form.ts'
import { fillSignIn, heading } from './testing/passkeys.ts'
import { openSite, type Site } from './testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

/** Holds back the answer to every request to this path, until `answer` is called. */
async function hold(page: Page, path: string) {
  const { promise, resolve } = Promise.withResolvers<(route: Route) => Promise<void>>()
  await page.route(`**${path}`, async (route) => (await promise)(route))
  return { answer: resolve }
}

const refusals: [name: string, answer: (route: Route) => Promise<void>, said: string, label: string][] = [
  ['not reached', (route) => route.abort(), 'The server cannot be reached.', 'Send it again'],
  [
    'too many',
    (route) => route.fulfill({ status: 429, headers: { 'retry-after': '20' }, json: { message: 'No', code: 'x' } }),
    'Too many attempts. Please try again in 20 seconds.',
    'Send it again in 20 s',
  ],
  ['sent', (route) => route.fulfill({ json: { success: true } }), 'Sent.', 'Send it again in 60 s'],
]

it.each(firstOf(refusals))(
  '“Send it again” shows that it works, and waits only after it was sent: %s',
  async (...row) => {
    const [, answer, said, label] = row
    const page = await site.open('/forgot-password', { refused: [429] })
    await page.clock.install()
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await heading(page, 'Check your mail').waitFor()
    const again = page.getByRole('button', { name: /^Send it again/ })
    while ((await again.getAttribute('aria-disabled')) === 'true') await page.clock.fastForward(1_000)
    await page.clock.pauseAt(Date.now() + 3_600_000)
    const sending = await hold(page, '/api/password/remind')
    await again.click()
    await page.locator('button[data-busy]', { hasText: 'Send it again' }).waitFor()
    sending.answer(answer)
    await page.getByRole('status').filter({ hasText: said }).waitFor()
    await expect.poll(() => again.innerText()).toBe(label)
    await expect.poll(() => page.locator('[data-busy]').count()).toBe(0)
  },
)

it('“Get a code by SMS” shows that it works', async () => {
  const page = await site.open('/login')
  await page.route('**/api/login', (route) =>
    route.fulfill({ json: { challenge: 'c', methods: ['totp', 'sms', 'recovery_code'] } }),
  )
  const sending = await hold(page, '/api/login/2fa/sms')
  await fillSignIn(page, 'ada@example.com', 'a quiet harbour at dawn')
  await page.getByRole('button', { name: 'Get a code by SMS' }).click()
  const busy = page.locator('[data-busy]')
  await busy.waitFor()
  await expect.poll(() => busy.innerText()).toBe('Get a code by SMS')
  sending.answer((route) => route.fulfill({ json: { success: true } }))
  await page.getByText('We sent a code of 6 digits').waitFor()
  await expect.poll(() => busy.count()).toBe(0)
})

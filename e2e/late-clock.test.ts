import { afterAll, beforeAll, expect, it } from 'vitest'
import { itLong } from '../server/src/testing/long-form.ts'
import { openSite, type Site } from './testing/site.ts'
import { inDialog, rowOf } from './testing/steps.ts'

/* The clock and the time zone of the browser. */

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

/** Any day, as the console writes it. Where the tests began before midnight, it is yesterday. */
const day = /\d{1,2} \p{L}{3,4} 20\d\d/u
const ahead = /\bin (a|an|\d+) (second|minute|hour|day)s?\b|\btomorrow\b/

/** A page of a browser in this time zone. */
async function openIn(timezoneId: string) {
  const page = await site.openAsAdmin('/')
  await page.goto('about:blank') // what is loaded keeps the zone that it began in
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setTimezoneOverride', { timezoneId })
  return page
}

itLong('where the clock of the browser is a day behind, nothing that has happened lies ahead', async () => {
  const page = await site.openAsAdmin('/#/roles')
  await page.clock.setFixedTime(Date.now() - 86_400_000)
  for (const path of [
    '/#/',
    '/#/activity',
    '/#/users/1',
    '/#/users/1/security',
    '/#/users/1/sessions',
    '/#/api-keys/1',
  ]) {
    await page.goto('about:blank')
    await page.goto(site.url + path)
    await page.locator('main time', { hasText: day }).first().waitFor()
    await expect.poll(() => page.getByRole('main').innerText()).not.toMatch(ahead)
  }
  await page.goto(`${site.url}/#/users/1/sessions`)
  // The time is not said twice where the page says both.
  const active = await page.locator('time', { hasText: day }).last().innerText()
  expect(active.split(day)).toHaveLength(2)
})

it('the last day of an API key is the one that was chosen, also east of Greenwich', async () => {
  await site.api.POST('/api-keys', { body: { name: 'Until new year', expires_at: '2098-12-31 23:59:59' } })
  const page = await openIn('Europe/Berlin')
  await page.goto(`${site.url}/#/api-keys`)
  await rowOf(page, 'Until new year').getByText('31 Dec 2098').waitFor()
})

itLong('the last hour is sent again, also where clocks went back in it', async () => {
  const body = { url: 'https://receiver.example.com/', events: ['user.*'] }
  const { data } = await site.api.POST('/webhooks', { body })
  const page = await openIn('Europe/Berlin')
  await page.clock.setFixedTime(new Date('2026-10-25T01:30:00Z'))
  await page.goto(`${site.url}/#/webhooks/${data?.data.id}`)
  await page.getByRole('button', { name: 'Replay', exact: true }).click()
  const sent = Promise.withResolvers<unknown>()
  await page.route('**/replay', async (route) => {
    sent.resolve(route.request().postDataJSON())
    await route.fulfill({ json: { data: { messages: 0 } } })
  })
  await inDialog(page, 'Send again')
  expect(await sent.promise).toEqual({ from: '2026-10-25 00:30:00', to: '2026-10-25 01:30:00' })
})

import { expect, it } from 'vitest'
import { openSite } from './testing/site.ts'

const ahead = /\bin (a|an|\d+) (second|minute|hour|day)s?\b|\btomorrow\b/

it('where the clock of the browser is a day behind, nothing that has happened lies ahead', async () => {
  const site = await openSite()
  try {
    const page = await site.openAsAdmin('/#/roles')
    await page.clock.setFixedTime(Date.now() - 86_400_000)
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(Date.now())
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
  } finally {
    await site.close()
  }
})

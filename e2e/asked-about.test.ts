import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itLong } from '../server/src/testing/long-form.ts'
import { openSite, type Site } from './testing/site.ts'
import { addUser, createRole, getUser, inDialog, noticeOf, press } from './testing/steps.ts'

/* What is done is done to those who were asked about, whatever the page shows by now. */

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const dialogs = (page: Awaited<ReturnType<Site['open']>>) => page.getByRole('dialog')

/** Three users of each name; the list shows those of the second, and Back those of the first. */
async function searchTwice(first: string, second: string) {
  for (const name of [first, second]) for (const at of [1, 2, 3]) await addUser(site, `${name}${at}@example.com`)
  // Oldest first, so that the list shows none of those who are waited for before it is searched.
  const page = await site.openAsAdmin('/#/users?perPage=2&sort=id&order=ASC')
  for (const name of [first, second]) {
    await page.getByRole('searchbox').fill(name)
    await page.getByRole('link', { name: `${name}2@example.com` }).waitFor()
  }
  return page
}

describe('the browser’s Back, to what another filter finds', () => {
  it('ends the question about all who match', async () => {
    const page = await searchTwice('alpha', 'bravo')
    await page.getByRole('checkbox', { name: 'Select everybody on this page' }).check()
    await press(page, 'Select all 3 that match')
    await press(page, 'Delete')
    await dialogs(page).waitFor()
    await page.goBack()
    await page.getByText('alpha').filter({ visible: true }).first().waitFor()
    await expect.poll(() => dialogs(page).count()).toBe(0)
  })

  itLong('leaves an export as it was asked for', async () => {
    const page = await searchTwice('gamma', 'delta')
    await press(page, 'Export')
    await dialogs(page).waitFor()
    await page.goBack()
    await page.waitForURL(/gamma/)
    const download = page.waitForEvent('download')
    await inDialog(page, 'Export')
    const text = await readFile(await (await download).path(), 'utf8')
    expect(text.match(/(?:gamma|delta)\d/g)?.sort()).toEqual(['delta1', 'delta2', 'delta3'])
  })

  itLong('calls the proof off that was asked for on another page', async () => {
    const [one, other] = [await addUser(site, 'proof1@example.com'), await addUser(site, 'proof2@example.com')]
    const page = await site.openAsAdmin(`/#/users/${other}`, { refused: [403] })
    await page.evaluate((hash) => location.assign(hash), `#/users/${one}`)
    await page.getByText('proof1@example.com').first().waitFor()
    const body = JSON.stringify({ message: 'Confirm first.', code: 'reauthentication_required' })
    await page.route(`**/api/users/${one}`, (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 403, contentType: 'application/json', body })
        : route.fallback(),
    )
    await press(page, 'Delete')
    await dialogs(page).getByRole('textbox').fill('proof1@example.com')
    await inDialog(page, 'Delete')
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor()
    page.once('dialog', (dialog) => dialog.accept())
    await page.evaluate(() => void setTimeout(() => history.back(), 10))
    await page.waitForURL(new RegExp(`users/${other}$`))
    await expect.poll(() => dialogs(page).count()).toBe(0)
    expect(await getUser(site, one)).toBeDefined()
  })
})

itLong('what became of all who matched is said, with its undo, where nobody matches any more', async () => {
  const ids: number[] = []
  for (const at of [1, 2, 3, 4]) ids.push(await addUser(site, `echo${at}@example.com`))
  for (const id of ids) await site.api.PATCH('/users/{id}', { params: { path: { id } }, body: { status: 'Banned' } })
  const filter = encodeURIComponent(JSON.stringify({ status: 'Banned', search: 'echo' }))
  const page = await site.openAsAdmin(`/#/users?perPage=2&filter=${filter}`)
  await page.getByRole('checkbox', { name: 'Select everybody on this page' }).check()
  await press(page, 'Select all 4 that match')
  await press(page, 'Unban')
  await inDialog(page, 'Unban 4 users')
  await noticeOf(page, '4 users were unbanned.')
  await page.getByText('No user matches').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await noticeOf(page, '4 users are as before.')
  expect((await getUser(site, ids[0] as number))?.status).toBe('Banned')
})

itLong('a job that was stopped is still there', async () => {
  const lines = Array.from({ length: 200_000 }, (_, at) => `stopped${at}@example.com`)
  const page = await site.openAsAdmin('/#/jobs')
  const id = await page.evaluate(
    async (body) => {
      const init = { method: 'POST', headers: { 'content-type': 'text/csv' }, body }
      return (await (await fetch('/api/users/import?dry_run=1', init)).json()).data.id
    },
    `email\n${lines.join('\n')}\n`,
  )
  await page.goto(`${site.url}/#/jobs/${id}/show`)
  await press(page, 'Stop')
  await inDialog(page, 'Stop')
  await page.getByText('Stopped').first().waitFor()
  await expect.poll(() => page.getByText('There is no such job').count()).toBe(0)
})

itLong('a question says what somebody else has changed meanwhile', async () => {
  const role = await createRole(site, 'Asked about')
  const page = await site.openAsAdmin(`/#/roles/${role}`)
  await page.getByText('Nobody has it.').waitFor()
  await site.createUser([], { role_id: role })
  const user = await addUser(site, 'has-it@example.com', { role_id: role })
  await press(page, 'Delete')
  await dialogs(page)
    .getByText(/1 user|2 users/)
    .first()
    .waitFor()

  const waiting = await addUser(site, 'waiting@example.com')
  const set = (status: 'Unconfirmed' | 'Banned') =>
    site.api.PATCH('/users/{id}', { params: { path: { id: waiting } }, body: { status } })
  await set('Unconfirmed')
  await page.goto(`${site.url}/#/users/${waiting}`)
  await page.reload()
  await press(page, 'Actions')
  await page.getByRole('menuitem', { name: 'Confirm', exact: true }).click()
  await dialogs(page).waitFor()
  await set('Banned')
  await inDialog(page, 'Confirm')
  await dialogs(page).getByText('The account is Banned by now.').waitFor()
  expect((await getUser(site, waiting))?.status).toBe('Banned')
  expect(user).toBeGreaterThan(0)
})

itLong('an announcement is shown as it is now before it is sent', async () => {
  const { data } = await site.api.POST('/announcements', { body: { title: 'Old title', body: 'Old' } })
  const id = data?.data.id as number
  const page = await site.openAsAdmin(`/#/announcements/${id}/show`)
  await page.getByText('Old title').first().waitFor()
  await site.api.PATCH('/announcements/{id}', { params: { path: { id } }, body: { title: 'New title' } })
  await page.getByText('New title').first().waitFor()
})

it('filters by date show what is in force, also on a page that was loaded anew', async () => {
  const filter = encodeURIComponent(JSON.stringify({ created_from: '2020-01-02', last_login: 'never' }))
  const page = await site.openAsAdmin(`/#/users?filter=${filter}`)
  await page.getByRole('button', { name: /2 in force/ }).click()
  const panel = page.getByRole('dialog', { name: 'Dates and imports' })
  await expect.poll(() => panel.getByLabel('From').first().inputValue()).toBe('2020-01-02')
  await panel.getByText('Never', { exact: true }).waitFor()
})

it('a user whose role was deleted is shown with the one that they have now', async () => {
  const role = await createRole(site, 'Short-lived')
  const id = await addUser(site, 'moved-on@example.com', { role_id: role })
  const page = await site.openAsAdmin(`/#/users/${id}`)
  await page.getByText('Short-lived').first().waitFor()
  await site.api.DELETE('/roles/{id}', { params: { path: { id: role } } })
  await page.getByRole('definition').getByText('User', { exact: true }).waitFor()
  await expect.poll(() => page.getByText('This user holds permissions that you lack').count()).toBe(0)
})

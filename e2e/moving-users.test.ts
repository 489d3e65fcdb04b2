import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itLong } from '../server/src/testing/long-form.ts'
import { expectAccessible, linkIn, openSite, type Site } from './testing/site.ts'
import { noticeOf, press, questionAt, rowOf } from './testing/steps.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-'))
afterAll(() => rmSync(folder, { recursive: true }))

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const put = (content: string | Buffer): string => {
  const path = join(folder, 'people.csv')
  writeFileSync(path, content)
  return path
}

describe('the import', () => {
  it('maps columns, tries the file, shows what is wrong, imports, and leads to the new users', async () => {
    const page = await site.openAsAdmin('/#/users')
    await page.getByRole('button', { name: 'Import users' }).click()
    const rows = Array.from({ length: 30 }, (_, at) => `imported${at}@example.com;Ada ${at};London`)
    await page
      .getByLabel('File with users')
      .setInputFiles(put(`E-Mail;First name;Town\n${rows.join('\n')}\nnot-an-address;Bob;Paris\n`))
    await page.getByRole('combobox', { name: 'What “E-Mail” is' }).waitFor()
    await page.getByRole('cell', { name: 'Ada 19' }).waitFor()
    await expect.poll(() => page.getByRole('cell', { name: 'Ada 20' }).count()).toBe(0)
    await page.getByRole('combobox', { name: 'What “Town” is' }).getByText('Leave out').waitFor()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Try it without changing anything' }).click()
    await page.getByText('What would happen').waitFor()
    await page.getByText('30', { exact: true }).waitFor()
    await page.getByText('to create').waitFor()
    // The button that was pressed is gone: the keyboard goes on in the new step.
    expect(await page.evaluate(() => document.activeElement?.querySelector('h2')?.textContent)).toBe(
      'What would happen',
    )
    await page.getByRole('cell', { name: 'The email field must be a valid email address.' }).waitFor()
    await page.getByRole('cell', { name: '32', exact: true }).waitFor()
    await page.getByRole('cell', { name: 'E-Mail', exact: true }).waitFor() // as the file calls it
    await expectAccessible(page)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download all 1' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^job-\d+-errors\.csv$/)

    await page.getByRole('button', { name: 'Import 30 users' }).click()
    await page.getByRole('link', { name: 'Show the new users' }).click()
    await page.getByText('30 users found').waitFor()
    await page.getByRole('link', { name: /^Import of / }).waitFor()

    // The same, found again from the list.
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('31 users').waitFor()
    await press(page, 'Dates and imports')
    await page.getByRole('combobox', { name: 'Import' }).click()
    await page.getByRole('option', { name: /: 30 users$/ }).click()
    await page.keyboard.press('Escape')
    await page.getByText('30 users found').waitFor()
  })

  it('names the lines of the file and finds its delimiter, also where the header has several lines or blank ones before', async () => {
    const page = await site.openAsAdmin('/#/import-users')
    const file = put('\n\nE-Mail;"First\nname, or both"\n\nlined@example.com;Ada\nnot-an-address;Bob\n')
    await page.getByLabel('File with users').setInputFiles(file)
    await page.getByRole('button', { name: 'Try it without changing anything' }).click()
    const row = rowOf(page, 'The email field must be a valid email address.')
    await row.waitFor()
    await expect.poll(() => row.getByRole('cell').first().textContent()).toBe('7')
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Download all 1')])
    expect(await readFile(await download.path(), 'utf8')).toMatch(/^7,/m)
  })

  it('shows of NDJSON what can be shown, and leaves the rest to the server', async () => {
    const page = await site.openAsAdmin('/#/import-users')
    const lines = ['{"email":"nd@example.com","first_name":{"a":1}}', 'null', '[1]', '"text"', '5', '{bad']
    await page.getByLabel('File with users').setInputFiles(put(lines.join('\n')))
    await page.getByRole('cell', { name: '{"a":1}' }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await press(page, 'Try it without changing anything')
    await page.getByRole('cell', { name: '6', exact: true }).waitFor()
  })

  it('says what cannot be imported at all', async () => {
    const page = await site.openAsAdmin('/#/import-users', { refused: [422] })
    await page.getByLabel('File with users').setInputFiles(put(''))
    await page.getByRole('alert').filter({ hasText: 'The file is empty.' }).waitFor()
    for (const mark of ['', '\uFEFF']) {
      const isNoText = page.getByRole('alert').filter({ hasText: 'This is no CSV or NDJSON file in UTF-8.' })
      await page.reload()
      await page.getByLabel('File with users').setInputFiles(put(Buffer.from(`${mark}email\na@a.test\n`, 'utf16le')))
      await isNoText.waitFor()
    }
    await page.getByLabel('File with users').setInputFiles(put('email,first_name\ra@example.com,Ada\r'))
    await page.getByRole('alert').filter({ hasText: 'end with carriage returns alone' }).waitFor()
    await page.getByLabel('File with users').setInputFiles(put('email,address\na@example.com,"never closed\n'))
    await page.getByRole('button', { name: 'Try it without changing anything' }).click()
    await page.getByRole('alert').filter({ hasText: 'The quote that opens on line 2 never closes.' }).waitFor()
  })
})

describe('the file of an import', () => {
  it('is sent with its progress, and not any more once that is called off', async () => {
    const page = await site.openAsAdmin('/#/import-users')
    await page.getByLabel('File with users').setInputFiles(put('email\nslow@example.com\n'))
    await page.route('**/api/users/import?**', () => {}) // never answered
    await page.getByRole('button', { name: 'Try it without changing anything' }).click()
    await page.getByRole('progressbar', { name: 'Sending the file' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('combobox', { name: 'What “email” is' }).waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })
})

describe('an import is not given up without a question', () => {
  const toRoles = (page: Page) => page.getByRole('link', { name: 'Roles', exact: true }).click()
  const notBegun = 'The import has not begun. Leave without it?'

  it('from the choice of a file until it runs', async () => {
    const page = await site.openAsAdmin('/#/users')
    await page.getByRole('button', { name: 'Import users' }).click()
    await page.getByLabel('File with users').setInputFiles(put('email\nasked@example.com\n'))
    const column = page.getByRole('combobox', { name: 'What “email” is' })
    await column.waitFor()
    expect(await questionAt(page, () => page.evaluate(() => history.back()))).toBe(notBegun)
    await page.waitForURL(`${site.url}/#/import-users`)
    await column.waitFor()
    await press(page, 'Try it without changing anything')
    await page.getByText('What would happen').waitFor()
    expect(await questionAt(page, () => toRoles(page))).toBe(notBegun)
    await press(page, 'Import 1 user')
    await page.getByRole('heading', { name: 'The import is done' }).waitFor()
    await toRoles(page) // nothing is asked
    await page.waitForURL(`${site.url}/#/roles`)
  })

  it('while the file is being sent', async () => {
    const page = await site.openAsAdmin('/#/import-users')
    await page.getByLabel('File with users').setInputFiles(put('email\nslow@example.com\n'))
    await page.route('**/api/users/import?**', () => {}) // never answered
    await press(page, 'Try it without changing anything')
    const progress = page.getByRole('progressbar', { name: 'Sending the file' })
    await progress.waitFor()
    expect(await questionAt(page, () => toRoles(page))).toBe('The file is still being sent. Leave and stop that?')
    await progress.waitFor()
    page.once('dialog', (dialog) => dialog.accept())
    await toRoles(page)
    await page.waitForURL(`${site.url}/#/roles`)
  })
})

describe('an import whose connection is lost', () => {
  const tryIt = (page: Page) => page.getByRole('button', { name: 'Try it without changing anything' })

  it('is sent again with the same key, so that the server takes it once', async () => {
    const page = await site.openAsAdmin('/#/import-users')
    await page.getByLabel('File with users').setInputFiles(put('email\nonce@example.com\n'))
    const keys: (string | undefined)[] = []
    await page.route('**/api/users/import?**', (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      return route.abort()
    })
    const isUnreachable = page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' })
    for (const count of [1, 2]) {
      await tryIt(page).click()
      await expect.poll(() => keys.length).toBe(count)
      await isUnreachable.waitFor()
    }
    await page.getByRole('switch', { name: 'Invite those without a password by mail' }).check()
    await tryIt(page).click()
    await expect.poll(() => keys.length).toBe(3)
    await isUnreachable.waitFor()
    const [first, second, other] = keys
    expect([typeof first, second, other === first]).toEqual(['string', first, false])
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await tryIt(page).click()
    await page.getByText('What would happen').waitFor()
  })

  itLong('goes on being shown, once the server is back', async () => {
    const page = await site.openAsAdmin('/#/import-users')
    await page.getByLabel('File with users').setInputFiles(put('email\nback@example.com\n'))
    const away = ({ pathname }: URL) => pathname === '/readyz' || pathname.startsWith('/api/jobs')
    await page.route(away, (route) => route.abort())
    await tryIt(page).click()
    await page.getByText('The server cannot be reached. What you see may be out of date').waitFor()
    await page.getByRole('heading', { name: 'Checking the file' }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.getByText('What would happen').waitFor()
    await page.getByText('The server cannot be reached').waitFor({ state: 'hidden' })
  })

  itLong('is told from a file that was changed after it was chosen', async () => {
    const page = await site.openAsAdmin('/#/import-users')
    const path = put('email\nbefore@example.com\n')
    await page.getByLabel('File with users').setInputFiles(path)
    await page.getByRole('combobox', { name: 'What “email” is' }).waitFor()
    writeFileSync(path, 'email\nafter@example.com\nanother@example.com\n')
    await tryIt(page).click()
    await page.getByRole('alert').filter({ hasText: 'The file was changed or moved after you chose it.' }).waitFor()
  })

  it('is told from a file that a proxy refuses', async () => {
    const page = await site.openAsAdmin('/#/import-users', { refused: [413] })
    await page.getByLabel('File with users').setInputFiles(put('email\nlarge@example.com\n'))
    await page.route('**/api/users/import?**', (route) =>
      route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>413 Request Entity Too Large</h1>' }),
    )
    await tryIt(page).click()
    await page.getByRole('alert').filter({ hasText: 'or a proxy in front of it, takes' }).waitFor()
  })
})

it('an export whose connection is lost saves nothing, and says so', async () => {
  const page = await site.openAsAdmin('/#/users')
  await page.evaluate(() => {
    const { fetch } = globalThis
    globalThis.fetch = (input, init) => {
      if (!String(input).includes('/users/export')) return fetch(input, init)
      // As the browser reports a connection that ends in the middle of a body.
      const cut = new ReadableStream({ pull: (stream) => stream.error(new TypeError('network error')) })
      return Promise.resolve(new Response(cut, { headers: { 'content-type': 'text/csv' } }))
    }
  })
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
  await page.getByRole('alert').filter({ hasText: 'The connection was lost. Try again. Nothing was saved.' }).waitFor()
})

describe('an invitation', () => {
  it('is sent from the form of a new user, and lets its reader choose a password', async () => {
    const page = await site.openAsAdmin('/#/users/create')
    await page.getByRole('switch', { name: /send an invitation/ }).check()
    await page.getByRole('textbox', { name: 'Email' }).fill('guest@example.com')
    await page.getByRole('button', { name: 'Invite the user' }).click()
    await noticeOf(page, 'was invited.')
    const link = linkIn(await site.lastMessage('guest@example.com'))
    const guest = await site.open('/login', { refused: [400] })
    await guest.goto(link.slice(0, -5)) // as a mail program may cut it
    await guest.getByRole('heading', { name: /does not work/ }).waitFor()
    await guest.goto(link)
    await guest.getByText('guest@example.com').waitFor()
    await expectAccessible(guest)
    const username = guest.getByLabel('Username (optional)')
    expect(await username.getAttribute('autocapitalize')).toBe('none')
    await username.fill('somewhere')
    await guest.getByLabel('Password', { exact: true }).fill('Somewhere')
    await guest.getByText('Not your email or username: not yet').waitFor()
    await guest.getByLabel('Password', { exact: true }).fill('a lamp by the window')
    await guest.getByLabel('Repeat the password').fill('a lamp by the window')
    await guest.getByRole('button', { name: 'Begin' }).click()
    await guest.getByText('Your account is ready.').waitFor()
    await guest.goto(link) // the mail is opened once more
    await guest.getByText('If you have your account already, just sign in.').waitFor()
    await guest.getByRole('link', { name: 'Sign in' }).waitFor()
  })

  it('says so where the server cannot be asked whose it is, and tries again', async () => {
    const guest = await site.open('/login', { refused: [503] })
    await guest.route('**/api/invitations/preview', (route) => route.fulfill({ status: 503, json: {} }))
    await guest.goto(`${site.url}/accept-invitation#token=${'x'.repeat(43)}`)
    await guest.getByRole('heading', { name: 'Please try again' }).waitFor()
    await expect.poll(() => guest.getByLabel('Password', { exact: true }).count()).toBe(0)
    await guest.getByRole('button', { name: 'Try again' }).waitFor()
  })
})

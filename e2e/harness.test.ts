import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { expectAccessible, openSite, type Site, watch } from './testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

describe('what a page must not do is noticed', () => {
  it.each<[what: string, act: (page: Page) => Promise<unknown>, noticed: RegExp]>([
    ['an error in the console', (page) => page.evaluate(() => console.error('x')), /^console: x/],
    [
      'an error that nobody catches',
      (page) => page.evaluate(() => void setTimeout(() => Promise.reject(new Error('x')))),
      /^uncaught: Error: x/,
    ],
    [
      'a request to another host',
      (page) =>
        page.evaluate(() => {
          document.createElement('img').src = 'https://127.0.0.1:9/x'
        }),
      /^request off the origin: https:\/\/127\.0\.0\.1:9\/x/,
    ],
    [
      'a script in the page',
      (page) =>
        page.evaluate(() => {
          const script = document.createElement('script')
          script.textContent = 'window.hit = true'
          document.head.append(script)
        }),
      /^console: Executing inline script violates/,
    ],
    [
      'a style in the page',
      (page) => page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<style>p { color: red }</style>')),
      /^console: Applying inline style violates/,
    ],
    ['a refusal', (page) => page.evaluate(() => fetch('/api/users').then(() => {})), /^401 GET .*\/api\/users$/],
  ])('%s', async (_what, act, noticed) => {
    const page = await site.browser.newPage()
    onTestFinished(() => page.close())
    const problems = watch(page, site.url, [])
    await page.goto(`${site.url}/login`)
    await act(page)
    await expect.poll(() => problems).toEqual([expect.stringMatching(noticed)])
  })

  it('a text that cannot be read', async () => {
    const page = await site.open('/login')
    await page.getByRole('heading').evaluate((heading) => {
      heading.style.color = '#eeeeee'
    })
    await expect(expectAccessible(page, ['color-contrast'])).rejects.toThrow('color-contrast')
    await expect(expectAccessible(page)).rejects.toThrow('color-contrast')
  })

  it.fails('and fails the test', async () => {
    const page = await site.open('/login')
    await page.evaluate(() => console.error('x'))
  })
})

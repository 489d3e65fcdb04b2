import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite, type Site } from './testing/site.ts'

/** The provider's siteverify: one response is right. */
const provider = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ success: new URLSearchParams(body).get('response') === 'solved 2' }))
  })
})

let site: Site
beforeAll(async () => {
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done))
  const { port } = provider.address() as AddressInfo
  const api = encodeURIComponent(`http://127.0.0.1:${port}/`)
  site = await openSite({ GATEHOUSE_CAPTCHA_URL: `turnstile://site-key:secret@default?api=${api}` })
})
afterAll(async () => {
  await site.close()
  provider.close()
})

const elsewhere = ['https://challenges.cloudflare.com']

/** What the provider's script offers, with a button in place of the puzzle. */
const widgetScript = `
  let solved = 0
  window.turnstile = {
    render(place, { sitekey, callback, 'error-callback': fail }) {
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = 'I am human, ' + sitekey
      button.onclick = () => callback('solved ' + ++solved)
      const broken = document.createElement('button')
      broken.type = 'button'
      broken.textContent = 'Fail'
      broken.onclick = fail
      place.append(button, broken)
      return 'a widget'
    },
    reset() {},
  }
  window[new URL(document.currentScript.src).searchParams.get('onload')]()`

it('is shown by the provider’s own script, asked for, checked on the server, and asked for anew after a refusal', async () => {
  const page = await site.open('/login', { elsewhere, refused: [422] })
  await page.route(`${elsewhere[0]}/**`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: widgetScript }),
  )
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill('a quiet harbour at dawn')
  await page.getByLabel('Repeat the password').fill('a quiet harbour at dawn')
  const create = page.getByRole('button', { name: 'Create account' })
  await create.click()
  await page.getByText('Solve the captcha first.').waitFor()
  const solve = page.getByRole('button', { name: 'I am human, site-key' })
  await solve.click()
  await create.click() // the provider does not believe this one
  await page
    .getByText(/captcha/i)
    .filter({ hasText: /not|invalid|again|wrong|fail/i })
    .waitFor()
  await create.click()
  await page.getByText('Solve the captcha first.').waitFor()
  await solve.click()
  await create.click()
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
})

it('says so while it is blocked, and tries again', async () => {
  const page = await site.open('/login', { elsewhere })
  const script = { contentType: 'text/javascript', body: widgetScript }
  await page.route(`${elsewhere[0]}/**`, (route) => route.fulfill(script))
  await page.route(`${elsewhere[0]}/**`, (route) => route.abort(), { times: 1 })
  const register = () => page.getByRole('link', { name: 'Create an account' }).click()
  const problem = page.getByText('The captcha could not be loaded.')
  await register()
  await problem.waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Create account' }).isVisible()).toBe(true)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await register()
  const solve = page.getByRole('button', { name: 'I am human, site-key' })
  await solve.waitFor()
  await expect.poll(() => problem.count()).toBe(0)
  await page.getByRole('button', { name: 'Fail' }).click()
  await problem.waitFor()
  await solve.click()
  await problem.waitFor({ state: 'detached' })
})

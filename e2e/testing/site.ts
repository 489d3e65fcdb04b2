import { AxeBuilder } from '@axe-core/playwright'
import type { components } from '@gatehouse/client'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { expect, inject, onTestFinished } from 'vitest'
import { launch } from './chromium.ts'
import { type RunningServer, startServer } from './server.ts'

type User = components['schemas']['User']

/** Somebody who can sign in. */
export interface Account {
  readonly email: string
  readonly password: string
}

export interface OpenOptions {
  /** In CSS pixels; 1280 unless said otherwise. */
  readonly width?: number
  readonly height?: number
  readonly scheme?: 'light' | 'dark'
  /** A touch screen in place of a mouse. */
  readonly touch?: boolean
  /** Who is signed in: nobody unless said otherwise. */
  readonly as?: Account
  /** Statuses of refusals that the test provokes; any other answer of 400 or more fails it. */
  readonly refused?: readonly number[]
  /** False where nothing may come by itself: the stream of live updates is cut. */
  readonly isLive?: boolean
  /** How many times slower than this machine the page runs: 4 is a phone. */
  readonly slowness?: number
  /** Other origins that the page may ask: a captcha provider's. */
  readonly elsewhere?: readonly string[]
}

export interface Site extends RunningServer {
  readonly browser: Browser
  /**
   * A page in a browser context of its own, closed with the test. The test fails on an error in the console, one that nobody
   * caught, a breach of the page's policy, a request to anywhere else, and an answer that was not expected.
   */
  readonly open: (path: string, options?: OpenOptions) => Promise<Page>
  /** The same, signed in as the administrator. */
  readonly openAsAdmin: (path: string, options?: OpenOptions) => Promise<Page>
  /** A user who holds exactly these permissions (a role of their own). */
  readonly createUser: (permissions?: readonly string[], fields?: Record<string, unknown>) => Promise<User & Account>
  /** The newest mail or SMS that went to this recipient: its text. */
  readonly lastMessage: (to: string) => Promise<string>
  readonly close: () => Promise<void>
}

const password = 'a quiet harbour at dawn'

/** Above 1 to find what goes wrong only on slow devices (CONTRIBUTING.md). */
// biome-ignore lint/style/noProcessEnv: only where somebody asks for it
const usualSlowness = Number(process.env.TEST_SLOWNESS ?? 1)

async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

/** What the browser says of answers is known from `response`, below; and axe tries to enter frames that allow no script. */
const meant = ['Failed to load resource', "Blocked script execution in 'about:srcdoc'"]

/** Hears all that a page may not do. */
export function watch(
  page: Page,
  origin: string,
  refused: readonly number[],
  elsewhere: readonly string[] = [],
): string[] {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !meant.some((start) => message.text().startsWith(start))) {
      problems.push(`console: ${message.text()}`)
    }
  })
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.stack ?? error.message}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    const isKnown = url.origin === origin || elsewhere.includes(url.origin)
    if (url.protocol.startsWith('http') && !isKnown) problems.push(`request off the origin: ${url.href}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400 && !refused.includes(response.status())) {
      problems.push(`${response.status()} ${response.request().method()} ${response.url()}`)
    }
  })
  return problems
}

const quietMs = 60

/** It stays open for as long as the page. */
const isStream = (url: string): boolean => new URL(url).pathname.endsWith('/api/me/stream')

/** It is answered when something happens. */
const isLongPoll = (url: string): boolean => new URL(url).searchParams.has('wait')

const settledOf = new WeakMap<Page, () => Promise<void>>()

/** Counts what a page still waits for. It has settled when it has drawn something and all was answered. */
function trackRequests(page: Page): void {
  let pending = 0
  let lastChange = performance.now()
  const change = (by: number) => (request: Request) => {
    if (isStream(request.url()) || isLongPoll(request.url())) return
    pending += by
    lastChange = performance.now()
  }
  page.on('request', change(1))
  page.on('requestfinished', change(-1))
  page.on('requestfailed', change(-1))
  settledOf.set(page, async () => {
    await page.waitForFunction(() => document.querySelector('#root, body')?.childElementCount !== 0)
    // A click returns before the page has heard of it, and on a busy machine long before it asks for what follows.
    await page.evaluate(() => new Promise((done) => requestIdleCallback(done, { timeout: 5000 })))
    lastChange = performance.now()
    const deadline = performance.now() + 20_000
    while ((pending > 0 || performance.now() - lastChange < quietMs) && performance.now() < deadline) {
      await new Promise((done) => setTimeout(done, 20))
    }
  })
}

/** Waits until a page that `open` has opened has all that it asked for. */
export const settled = async (page: Page): Promise<void> => settledOf.get(page)?.()

/** Goes on to another page in one that `open` has opened, and waits until it has all that it asked for. */
export async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await settled(page)
}

/** Signs in over the API and gives the browser the cookie. */
async function signIn(context: BrowserContext, url: string, { email, password: secret }: Account): Promise<void> {
  const response = await context.request.post(`${url}/api/login`, {
    data: { username: email, password: secret, cookie: true },
  })
  expect({ status: response.status(), body: await response.json() }).toEqual({ status: 200, body: { success: true } })
}

/** Those that are open now. */
export const sites = new Set<Site>()

let accounts = 0
let running: Promise<Browser> | undefined

/** One for all files that this process runs, and ends with it; another where it has crashed. */
async function getBrowser(): Promise<Browser> {
  const browser = await running
  if (browser?.isConnected()) return browser
  running = launch(inject('chromium'))
  return running
}

/** A server for one test file, and the browser: `beforeAll(async () => { site = await openSite() })`, and close it after all. */
export async function openSite(settings?: Record<string, string>): Promise<Site> {
  const [server, browser] = await Promise.all([startServer(settings, inject('installation')), getBrowser()])
  const { url, api } = server

  const open: Site['open'] = async (path, options = {}) => {
    const { width = 1280, height = 800, scheme = 'light', as, refused = [], elsewhere = [], isLive = true } = options
    const { touch = false, slowness = usualSlowness } = options
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: scheme,
      hasTouch: touch,
      reducedMotion: 'reduce',
      locale: 'en-GB',
    })
    context.setDefaultTimeout(20_000)
    if (as !== undefined) await signIn(context, url, as)
    if (!isLive)
      await context.route(
        ({ href }) => isStream(href),
        (route) => route.abort(),
      )
    const page = await context.newPage()
    if (slowness > 1) await slowDown(page, slowness)
    const problems = watch(page, url, refused, elsewhere)
    onTestFinished(async () => {
      await context.close()
      expect(problems).toEqual([])
    })
    trackRequests(page)
    await visit(page, url + path)
    return page
  }

  const createUser: Site['createUser'] = async (permissions = [], fields = {}) => {
    const name = `person${++accounts}`
    const role = await api.POST('/roles', { body: { name: `Role of ${name}` } })
    const role_id = role.data?.data.id as number
    await api.PUT('/roles/{id}/permissions', {
      params: { path: { id: role_id } },
      body: { permissions: [...permissions] },
    })
    const { data, error } = await api.POST('/users', {
      body: {
        email: `${name}@example.com`,
        username: name,
        password,
        password_confirmation: password,
        role_id,
        ...fields,
      },
    })
    if (data === undefined) throw new Error(JSON.stringify(error))
    return { ...data.data, password }
  }

  const lastMessage: Site['lastMessage'] = async (to) => {
    // The message is written with what caused it; its text can be read once it is captured, a moment later.
    const query = { 'filter[recipient]': to, sort: '-id', per_page: 1 }
    const read = async () => (await api.GET('/deliveries', { params: { query } })).data?.data[0]?.body_text
    let text: string | null | undefined
    await expect.poll(async () => (text = await read()), { message: `the text sent to ${to}` }).toBeTruthy()
    return text ?? ''
  }

  const openAsAdmin: Site['openAsAdmin'] = (path, options = {}) => open(path, { as: server.admin, ...options })
  const close = async () => {
    sites.delete(site)
    await server.stop()
  }
  const site: Site = { ...server, browser, open, openAsAdmin, createUser, lastMessage, close }
  sites.add(site)
  return site
}

/** axe finds nothing on the page; `rules` asks for some alone (colours, where nothing else has changed). */
export async function expectAccessible(page: Page, rules: readonly string[] = []): Promise<void> {
  const axe = new AxeBuilder({ page: page as never }).options({ resultTypes: ['violations'] })
  axe.setLegacyMode(true) // there are no frames of other origins: no second page is needed
  if (rules.length > 0) axe.withRules([...rules])
  const { violations } = await axe.analyze()
  const found = violations.map(({ id, nodes }) => ({
    id,
    at: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
  }))
  expect(found).toEqual([])
}

/** The first address in a text. */
export const linkIn = (text: string): string => /https?:\/\/\S+/.exec(text)?.[0] ?? ''

import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { findChromium, launch } from '../e2e/testing/chromium.ts'
import { startServer } from '../e2e/testing/server.ts'
import { median } from './load.ts'
import { loadNow, machine } from './results.ts'

/*
 * What the pages cost in a browser on the same machine, with 100,000 users: node bench/pages.ts
 * First contentful paint and bytes of the sign-in page and the console, the list after sign-in, search while typing.
 */
const users = 100_000
const rounds = 5
const main = resolve(import.meta.dirname, '../server/bin/gatehouse.js')

const server = await startServer()
const browser = await launch(findChromium())
const say = (line: string) => void process.stdout.write(`${line}\n`)
const inMs = (times: readonly number[]): string =>
  `median ${Math.round(median(times))} ms, longest ${Math.round(Math.max(...times))} ms (${times.length})`

interface Load {
  readonly paintMs: number
  readonly bytes: number
  readonly scriptBytes: number
}

// As text, because they run in the page, whose types this folder does not know.
const readLoad = `(() => {
  const resources = performance.getEntriesByType('resource')
  const sum = (entries) => entries.reduce((total, entry) => total + entry.transferSize, 0)
  return {
    paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
    bytes: sum([...resources, ...performance.getEntriesByType('navigation')]),
    scriptBytes: sum(resources.filter(({ name }) => name.endsWith('.js'))),
  }
})()`
const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

/** The stream of live updates never ends, and no network with it is idle. */
const cutStream = (page: Page) => page.route('**/api/me/stream', (route) => route.abort())

/** A first visit, with an empty browser cache. */
async function firstVisit(of: Browser, path: string, prepare: (page: Page) => Promise<unknown>): Promise<Load> {
  const context = await of.newContext()
  const page = await context.newPage()
  await prepare(page)
  await cutStream(page)
  await page.goto(server.url + path, { waitUntil: 'networkidle' })
  const load = await page.evaluate<Load>(readLoad)
  await context.close()
  return load
}

const signIn = (page: Page) =>
  page.context().request.post(`${server.url}/api/login`, {
    data: { username: server.admin.email, password: server.admin.password, cookie: true },
  })

async function reportVisits(name: string, path: string, prepare: (page: Page) => Promise<unknown>): Promise<void> {
  const loads: Load[] = []
  for (let round = 0; round < rounds; round++) loads.push(await firstVisit(browser, path, prepare))
  const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`
  const [load] = loads
  say(
    `${name}: first contentful paint ${inMs(loads.map(({ paintMs }) => paintMs))}; ` +
      `${kilobytes(load?.bytes ?? 0)} in all, ${kilobytes(load?.scriptBytes ?? 0)} of JavaScript, as sent`,
  )
}

/** From the answer to the sign-in until the rows are shown, with an empty cache. */
async function listAfterSignIn(): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${server.url}/login?next=${encodeURIComponent('#/users')}`, { waitUntil: 'networkidle' })
  await page.getByLabel('Email or username').fill(server.admin.email)
  await page.getByLabel('Password', { exact: true }).fill(server.admin.password)
  const answered = page.waitForResponse((response) => response.url().endsWith('/api/login'))
  await page.keyboard.press('Enter')
  await answered
  const start = performance.now()
  await page.locator('tbody tr').nth(20).waitFor()
  const took = performance.now() - start
  await context.close()
  return took
}

/** From a key press until two frames after the answer that it requested. */
async function typing(word: string): Promise<number[]> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await signIn(page)
  await cutStream(page)
  await page.goto(`${server.url}/#/users`, { waitUntil: 'networkidle' })
  await page.getByRole('searchbox').click()
  const times: number[] = []
  for (let length = 1; length <= word.length; length++) {
    const term = word.slice(0, length)
    const answered = page.waitForResponse((response) =>
      decodeURIComponent(response.url()).endsWith(`filter[search]=${term}`),
    )
    const start = performance.now()
    await page.keyboard.type(term.slice(-1))
    await answered
    await page.evaluate(twoFrames)
    times.push(performance.now() - start)
    await page.waitForTimeout(300)
  }
  await context.close()
  return times
}

try {
  execFileSync(process.execPath, [main, 'seed', '--users', String(users)], {
    env: { GATEHOUSE_DATA_DIR: server.folder },
    stdio: 'ignore',
  })
  say(`${machine()}, load ${loadNow()}; ${users.toLocaleString('en')} users`)
  await reportVisits('sign-in page', '/login', async () => {})
  await reportVisits('console', '/#/users', signIn)
  const lists: number[] = []
  for (let round = 0; round < rounds; round++) lists.push(await listAfterSignIn())
  say(`list after the sign-in's answer, empty cache: ${inMs(lists)}`)
  const times = [...(await typing('anderson')), ...(await typing('petersen'))]
  say(`search, a key to its rows (150 ms of it are waited for more keys): ${inMs(times)}`)
} finally {
  await browser.close()
  await server.stop()
}

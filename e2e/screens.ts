import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findChromium, launch } from './testing/chromium.ts'
import { addFonts } from './testing/screens-fonts.ts'
import { awkwardNames, type Page, pages, plainNames, seedPages } from './testing/screens-pages.ts'
import { startServer } from './testing/server.ts'

/**
 * Takes pictures of a running server with synthetic users: `npm run screens -- [--fonts DIR]` those of docs/screens,
 * `npm run screens -- [--fonts DIR] FOLDER` every page at 1280 and 360 pixels, light and dark. DIR is a folder into which
 * @fontsource packages were installed, for the letters that the browser from npm has no font for (in the pictures of the docs:
 * noto-sans-sc, -jp, -kr, -thai, -arabic, -georgian, -armenian and noto-color-emoji).
 */

const { values, positionals } = parseArgs({ options: { fonts: { type: 'string' } }, allowPositionals: true })
const { fonts } = values
const [folder] = positionals
const target = resolve(folder ?? join(import.meta.dirname, '../docs/screens'))
const main = resolve(import.meta.dirname, '../server/bin/gatehouse.js')

interface Shot extends Page {
  readonly width?: number
  readonly height?: number
  readonly scheme?: 'light' | 'dark'
}

const phone = { width: 390, height: 844 }
const shown: readonly Shot[] = [
  { name: 'dashboard', path: '/' },
  { name: 'users', path: '/#/users' },
  { name: 'users-dark', path: '/#/users', scheme: 'dark' },
  { name: 'users-phone', path: '/#/users', ...phone },
  { name: 'user', path: '/#/users/7' },
  { name: 'roles', path: '/#/roles' },
  { name: 'api-keys', path: '/#/api-keys' },
  { name: 'deliveries', path: '/#/deliveries' },
  { name: 'activity', path: '/#/activity' },
  { name: 'settings', path: '/#/settings' },
  { name: 'announcements', path: '/#/announcements' },
  { name: 'account', path: '/#/account' },
  { name: 'sign-in', path: '/login', anonymous: true },
  { name: 'sign-in-phone-dark', path: '/login', anonymous: true, scheme: 'dark', ...phone },
  { name: 'register-phone', path: '/register', anonymous: true, ...phone },
  { name: 'reset-password-phone', path: '/forgot-password', anonymous: true, ...phone },
]

const sizes = [
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
]
const everything: readonly Shot[] = pages.flatMap((page) =>
  sizes.flatMap((size) =>
    (['light', 'dark'] as const).map((scheme) => ({
      ...page,
      ...size,
      scheme,
      name: `${page.name}-${size.width}-${scheme}`,
    })),
  ),
)

const server = await startServer()
const browser = await launch(findChromium())
try {
  mkdirSync(target, { recursive: true })
  execFileSync(process.execPath, [main, 'seed', '--users', '1200'], {
    env: { GATEHOUSE_DATA_DIR: server.folder },
    stdio: 'ignore',
  })
  const { admin, url } = server
  await seedPages(server, folder === undefined ? plainNames : awkwardNames)
  for (const scheme of ['light', 'dark'] as const) {
    for (const anonymous of [false, true]) {
      const context = await browser.newContext({
        colorScheme: scheme,
        locale: 'en-GB',
        reducedMotion: 'reduce',
        bypassCSP: fonts !== undefined,
      })
      // The stream of live updates never ends, so the network would never be idle.
      await context.route('**/api/me/stream', (route) => route.abort())
      if (!anonymous) {
        await context.request.post(`${url}/api/login`, {
          data: { username: admin.email, password: admin.password, cookie: true },
        })
      }
      const isWanted = (shot: Shot) => (shot.scheme ?? 'light') === scheme && (shot.anonymous ?? false) === anonymous
      for (const { name, path, width = 1280, height = 800 } of (folder === undefined ? shown : everything).filter(
        isWanted,
      )) {
        const page = await context.newPage()
        await page.setViewportSize({ width, height })
        // The page of events always waits for the next one.
        await page.goto(url + path, { waitUntil: path.endsWith('events') ? 'load' : 'networkidle' })
        if (fonts !== undefined) await addFonts(page, fonts)
        await page.waitForTimeout(300) // transitions
        await page.screenshot({ path: join(target, `${name}.png`), fullPage: folder !== undefined })
        await page.close()
        console.log(join(target, `${name}.png`))
      }
      await context.close()
    }
  }
} finally {
  await browser.close()
  await server.stop()
}

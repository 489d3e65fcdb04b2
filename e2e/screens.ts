import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findChromium, launch } from './testing/chromium.ts'
import { startServer } from './testing/server.ts'

/** Takes the pictures of docs/screens from a running server with synthetic users: `npm run screens`. */

const target = resolve(import.meta.dirname, '../docs/screens')
const main = resolve(import.meta.dirname, '../server/bin/gatehouse.js')

interface Shot {
  readonly name: string
  readonly path: string
  readonly width?: number
  readonly height?: number
  readonly scheme?: 'light' | 'dark'
  readonly anonymous?: boolean
}

const phone = { width: 390, height: 844 }
const shots: readonly Shot[] = [
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

const server = await startServer()
const browser = await launch(findChromium())
try {
  mkdirSync(target, { recursive: true })
  execFileSync(process.execPath, [main, 'seed', '--users', '1200'], {
    env: { GATEHOUSE_DATA_DIR: server.folder },
    stdio: 'ignore',
  })
  const { api, admin, url } = server
  for (const title of ['Maintenance on Sunday night', 'Two-factor sign-in is here']) {
    await api.POST('/announcements', {
      body: { title, body: `# ${title}\n\nThe service **stays up**; signing in may take a little longer.` },
    })
  }
  await api.POST('/password/remind', { body: { email: admin.email } })
  for (const { name, path, width = 1280, height = 800, scheme = 'light', anonymous = false } of shots) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, locale: 'en-GB' })
    if (!anonymous) {
      await context.request.post(`${url}/api/login`, {
        data: { username: admin.email, password: admin.password, cookie: true },
      })
    }
    const page = await context.newPage()
    await page.goto(url + path, { waitUntil: 'networkidle' })
    await page.waitForTimeout(300) // transitions
    await page.screenshot({ path: join(target, `${name}.png`) })
    await context.close()
    console.log(`docs/screens/${name}.png`)
  }
} finally {
  await browser.close()
  await server.stop()
}

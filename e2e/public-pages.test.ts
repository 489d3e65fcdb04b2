import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, linkIn, type OpenOptions, openSite, type Site, visit } from './testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

/** Every page and state of it, and how one gets there. */
const states: [name: string, path: string, options?: OpenOptions, act?: (page: Page) => Promise<unknown>][] = [
  ['sign in', '/login'],
  ['sign in, nothing typed', '/login', {}, (page) => page.getByRole('button', { name: 'Sign in' }).click()],
  [
    'sign in, wrong password',
    '/login',
    { refused: [422] },
    async (page) => {
      await page.getByLabel('Email or username').fill('admin@example.com')
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await page.keyboard.press('Enter')
      await page.getByText('These credentials do not match our records.').waitFor()
    },
  ],
  ['register', '/register'],
  [
    'register, typing a password',
    '/register',
    {},
    async (page) => {
      await page.getByLabel('Email').fill('ada@example.com')
      await page.getByLabel('Password', { exact: true }).pressSequentially('ada@example.com')
      await page.keyboard.press('Enter')
    },
  ],
  ['check your mail', '/check-mail#email=ada%40example.com&registered=ada%40example.com'],
  ['get a new confirmation link', '/check-mail'],
  ['a confirmation link that does not work', '/verify-email#token=nonsense', { refused: [400] }],
  ['forgot password', '/forgot-password'],
  [
    'forgot password, sent',
    '/forgot-password',
    {},
    async (page) => {
      await page.getByLabel('Email').fill('nobody@example.com')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    },
  ],
  [
    'reset password',
    '/forgot-password',
    {},
    async (page) => {
      const { email } = await site.createUser()
      await site.api.POST('/password/remind', { body: { email } })
      await page.goto(linkIn(await site.lastMessage(email)))
      await page.getByLabel('New password').waitFor()
    },
  ],
  ['a reset link that is not known', '/reset-password#token=x&email=ada%40example.com', { refused: [400] }],
  ['a reset link that does not work', '/reset-password'],
]

/** Nothing sticks out of the window to the side. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

describe('on a phone and on a desk, in light and in dark, accessible', () => {
  it.each(states)('%s', async (_name, path, options = {}, act = async () => {}) => {
    const page = await site.open(path, { ...options, width: 360, height: 740 })
    await act(page)
    expect(await overflow(page)).toBe(0)
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(await overflow(page)).toBe(0)
    await expectAccessible(page, ['color-contrast'])
  })
})

/** What is lower than the 44 px that a finger needs, give or take two (labels of check boxes count), and fields whose text is so small that a phone zooms in. */
const tooSmall = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = []
    for (const element of document.querySelectorAll<HTMLElement>('a, button, summary, input:not([type=hidden])')) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('[aria-hidden=true]')) continue
      if (element.matches(':disabled') || element.textContent === 'Skip to the content') continue // that is for keyboards
      const target = element.closest('label, .MuiInputBase-root') ?? element
      target.scrollIntoView({ block: 'center' })
      const { x, y, width, height } = target.getBoundingClientRect()
      const isHit = (at: number) => target.contains(document.elementFromPoint(x + width / 2, at))
      const middle = y + height / 2
      const heightHit = [...Array(60).keys()].filter((step) => isHit(middle - 30 + step)).length
      const name = element.getAttribute('aria-label') ?? element.getAttribute('name') ?? element.textContent
      if (width > 0 && Math.max(heightHit, height) < 42) found.push(`${name}: ${heightHit} px`)
      const isText = element.matches('input:not([type=checkbox]):not([type=file])')
      if (isText && Number.parseFloat(getComputedStyle(element).fontSize) < 16) found.push(`${name}: small text`)
    }
    return found
  })

it('on a touch screen, a finger hits every button, link and field, and no field makes a phone zoom in', async () => {
  const page = await site.open('/login', { width: 360, height: 640, touch: true, refused: [400] })
  const problems: Record<string, string[]> = {}
  const checkMail = '/check-mail#email=ada%40example.com&registered=ada%40example.com'
  for (const path of ['/login', '/register', checkMail, '/forgot-password', '/verify-email#token=nonsense']) {
    await page.goto('about:blank') // so that another fragment is another page
    await visit(page, site.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    problems[path] = await tooSmall(page)
  }
  const user = await site.createUser()
  const own = await site.open('/#/account', { width: 360, height: 640, touch: true, as: user })
  await own.getByText('This session').waitFor()
  problems.account = await tooSmall(own)
  await own.getByRole('button', { name: 'Open the menu' }).click()
  await own.getByRole('link', { name: 'My account' }).waitFor()
  problems.menu = await tooSmall(own)
  expect(Object.fromEntries(Object.entries(problems).filter(([, found]) => found.length > 0))).toEqual({})
})

it.each([
  ['/login', undefined],
  ['/#/account', 'as'],
])('%s says what to do where its script could not be loaded', async (path, as) => {
  const page = await site.open('/login', as === undefined ? {} : { as: await site.createUser() })
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto('about:blank')
  await page.goto(site.url + path)
  await page.getByText('Loading…').waitFor()
  const hint = page.getByText('reload the page')
  expect(await hint.isVisible()).toBe(false)
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish() // a quarter of a minute
  })
  await hint.waitFor()
})

describe('the sign-in page', () => {
  it('says that it needs cookies where the browser keeps none', async () => {
    const page = await site.open('/login')
    await page.addInitScript(() => Object.defineProperty(navigator, 'cookieEnabled', { value: false }))
    await page.reload()
    await page.getByRole('alert').filter({ hasText: 'Your browser keeps no cookies of this site.' }).waitFor()
  })

  it('needs at most 120 kB of JavaScript, compressed, and nothing of the console', async () => {
    const page = await site.open('/login')
    const scripts = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => entry as PerformanceResourceTiming)
        .filter(({ name }) => name.endsWith('.js'))
        .map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize })),
    )
    const total = scripts.reduce((sum, { bytes }) => sum + bytes, 0)
    expect(total).toBeGreaterThan(50_000)
    expect(total).toBeLessThan(120_000)
    expect(scripts.filter(({ name }) => /admin|mui|console/.test(name))).toEqual([])
  })

  it('does not move when it is drawn, nor when messages come', async () => {
    const page = await site.open('/login')
    const placeOf = () => page.getByRole('button', { name: 'Sign in' }).boundingBox()
    const before = await placeOf()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Enter your password.').waitFor()
    expect(await placeOf()).toEqual(before)
    const shift = await page.evaluate(
      () =>
        new Promise<number>((done) => {
          new PerformanceObserver((list) =>
            done(list.getEntries().reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0)),
          ).observe({ type: 'layout-shift', buffered: true })
          setTimeout(() => done(0), 50)
        }),
    )
    expect(shift).toBe(0)
  })

  it('keeps the typed name while one looks at other pages, and the reset begins with it', async () => {
    const page = await site.open('/login')
    const name = page.getByLabel('Email or username')
    const backToSignIn = async (expected: string) => {
      await page.getByRole('link', { name: 'Back to sign in' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await expect.poll(() => name.inputValue()).toBe(expected)
    }
    await name.fill('ada@example.com')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('ada@example.com')
    await backToSignIn('ada@example.com')
    await name.fill('ada') // no address: the reset asks for one
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('')
    await page.goBack()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await expect.poll(() => name.inputValue()).toBe('ada')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByLabel('Email').fill('nobody@example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await backToSignIn('nobody@example.com')
  })

  it('opened again before the passkey options came, asks for them anew instead of repeating the request', async () => {
    const page = await site.open('/login')
    const keys: (string | undefined)[] = []
    await page.route('**/api/login/passkey/options', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) await route.continue() // the first gets no answer
    })
    await page.reload()
    await expect.poll(() => keys.length).toBe(1)
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await expect.poll(() => keys.length).toBe(2)
    expect(new Set(keys).size).toBe(2)
  })

  // asvs: 6.2.6
  it('hides the password until it is asked to show it', async () => {
    const page = await site.open('/login')
    const field = page.getByLabel('Password', { exact: true })
    await expect.poll(() => field.getAttribute('type')).toBe('password')
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect.poll(() => field.getAttribute('type')).toBe('text')
  })

  // asvs: 6.2.7
  it('tells browsers and password managers which field is which', async () => {
    const page = await site.open('/login')
    const purposes = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('input')].map((input) => `${input.name}: ${input.autocomplete}`),
      )
    expect(await purposes()).toEqual(['username: username webauthn', 'password: current-password'])
    await page.goto(`${site.url}/register`)
    await page.getByRole('heading', { name: 'Create an account' }).waitFor()
    const names = ['email: email', 'username: username']
    expect(await purposes()).toEqual([...names, 'password: new-password', 'password_confirmation: new-password'])
  })
})

it('a form keeps the name of its button while it is sent, and shows on a phone that it could not be', async () => {
  const page = await site.open('/register', { width: 360, height: 560 })
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/register', async (route) => {
    await promise
    await route.abort()
  })
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill('a quiet harbour at dawn')
  await page.getByLabel('Repeat the password').fill('a quiet harbour at dawn')
  const button = page.getByRole('button', { name: 'Create account' })
  await button.click()
  await page.locator('[data-busy]').waitFor()
  await expect.poll(() => button.count()).toBe(1)
  resolve()
  const notice = page.getByText('The server cannot be reached.')
  await notice.waitFor()
  await expect.poll(() => notice.evaluate((box) => box.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0)
})

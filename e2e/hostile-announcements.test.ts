import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { xssVectors } from '../plugins/announcements/src/testing/xss-vectors.ts'
import { openSite, type Site } from './testing/site.ts'
import { publish } from './testing/steps.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

/** Bodies of many vectors, each in a quotation of its own, so that an unclosed block of code takes none of the others with it. */
function packVectors(): string[] {
  const packs = ['']
  for (const vector of xssVectors) {
    const quoted = `${vector
      .split(/\r\n?|\n/)
      .map((line) => `> ${line}`)
      .join('\n')}\n\n`
    const last = packs.at(-1) as string
    if ([...last, ...quoted].length > 18_000) packs.push(quoted)
    else packs[packs.length - 1] = last + quoted
  }
  return packs
}

/** A page without any policy in which whatever a vector would do is noticed. */
async function openTrap(): Promise<{ page: Page; caught: string[] }> {
  const context = await site.browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const caught: string[] = []
  page.on('dialog', (dialog) => {
    caught.push(`${dialog.type()} ${dialog.message()}`)
    dialog.dismiss().catch(() => {})
  })
  await page.exposeFunction('caught', (what: string) => void caught.push(what))
  await context.route('**/*', (route) => {
    const type = route.request().resourceType()
    if (type !== 'image') caught.push(`${type} ${route.request().url()}`)
    return route.abort()
  })
  return { page, caught }
}

/** Puts HTML into the page in one of two ways, and touches all that is there in every way that starts a script. */
const provoke = (page: Page, html: string, way: 'write' | 'innerHTML') =>
  page.evaluate(
    async ([text, how]) => {
      const { caught } = window as unknown as { caught: (what: string) => void }
      for (const name of ['alert', 'prompt', 'confirm', 'xss', 'msgbox']) {
        Object.assign(window, { [name]: () => caught(name) })
      }
      if (how === 'write') {
        document.open()
        document.write(`<!doctype html><body>${text}`)
        document.close()
      } else {
        document.body.innerHTML = text as string
      }
      // Whole addresses would lead away from the page; every other one is followed.
      document.body.addEventListener('click', (event) => {
        const link = (event.target as Element).closest('a')
        if (link !== null && /^(https?|mailto):$/.test(link.protocol)) event.preventDefault()
      })
      const all = [...document.body.querySelectorAll<HTMLElement>('*')]
      for (const element of all) {
        for (const type of ['pointerenter', 'mouseover', 'mouseenter', 'wheel', 'toggle', 'animationstart']) {
          element.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }))
        }
        element.focus()
        element.click()
      }
      await new Promise((done) => setTimeout(done, 30))
      return all.length
    },
    [html, way] as const,
  )

describe('a hostile author', () => {
  // asvs: 3.2.2
  it(`runs no script in a browser without any policy: ${xssVectors.length} vectors`, async () => {
    expect(xssVectors.length).toBeGreaterThanOrEqual(2000)
    const bodies = await Promise.all(packVectors().map((body, index) => publish(site, `Vectors ${index}`, body)))
    const { page, caught } = await openTrap()
    for (const way of ['write', 'innerHTML'] as const) {
      let elements = 0
      for (const { parsed_body } of bodies) elements += await provoke(page, parsed_body, way)
      expect(elements).toBeGreaterThan(xssVectors.length)
    }
    expect(caught).toEqual([])
    expect(page.url()).toBe('about:blank')

    // The trap itself works: what gets through is noticed, in both ways.
    for (const way of ['write', 'innerHTML'] as const) {
      await provoke(page, '<img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a><p onclick=xss()>x</p>', way)
      expect(new Set(caught.splice(0))).toEqual(new Set(['alert', 'xss']))
    }
  })

  it('shows the largest body that is taken, and the page goes on', async () => {
    const head = '| a | b |\n|---|---|\n'
    const { id } = await publish(site, 'Large', head + '| <img src=x onerror=alert(1)> | x |\n'.repeat(540))
    const page = await site.open(`/#/announcements/${id}/show`, { as: site.admin })
    const frame = page.frameLocator('iframe[title="Text of Large"]')
    await frame.locator('tr').nth(540).waitFor()
    expect(await page.locator('iframe').evaluate((element) => element.clientHeight)).toBeGreaterThan(10_000)
    await page.getByRole('link', { name: 'Announcements' }).first().click()
    await page.getByRole('link', { name: 'Large' }).waitFor()
  })
})

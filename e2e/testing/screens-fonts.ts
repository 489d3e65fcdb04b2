import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Page } from 'playwright-core'

const prefix = '/screens-fonts/'

/** Draws the page with the fonts of the @fontsource packages of a folder behind its own; for pictures alone. */
export async function addFonts(page: Page, folder: string): Promise<void> {
  const sheets = globSync('node_modules/@fontsource/*/{400,600}.css', { cwd: folder })
  const families = new Set<string>()
  const css = sheets.map((sheet) => {
    const text = readFileSync(join(folder, sheet), 'utf8')
    for (const [, family = ''] of text.matchAll(/font-family: '([^']+)'/g)) families.add(family)
    const name = basename(dirname(sheet))
    return text.replaceAll(/url\(\.\/files\//g, `url(${prefix}${name}/`)
  })
  await page.route(`**${prefix}**`, (route) => {
    const [name = '', file = ''] = new URL(route.request().url()).pathname.slice(prefix.length).split('/')
    return route.fulfill({ path: join(folder, 'node_modules/@fontsource', name, 'files', file) })
  })
  const stack = [...families].map((family) => `'${family}'`).join(', ')
  await page.addStyleTag({
    content: `${css.join('\n')} * { font-family: 'Open Sans', ${stack}, sans-serif !important }`,
  })
  // Fonts are asked for once the page is drawn with them, and one may be missing what only another has.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 30; frame++) {
      await new Promise(requestAnimationFrame)
      await document.fonts.ready
    }
  })
}

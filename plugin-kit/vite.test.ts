import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { expect, it, onTestFinished } from 'vitest'
import { pluginConsole } from './vite.ts'

function write(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-console-half-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'console'))
  writeFileSync(join(folder, 'console/index.tsx'), source)
  symlinkSync(resolve(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'))
  return folder
}

it('the console half becomes one module, which imports the kit alone', async () => {
  const folder = write(
    "import { defineConsolePlugin } from '@gatehouse/plugin-kit/console'\nexport default defineConsolePlugin({ id: 'x', banner: () => <p>Hi</p> })",
  )
  await build(pluginConsole(folder))
  const built = readFileSync(join(folder, 'dist/console.js'), 'utf8')
  expect(built.match(/from ["'][^"']+["']/g)).toEqual(['from "../../assets/kit.js"'])
})

it.each([
  ["import { memo as used } from 'react'", 'react'],
  ["import { List as used } from 'react-admin'", 'react-admin'],
  ["import used from '@mui/material/Button'", '@mui/material/Button'],
])('a second React is refused where the kit has the console’s own: %s', async (source, name) => {
  const folder = write(`${source}\nexport default { id: 'x', banner: used }`)
  await expect(build(pluginConsole(folder))).rejects.toThrow(
    `import what you need of ${name} from '@gatehouse/plugin-kit/console'`,
  )
})

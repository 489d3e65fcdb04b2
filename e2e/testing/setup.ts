import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    chromium: string
  }
}

const root = resolve(import.meta.dirname, '../..')

/** When something below a folder was last written. */
const newestIn = (folder: string): number =>
  Math.max(
    0,
    ...readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (path) => statSync(join(root, folder, path)).mtimeMs,
    ),
  )

const builtAt = (): number => {
  const page = join(root, 'console/dist/index.html')
  return existsSync(page) ? statSync(page).mtimeMs : 0
}

/** Before all browser tests: the browser, and a console built from what is in the tree now. */
export async function setup(project: TestProject): Promise<void> {
  if (Math.max(...['console/src', 'plugin-kit', 'plugins/announcements/console'].map(newestIn)) > builtAt()) {
    execFileSync(process.execPath, [join(root, 'console/build.ts')], { stdio: 'inherit' })
  }
  project.provide('chromium', await findChromium())
}

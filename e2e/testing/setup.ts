import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findChromium } from './chromium.ts'
import { createInstallation } from './server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    chromium: string
    /** A folder as a first start leaves it. */
    installation: string
  }
}

const root = resolve(import.meta.dirname, '../..')

/** Before all browser tests: the browser, a console built from what is in the tree now, and an installation to copy. */
export async function setup(project: TestProject): Promise<() => void> {
  execFileSync(process.execPath, [join(root, 'console/build-if-needed.js')], { stdio: 'inherit' })
  project.provide('chromium', findChromium())
  const installation = await createInstallation()
  project.provide('installation', installation)
  return () => rmSync(installation, { recursive: true, force: true })
}

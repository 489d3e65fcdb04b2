import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    chromium: string
  }
}

const root = resolve(import.meta.dirname, '../..')

/** Before all browser tests: the browser, and a console built from what is in the tree now. */
export function setup(project: TestProject): void {
  execFileSync(process.execPath, [join(root, 'console/build-if-needed.js')], { stdio: 'inherit' })
  project.provide('chromium', findChromium())
}

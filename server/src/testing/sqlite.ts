import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createRunFolder, makeTemplate } from './databases.ts'

/** Runs once before the SQLite suite: a migrated file that every test's own is copied from, in a folder for all of them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = createRunFolder()
  const path = join(folder, 'gatehouse.db')
  await makeTemplate({ kind: 'sqlite', path })
  project.provide('postgresUrl', null)
  process.env.GATEHOUSE_TEST_TEMPLATE = path // for `testing/app.ts`, which benchmarks use without Vitest, too
  return () => rm(folder, { recursive: true, force: true })
}

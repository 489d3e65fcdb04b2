import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { makeTemplate } from './databases.ts'

/** Runs once before the SQLite suite: a migrated file that every test's own is copied from. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-template-'))
  const path = join(folder, 'gatehouse.db')
  await makeTemplate({ kind: 'sqlite', path })
  project.provide('postgresUrl', null)
  process.env.GATEHOUSE_TEST_TEMPLATE = path // for `testing/app.ts`, which benchmarks use without Vitest, too
  return () => rm(folder, { recursive: true, force: true })
}

import type { TestProject } from 'vitest/node'

/** Runs once before the SQLite suite: there is nothing to start. */
export function setup(project: TestProject): void {
  project.provide('postgresUrl', null)
}

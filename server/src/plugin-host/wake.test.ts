import type { Plugin } from '@gatehouse/plugin-kit'
import { expect, inject, it, onTestFinished } from 'vitest'
import { startTestApp } from '../testing/app.ts'
import { loggedErrors } from '../testing/logged-errors.ts'
import { loadedNotes } from './notes.fixture.ts'

const plugin = {
  id: 'notes',
  migrations: (loadedNotes().plugin as Plugin).migrations,
  jobs: () => [{ name: 'tidy', everySeconds: 3_600, run: async () => false }],
  routes: (host: { wake: (job: string) => void }) =>
    ['tidy', 'unknown'].map((job) => ({
      method: 'POST',
      path: `/notes/wake-${job}`,
      operationId: `wake${job}`,
      summary: job,
      access: 'authenticated',
      answer: 'success',
      handle: async () => host.wake(job),
    })),
}

async function start() {
  const t = await startTestApp(inject('postgresUrl'), {}, { plugins: [loadedNotes(plugin)] })
  onTestFinished(t.close)
  return t
}

it('a plugin wakes its job through the core, which tells the process that runs the jobs', async () => {
  const t = await start()
  const told: string[] = []
  // As `serve` does in a process that runs no jobs.
  Object.assign(t.ctx, { jobs: { ...t.ctx.jobs, wake: (name: string) => told.push(name) } })
  expect((await t.call('POST /notes/wake-tidy')).status).toBe(200)
  expect(told).toContain('notes.tidy')
})

it('a plugin that wakes an unknown job gets an error that names it', async () => {
  const t = await start()
  const logged = loggedErrors(t)
  expect((await t.call('POST /notes/wake-unknown')).status).toBe(500)
  expect(logged).toEqual(['the plugin notes has no job "unknown"'])
})

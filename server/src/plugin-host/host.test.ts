import { sql } from 'kysely'
import { expect, inject, it, onTestFinished } from 'vitest'
import { startTestApp } from '../testing/app.ts'
import { createHost } from './host.ts'
import { loadedNotes } from './notes.fixture.ts'

it('signs as soon as the database answers, if it did not at the first use', async () => {
  const plugin = loadedNotes()
  const t = await startTestApp(inject('postgresUrl'), {}, { plugins: [plugin] })
  onTestFinished(t.close)
  const { host } = createHost(t.ctx, plugin, () => {})
  await sql`alter table plugins rename to away`.execute(t.ctx.unguarded)
  await expect(host.sign('text')).rejects.toThrow()
  await sql`alter table away rename to plugins`.execute(t.ctx.unguarded)
  expect(await host.sign('text')).toMatch(/^[\w-]{43}$/)
})

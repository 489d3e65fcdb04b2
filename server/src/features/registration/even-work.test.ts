import pg from 'pg'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { createAccount, newNetwork } from '../../testing/accounts.ts'
import { createTestApp } from '../../testing/app.ts'

/*
 * The answers to these wait for the next step of 50 ms. Where statements take a while, on a busy machine or with a database that is
 * far away, more statements mean a later step.
 */

it.runIf(inject('postgresUrl')).each([
  ['POST /email/resend', 'POST /password/remind'],
  ['POST /password/remind', 'POST /email/resend'],
])('%s takes as many statements, whoever has the address', async (request, another) => {
  const t = await createTestApp(inject('postgresUrl'))
  const addressOf = async (status: 'Active' | 'Banned' | 'Unconfirmed') =>
    (await createAccount(t, { status })).user.email
  const addresses = {
    nobody: 'nobody@example.com',
    active: await addressOf('Active'),
    banned: await addressOf('Banned'),
    unconfirmed: await addressOf('Unconfirmed'),
    mailed: await addressOf('Unconfirmed'), // within this minute
  }
  const ask = (path: string, email: string) => t.call(path, { key: null, body: { email }, ip: newNetwork() })
  await ask(another, addresses.mailed)
  const query = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => query.mockRestore())
  await ask(request, 'somebody@example.com') // reads the settings
  const counts: Record<string, number> = {}
  for (const [who, email] of Object.entries(addresses)) {
    query.mockClear()
    await ask(request, email)
    counts[who] = query.mock.calls.length
  }
  const { nobody = 0 } = counts
  expect(nobody).toBeGreaterThan(5)
  expect(counts).toEqual({ nobody, active: nobody, banned: nobody, unconfirmed: nobody, mailed: nobody })
})

import { describe, expect, inject, it } from 'vitest'
import { toTimestamp } from '../../core/time.ts'
import { registerUnconfirmed } from '../../testing/accounts.ts'
import { createTestApp, type TestApp } from '../../testing/app.ts'
import { whileLocked } from '../../testing/lock-waits.ts'
import { planOnSqlite } from '../../testing/query-plan.ts'
import { removeUnconfirmed, waitingAccounts } from './unconfirmed-accounts.ts'

const existing = async (t: TestApp, ids: readonly number[]) => {
  const rows = await t.ctx.db.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

it('accounts that nobody confirmed end after the days of the setting; invited ones and confirmed ones stay', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const { user: old } = await registerUnconfirmed(t)
  const { body } = await t.call('POST /users/invite', { body: { email: 'guest@example.com', role_id: 2 } })
  const confirmed = await registerUnconfirmed(t)
  await t.call(`PATCH /users/${confirmed.user.id}`, { body: { status: 'Active' } })
  t.clock.advance({ days: 29 })
  const { user: young } = await registerUnconfirmed(t)
  const demoted = await t.createUser({ created_at: '2020-01-01 00:00:00' })
  await t.call(`PATCH /users/${demoted.user.id}`, { body: { status: 'Unconfirmed' } })
  const all = [old.id, body.data.id, confirmed.user.id, young.id, demoted.user.id].sort((a, b) => a - b)
  await removeUnconfirmed(t.ctx)
  expect(await existing(t, all)).toEqual(all)
  t.clock.advance({ days: 1 })
  await removeUnconfirmed(t.ctx)
  expect(await existing(t, all)).toEqual(all.filter((id) => id !== old.id))
})

it('never ends an account while the setting is 0', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  await t.call('PATCH /settings', { body: { 'registration.unconfirmed_days': 0 } })
  const { user } = await registerUnconfirmed(t)
  t.clock.advance({ days: 4_000 })
  await removeUnconfirmed(t.ctx)
  expect(await existing(t, [user.id])).toEqual([user.id])
})

it.runIf(inject('postgresUrl') === null)('those that wait are found in an index of their own', async () => {
  const t = await createTestApp(null)
  const plan = await planOnSqlite(t.ctx.unguarded, waitingAccounts(t.ctx.db, '2026-01-01 00:00:00').compile())
  expect(plan).toEqual([expect.stringContaining('users_waiting (status=? AND unconfirmed_since<?)')])
})

// SQLite has one writer at a time.
describe.runIf(inject('postgresUrl') !== null)('an account that changes while it is to be deleted', () => {
  /** Removes accounts, while a statement about some of them has been made and is committed a moment later. */
  async function removeBeside(t: TestApp, statement: string): Promise<void> {
    const { removing } = await whileLocked(t.database.url, statement, async (untilWaiting) => {
      const removing = removeUnconfirmed(t.ctx)
      removing.catch(() => {})
      await untilWaiting(1)
      return { removing }
    })
    await removing
  }
  const fields = { status: 'Unconfirmed', unconfirmed_since: '2020-01-01 00:00:00' } as const

  it('is passed over where another node has deleted it, or somebody has confirmed it', async () => {
    const t = await createTestApp(inject('postgresUrl'))
    const [first, second, third] = [await t.createUser(fields), await t.createUser(fields), await t.createUser(fields)]
    const [gone, confirmed, left] = [first.user.id, second.user.id, third.user.id]
    await removeBeside(
      t,
      `delete from users where id = ${gone};
      update users set status = 'Active', unconfirmed_since = null where id = ${confirmed}`,
    )
    expect(await existing(t, [gone, confirmed, left])).toEqual([confirmed])
  })

  it('stays where it was invited, or has begun to wait again', async () => {
    const t = await createTestApp(inject('postgresUrl'))
    const [first, second] = [await t.createUser(fields), await t.createUser(fields)]
    const [invited, again] = [first.user.id, second.user.id]
    await removeBeside(
      t,
      `update users set unconfirmed_since = null where id = ${invited};
      update users set unconfirmed_since = '${toTimestamp(t.clock.now())}' where id = ${again}`,
    )
    expect(await existing(t, [invited, again])).toEqual([invited, again])
  })
})

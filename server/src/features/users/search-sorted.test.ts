import { sql } from 'kysely'
import { expect, inject, it } from 'vitest'
import { insertBatch } from '../../cli/seed-batch.ts'
import { syntheticUsers } from '../../cli/synthetic-users.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fetchPage } from '../../http/lists/page.ts'
import { parseListRequest } from '../../http/lists/request.ts'
import { createTestApp } from '../../testing/app.ts'
import { countRowsRead } from '../../testing/rows-read.ts'
import { userList } from './users.list.ts'

const others = 10_000
const wanted = 400

/* SQLite is told how to read: http/lists/large.test.ts. */
it.skipIf(inject('postgresUrl') === null)(
  'a search reads what it finds, though the sort has it at its other end',
  async () => {
    const { ctx } = await createTestApp(inject('postgresUrl'))
    const now = new Date()
    const users = [...syntheticUsers({ count: others + wanted, randomSeed: 5, now })]
    // Sorted by address from its end, these are the last.
    const found = users.slice(0, wanted).map((user, at) => ({ ...user, email: `0needle${at}@example.com` }))
    await inTransaction(ctx.unguarded, async (db) => {
      for (let at = wanted; at < users.length; at += 1_000) await insertBatch(db, users.slice(at, at + 1_000), '')
      await insertBatch(db, found, '')
    })
    const sorted = found.map(({ email }) => email).toSorted((a, b) => (a < b ? 1 : -1))
    await sql`analyze users, users_search`.execute(ctx.unguarded)

    await inTransaction(ctx.unguarded, async (db) => {
      let emails: readonly string[] = []
      const search = async (more = '') => {
        const query = new URLSearchParams(`sort=-email&filter[search]=needle${more}`)
        const page = await fetchPage(db, userList, parseListRequest(userList, query))
        emails = page.rows.map(({ email }) => email)
        expect(page.total).toBe(wanted)
      }
      // PostgreSQL plans a statement five times for what is searched for before it keeps a plan.
      for (let count = 0; count < 8; count++) {
        expect(await countRowsRead(db, ['users'], search)).toBeLessThanOrEqual(wanted + 20)
        expect(emails).toEqual(sorted.slice(0, 20))
      }
      await search('&filter[status]=Active,Unconfirmed,Banned')
      expect(emails).toEqual(sorted.slice(0, 20))
    })
  },
)

import { describe, expect, inject, it } from 'vitest'
import { unavailableReason } from '../db/failures.ts'
import { createTestApp } from '../testing/app.ts'
import { adminQuery, endConnections } from '../testing/databases.ts'

const postgresUrl = inject('postgresUrl')

describe('/readyz', () => {
  it('tries a write, and again after five seconds', async () => {
    const t = await createTestApp(postgresUrl)
    const written = async () =>
      (
        await t.ctx.unguarded
          .selectFrom('installation')
          .select('value')
          .where('name', '=', 'write_probe')
          .executeTakeFirst()
      )?.value
    const askAfter = async (seconds: number) => {
      t.clock.advance({ seconds })
      expect(await t.call('GET //readyz', { key: null })).toMatchObject({ status: 200, body: { status: 'ready' } })
      return written()
    }
    expect(await written()).toBeUndefined()
    const first = await askAfter(0)
    expect(first).toBeDefined()
    expect(await askAfter(4)).toBe(first)
    const second = await askAfter(1)
    expect(second).not.toBe(first)
    expect(await askAfter(-60)).not.toBe(second) // the clock was set back
  })
})

describe('what a database error means for writing', () => {
  it.each([
    ['53100', 'disk_full'],
    ['SQLITE_FULL', 'disk_full'],
    ['SQLITE_IOERR_SHMSIZE', 'disk_full'],
    ['25006', 'database_read_only'],
    ['SQLITE_READONLY_DBMOVED', 'database_read_only'],
    ['ECONNREFUSED', 'database_away'],
    ['SQLITE_IOERR_WRITE', 'database_away'],
    ['SQLITE_BUSY', 'database_away'],
  ])('%s: %s', (code, reason) => {
    expect(unavailableReason(Object.assign(new Error(), { code }))).toBe(reason)
  })
})

describe.skipIf(postgresUrl === null)('a PostgreSQL that only reads', () => {
  it('is said by /readyz after the first write that failed; reads go on, and writes as soon as it takes them', async () => {
    const t = await createTestApp(postgresUrl)
    const name = new URL(t.database.url).pathname.slice(1)
    const setReadOnly = async (value: 'on' | 'off') => {
      await adminQuery(String(postgresUrl), `alter database "${name}" set default_transaction_read_only = ${value}`)
      await endConnections(String(postgresUrl), t.database.url)
    }
    const addRole = () => t.call('POST /roles', { body: { name: 'Later' } })
    expect((await t.call('GET //readyz')).status).toBe(200)
    await setReadOnly('on')
    while ((await t.call('GET /users')).status !== 200); // connections that the server has ended are replaced
    const refused = await addRole()
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    const reason = { status: 503, body: { status: 'unavailable', reason: 'database_read_only' } }
    expect(await t.call('GET //readyz')).toMatchObject(reason)
    expect((await t.call('GET /users')).status).toBe(200)
    expect((await t.call('GET /users/1')).status).toBe(200)

    await setReadOnly('off')
    while ((await t.call('GET //readyz')).status !== 200);
    expect((await addRole()).status).toBe(201)
  })
})

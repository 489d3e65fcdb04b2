import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { recordActivity } from '../features/activity/activity.service.ts'
import { createCredentials } from '../features/credentials/credentials.service.ts'
import { sendMail } from '../mails/send-mail.ts'
import { createHolder } from '../testing/actors.ts'
import { createTestApp, type TestApp } from '../testing/app.ts'
import { type Context, systemActor, type Tx } from './context.ts'

const role = { name: 'New', name_canonical: 'new', removable: 1, created_at: '', updated_at: '' } as const

describe('a service that leaves its transaction', () => {
  it('does not compile', () => {
    // Never run: each line that must not compile fails the type check if it does.
    const trap = async (ctx: Context, tx: Tx): Promise<void> => {
      // @ts-expect-error there is no transaction inside a transaction
      await tx.transaction(systemActor, async () => {})
      // @ts-expect-error nor by way of its database
      tx.db.transaction()
      // @ts-expect-error outside of a transaction the database only reads
      ctx.db.deleteFrom('users')
      // @ts-expect-error what writes takes the transaction
      await recordActivity(ctx, systemActor, 'user.created', { type: 'user', id: 1 })
      // @ts-expect-error and so does mail
      await sendMail(ctx, { template: 'test', to: 'a@b.c', userId: null, data: { at: '' } })
      // @ts-expect-error who acts has to be said
      await ctx.transaction(async () => {})
    }
    expect(trap).toBeTypeOf('function')
  })

  it.each([
    ['ctx.transaction(actor, (tx) => save(ctx))', 'use the handle that its function was given'],
    ['host.transaction(actor, async (tx) => { await host.db.find() })', 'use the handle that its function was given'],
    ['inTransaction(unguarded, (db) => save(unguarded))', 'use the handle that its function was given'],
    ['ctx.transaction(actor, (tx) => save(tx, actor))', 'use tx.actor'],
  ])('does not pass the linter: %s', (code, message) => {
    const { stdout, stderr, status } = lint(`${code}\n`)
    expect(stdout + stderr).toContain(message)
    expect(status).not.toBe(0)
  })

  it('passes the linter with what its function was given', () => {
    const { stdout, stderr, status } = lint('ctx.transaction(actor, (tx) => save(tx, tx.actor, { actor: tx.actor }))\n')
    expect(status, stdout + stderr).toBe(0)
  })
})

/** Runs the project's own lint rule on a file, like `npm run lint`. */
function lint(code: string) {
  const root = resolve(import.meta.dirname, '../../..')
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-lint-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ plugins: [join(root, 'lint/transaction.grit')] }))
  writeFileSync(join(folder, 'trap.js'), code)
  return spawnSync(join(root, 'node_modules/.bin/biome'), ['lint', 'trap.js'], { cwd: folder, encoding: 'utf8' })
}

describe('JavaScript, which has no types, gets an error at once', () => {
  it('for a transaction inside a transaction', async () => {
    const { ctx } = await createTestApp(inject('postgresUrl'))
    const inner = () => ctx.transaction(systemActor, async () => {})
    const nested = ctx.transaction(systemActor, inner)
    await expect(nested).rejects.toThrow(
      /^A transaction cannot begin inside another one \(begun at .*transaction\.test\.ts/,
    )
  })

  it.each([
    ['write', (ctx: Context) => ctx.unguarded.insertInto('roles').values(role).execute()],
    ['read', (ctx: Context) => ctx.db.selectFrom('roles').selectAll().execute()],
  ])('for a %s that bypasses it; its writes are rolled back, and the next transaction works', async (_, go) => {
    const { ctx } = await createTestApp(inject('postgresUrl'))
    const around = () => go(ctx)
    const trap = ctx.transaction(systemActor, async (tx) => {
      await tx.db.insertInto('roles').values(role).execute()
      await around()
    })
    await expect(trap).rejects.toThrow(
      /^This query is not part of the transaction around it \(begun at .*transaction\.test\.ts/,
    )
    await ctx.transaction(systemActor, (tx) => tx.db.insertInto('roles').values(role).execute())
    expect(await ctx.db.selectFrom('roles').select('name').where('name', '=', 'New').execute()).toHaveLength(1)
  })

  it('and nothing else waits for it: beside an open transaction, reads and other transactions go on', async () => {
    const { ctx, call } = await createTestApp(inject('postgresUrl'))
    const gate = Promise.withResolvers<void>()
    const open = ctx.transaction(systemActor, () => gate.promise)
    expect((await call('GET /roles')).status).toBe(200)
    gate.resolve()
    await open
    expect((await call('POST /roles', { body: { name: 'After' } })).status).toBe(201)
  })
})

describe('the actor of a transaction', () => {
  /** An actor as a request was authenticated, and their key. */
  async function authenticate(t: TestApp) {
    const holder = await createHolder(t, ['users.manage', 'roles.manage'])
    const credentials = createCredentials(t.ctx)
    const found = (await credentials.find(holder.key, 'key')) as NonNullable<
      Awaited<ReturnType<typeof credentials.find>>
    >
    const origin = { ip: null, userAgent: null, requestId: null }
    const needs = { needs: ['roles.manage'], changesOwnAccount: () => false, mayLackFactor: () => false }
    return { ...holder, actor: credentials.toActor(found, origin, needs) }
  }
  const rolesNamedNew = (t: TestApp) =>
    t.ctx.db.selectFrom('roles').select('id').where('name', '=', role.name).execute()

  it('is the one of now, and what was done for the former one is done again', async () => {
    const t = await createTestApp(inject('postgresUrl'))
    const { actor, roleId } = await authenticate(t)
    await t.call(`PUT /roles/${roleId}/permissions`, { body: { permissions: ['roles.manage'] } })
    const allowed = await t.ctx.transaction(actor, async (tx) => {
      await tx.db.insertInto('roles').values(role).execute()
      return tx.actor.permissions
    })
    expect(allowed).toEqual(new Set(['roles.manage']))
    expect(await rolesNamedNew(t)).toHaveLength(1)
  })

  it('changes nothing once their key is revoked, and hears of that first', async () => {
    const t = await createTestApp(inject('postgresUrl'))
    const { actor, keyId } = await authenticate(t)
    await t.call(`DELETE /api-keys/${keyId}`)
    const late = t.ctx.transaction(actor, async (tx) => {
      await tx.db.insertInto('roles').values(role).execute()
      throw new Error('what the work found')
    })
    await expect(late).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await rolesNamedNew(t)).toEqual([])
  })
})

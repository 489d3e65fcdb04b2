import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { expectAsDescribed } from '../../http/openapi-test-steps.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { runJobs, runJobsWhile, sendFile } from '../../testing/jobs.ts'
import { type DescribedOperation, operations } from '../../testing/openapi.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const cancelling = operations.find(({ operationId }) => operationId === 'cancelJob') as DescribedOperation

let files = 0
const file = (rows: number): string => {
  files++
  return `email\n${Array.from({ length: rows }, (_, at) => `job${files}-${at}@example.com`).join('\n')}\n`
}
const queue = async (rows = 3): Promise<number> => (await sendFile(t, file(rows))).body.data.id
const get = async (id: number) => (await t.call(`GET /jobs/${id}`)).body.data
/** The files that are kept, wherever they are. */
const uploads = async () => {
  const { database } = t.ctx.config
  if (database.kind === 'sqlite') return readdirSync(`${database.path}-uploads`)
  return t.ctx.db.selectFrom('uploads').select('name').execute()
}

describe('jobs', () => {
  it('have the answers of the contract, newest first', async () => {
    const id = await queue()
    expect(await get(id)).toEqual({
      id,
      type: 'users.import',
      status: 'queued',
      dry_run: false,
      total: 3,
      done: 0,
      created: 0,
      updated: 0,
      skipped: 0,
      failed: 0,
      action: null,
      message: null,
      can_undo: false,
      undone_by: null,
      undoes: null,
      created_by: 1,
      created_at: '2026-01-15 12:00:00',
      started_at: null,
      finished_at: null,
    })
    await runJobs(t)
    expect(await get(id)).toMatchObject({
      status: 'done',
      started_at: '2026-01-15 12:00:00',
      finished_at: '2026-01-15 12:00:00',
    })
    const { body } = await t.call('GET /jobs?filter[status]=done')
    expect(body.data[0].id).toBe(id)
    expect(body.meta.total).toBeGreaterThan(0)
    expect(await uploads()).toEqual([])
  })

  it('need users.manage, and are 404 for an unknown id', async () => {
    const { key } = await t.createUser()
    for (const path of ['/jobs', '/jobs/1', '/jobs/1/errors']) {
      expect((await t.call(`GET ${path}`, { key })).status).toBe(403)
      expect((await t.call(`GET ${path}`, { key: null })).status).toBe(401)
    }
    expect((await t.call('GET /jobs/999999')).status).toBe(404)
    expect((await t.call('GET /jobs/999999/errors')).status).toBe(404)
    expect((await t.call('DELETE /jobs/999999')).status).toBe(404)
  })

  it('can be cancelled while they wait; later it is 409', async () => {
    const id = await queue()
    expect((await t.call(`DELETE /jobs/${id}`)).body).toEqual({ success: true })
    await runJobs(t)
    expect(await get(id)).toMatchObject({ status: 'cancelled', created: 0 })
    const late = await t.call(`DELETE /jobs/${id}`)
    expect(late.body.code).toBe('job_finished')
    expectAsDescribed(cancelling, late)
    expect(await uploads()).toEqual([])
  })

  it('keep what they had done when they are cancelled in the middle', async () => {
    const id = await queue(4_500)
    const cancelled = await runJobsWhile(t, id, () => t.call(`DELETE /jobs/${id}`))
    expect(cancelled.status).toBe(200)
    const job = await get(id)
    // On SQLite, several steps may share the transaction.
    expect(job.done % 500).toBe(0)
    expect(job.done).toBeGreaterThan(0)
    expect(job.done).toBeLessThan(4_500)
    expect(job).toMatchObject({ status: 'cancelled', created: job.done })
    expect((await t.call(`GET /users?filter[import_id]=${id}`)).body.meta.total).toBe(job.done)
  })

  it('do a step again, and nothing twice, after an error that passes', async () => {
    const id = await queue(2_500)
    await runJobs(t)
    const body = { action: 'ban', filter: { import_id: id }, expected: 2_500 }
    const ban = (await t.call('POST /users/bulk', { body })).body.data.id
    const { backgroundTransaction: transaction } = t.ctx
    let failed = 0
    Object.assign(t.ctx, {
      backgroundTransaction: (async (actor, work) =>
        transaction(actor, async (tx) => {
          const result = await work(tx)
          if (failed++ === 0) throw new Error('the disk is slow today')
          return result
        })) satisfies typeof transaction,
    })
    await expect(runJobs(t)).rejects.toThrow('slow today')
    await runJobs(t).finally(() => Object.assign(t.ctx, { backgroundTransaction: transaction }))
    expect(await get(ban)).toMatchObject({ status: 'done', done: 2_500, updated: 2_500, skipped: 0 })
  })

  it('let others write between two steps', async () => {
    const id = await queue(4_000)
    const { backgroundTransaction: transaction } = t.ctx
    const begun = Promise.withResolvers<void>()
    const edited = begun.promise.then(async () => {
      await t.call('PATCH /users/1', { body: { first_name: 'Other' } })
      return (await get(id)).done
    })
    Object.assign(t.ctx, {
      backgroundTransaction: ((actor, work) =>
        transaction(actor, (tx) => {
          begun.resolve()
          return work(tx)
        })) satisfies typeof transaction,
    })
    await runJobs(t).finally(() => Object.assign(t.ctx, { backgroundTransaction: transaction }))
    expect(await get(id)).toMatchObject({ status: 'done', created: 4_000 })
    expect(await edited).toBeLessThan(4_000)
  })

  it('do not wait for a lease that a killed node wrote before its clock was set back', async () => {
    const id = await queue(3)
    await t.ctx.unguarded
      .updateTable('jobs')
      .set({ status: 'running', claim: 'a killed node', lease_ms: t.clock.now().getTime() + 3_600_000 })
      .where('id', '=', id)
      .execute()
    await runJobs(t)
    expect(await get(id)).toMatchObject({ status: 'done', created: 3 })
  })

  it('wait while another node runs one, and go on where it was killed', async () => {
    const id = await queue(1_200)
    // What a killed node leaves: a job that it holds, after its first step.
    await t.ctx.unguarded
      .updateTable('jobs')
      .set({ status: 'running', claim: 'a killed node', lease_ms: t.clock.now().getTime() + 10_000 })
      .where('id', '=', id)
      .execute()
    await runJobs(t)
    expect(await get(id)).toMatchObject({ status: 'running', done: 0 })
    t.clock.advance({ seconds: 11 })
    await runJobs(t)
    expect(await get(id)).toMatchObject({ status: 'done', done: 1_200, created: 1_200 })
  })
})

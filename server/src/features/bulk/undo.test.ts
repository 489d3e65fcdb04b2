import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { rowOf } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { asNdjson, importFile, ndjson, runJobs, runJobsWhile } from '../../testing/jobs.ts'
import { bulkSteps } from './bulk-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const { group, bulk, undo, statuses } = bulkSteps(() => t)

describe('POST /jobs/{id}/undo', () => {
  it('takes a ban back, for users whom nobody has changed since, once', async () => {
    const { ids } = await group(3)
    await t.call(`PATCH /users/${ids[0]}`, { body: { status: 'Unconfirmed' } })
    const job = await bulk({ action: 'ban', ids, expected: 3 })
    await t.call(`PATCH /users/${ids[2]}`, { body: { first_name: 'Changed' } })
    expect(await undo(job.id)).toMatchObject({
      status: 202,
      job: { type: 'users.undo', updated: 2, skipped: 1, total: 3 },
    })
    expect(await statuses(ids)).toEqual(['Unconfirmed', 'Active', 'Banned'])
    expect(await undo(job.id)).toEqual({ status: 409, code: 'job_undone' })
    const undone = (await t.call(`GET /jobs/${job.id}`)).body.data
    expect(undone).toMatchObject({ can_undo: false, undoes: null })
    expect((await t.call(`GET /jobs/${undone.undone_by}`)).body.data).toMatchObject({ undoes: job.id, undone_by: null })
  })

  it('is done once also where everybody was changed since, and not at all where the job changed nobody', async () => {
    const { ids } = await group(1)
    const job = await bulk({ action: 'ban', ids, expected: 1 })
    await t.call(`PATCH /users/${ids[0]}`, { body: { first_name: 'Changed' } })
    expect(await undo(job.id)).toMatchObject({ status: 202, job: { updated: 0, skipped: 1 } })
    expect(await undo(job.id)).toEqual({ status: 409, code: 'job_undone' })
    const idle = await bulk({ action: 'ban', ids, expected: 1 })
    expect(idle).toMatchObject({ updated: 0, skipped: 1, can_undo: false })
    expect(await undo(idle.id)).toEqual({ status: 409, code: 'job_not_undoable' })
  })

  it('takes roles back', async () => {
    const { ids } = await group(2)
    const role = await t.createRole('For a while', [])
    const job = await bulk({ action: 'set_role', role_id: role, ids, expected: 2 })
    expect(await undo(job.id)).toMatchObject({ job: { updated: 2 } })
    expect((await rowOf(t, ids[0] ?? 0)).role_id).toBe(2)
    expect((await t.call(`GET /roles/${role}`)).body.data.users_count).toBe(0)
  })

  it('restores whom it can, and names those whose role was deleted', async () => {
    const old = await t.createRole('Deleted meanwhile', [])
    const { ids } = await group(2, { role_id: old })
    const { ids: others } = await group(1)
    const role = await t.createRole('For a while, too', [])
    const job = await bulk({ action: 'set_role', role_id: role, ids: [...ids, ...others], expected: 3 })
    await t.call(`DELETE /roles/${old}`)
    const { job: undone } = await undo(job.id)
    expect(undone).toMatchObject({ status: 'done', done: 3, updated: 1, skipped: 0, failed: 2, message: null })
    expect((await t.call(`GET /jobs/${undone.id}/errors`)).body.data).toEqual(
      ids.map((id) => ({
        line: null,
        field: 'role_id',
        code: 'job_role_gone',
        message: `User ${id} keeps the present role: the one before (id ${old}) was deleted.`,
      })),
    )
    expect((await rowOf(t, ids[0] ?? 0)).role_id).toBe(role)
    expect((await rowOf(t, others[0] ?? 0)).role_id).toBe(2)
  })

  it('leaves out the caller', async () => {
    const role = await t.createRole('Undo their own', ['users.manage'])
    const { user, key } = await t.createUser({ role_id: await t.createRole('Managers', ['users.manage']) })
    const { id } = await bulk({ action: 'set_role', role_id: role, ids: [user.id], expected: 1 })
    const undone = (await t.call(`POST /jobs/${id}/undo`, { key })).body.data
    await runJobs(t)
    expect((await t.call(`GET /jobs/${undone.id}`)).body.data).toMatchObject({ updated: 0, skipped: 1 })
    expect((await rowOf(t, user.id)).role_id).toBe(role)
  })

  it('that restored nobody can be asked for again, by who may', async () => {
    const { user } = await t.createUser({ role_id: 1 })
    const { key } = await t.createUser({ role_id: await t.createRole('Weaker', ['users.manage']) })
    const { id } = await bulk({ action: 'set_role', role_id: 2, ids: [user.id], expected: 1 })
    expect((await t.call(`POST /jobs/${id}/undo`, { key })).status).toBe(202)
    expect(await undo(id)).toEqual({ status: 409, code: 'job_undone' }) // the other is still queued
    await runJobs(t)
    expect((await rowOf(t, user.id)).role_id).toBe(2)
    expect(await undo(id)).toMatchObject({ status: 202, job: { updated: 1 } })
    expect((await rowOf(t, user.id)).role_id).toBe(1)
  })

  it('that left somebody out, whom its author may not manage, can be asked for again by who may', async () => {
    const { user: above } = await t.createUser({ role_id: 1 })
    const { ids } = await group(2)
    const { key } = await t.createUser({ role_id: await t.createRole('Weak managers', ['users.manage']) })
    const { id } = await bulk({ action: 'ban', ids: [above.id, ...ids], expected: 3 })
    const weak = (await t.call(`POST /jobs/${id}/undo`, { key })).body.data
    await runJobs(t)
    expect((await t.call(`GET /jobs/${weak.id}`)).body.data).toMatchObject({ updated: 2, skipped: 1 })
    expect(await undo(id)).toMatchObject({ status: 202, job: { updated: 1, skipped: 2 } })
    expect((await rowOf(t, above.id)).status).toBe('Active')
    expect(await undo(id)).toEqual({ status: 409, code: 'job_undone' })
  })

  it('that was cancelled in the middle can be asked for again, for the rest', async () => {
    const users = Array.from({ length: 3_500 }, (_, at) => ({ email: `halfway${at}@example.com` }))
    const { job: imported } = await importFile(t, ndjson(...users), asNdjson)
    expect(imported).toMatchObject({ created: 3_500 })
    const { id } = await bulk({ action: 'ban', filter: { search: 'halfway' }, expected: 3_500 })
    const first = (await t.call(`POST /jobs/${id}/undo`)).body.data
    await runJobsWhile(t, first.id, () => t.call(`DELETE /jobs/${first.id}`))
    const cancelled = (await t.call(`GET /jobs/${first.id}`)).body.data
    expect(cancelled.status).toBe('cancelled')
    expect(cancelled.updated).toBeGreaterThan(0)
    expect(await undo(id)).toMatchObject({ status: 202, job: { status: 'done', updated: 3_500 - cancelled.updated } })
    const { body } = await t.call('GET /users?filter[search]=halfway&filter[status]=Active')
    expect(body.meta.total).toBe(3_500)
    expect(await undo(id)).toEqual({ status: 409, code: 'job_undone' })
  })

  it('is 409 for other actions, and 404 for no job', async () => {
    const { ids } = await group(1)
    const job = await bulk({ action: 'end_sessions', ids, expected: 1 })
    expect(await undo(job.id)).toEqual({ status: 409, code: 'job_not_undoable' })
    expect((await t.call('POST /jobs/999999/undo')).status).toBe(404)
  })
})

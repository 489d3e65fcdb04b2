import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { rowOf } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { countsOf, importFile, runJobs, sendFile } from '../../testing/jobs.ts'

/* A dry run answers as the import does, and changes nothing. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

let made = 0
const address = () => `tried${++made}@im${made}.example.com`

describe('a dry run', () => {
  it.each(['fail', 'skip', 'update'])('answers as the import does and changes nothing (%s)', async (how) => {
    const known = (await t.createUser({ first_name: 'Known', username: `known-${how}` })).user.email
    const [one, two, three] = [address(), address(), address()]
    const file = [
      'email,username,first_name,password',
      `${known},free-${how},Other,`,
      `${one},name-${how},Ada,`,
      `${two},NAME-${how},Bob,`,
      `${two},known-${how},Bob,`,
      `${one.toUpperCase()},,Grace,`,
      `${one},,Grace,`,
      `${three},,,a lamp by the window`,
      'wrong,,,short',
    ].join('\n')
    const before = await t.ctx.db.selectFrom('users').selectAll().orderBy('id').execute()
    const dry = await importFile(t, file, { query: `?dry_run=1&on_conflict=${how}` })
    expect(await t.ctx.db.selectFrom('users').selectAll().orderBy('id').execute()).toEqual(before)
    expect(dry.job.dry_run).toBe(true)
    const { job, errors } = await importFile(t, file, { query: `?on_conflict=${how}` })
    expect(dry.errors).toEqual(errors)
    expect(countsOf(dry.job)).toEqual(countsOf(job))
    expect(await t.ctx.db.selectFrom('job_drafts').selectAll().execute()).toEqual([])
  })
})

describe('the last administrator', () => {
  const query = '?on_conflict=update'
  let own: TestApp
  beforeAll(async () => {
    own = await startTestApp(inject('postgresUrl'))
  })
  afterAll(() => own.close())

  it('is found by a dry run, too, when earlier parts of the file took the others', async () => {
    const { user } = await own.createUser({ role_id: 1 })
    const fillers = Array.from({ length: 600 }, (_, at) => `filler${at}@last.example.com,`)
    const file = ['email,role', `${user.email},User`, ...fillers, 'admin@example.com,User'].join('\n')
    const dry = await importFile(own, file, { query: `${query}&dry_run=1` })
    const { job, errors } = await importFile(own, file, { query })
    expect(errors).toMatchObject([{ line: 603, field: 'role', code: 'user_last_admin' }])
    expect(dry.errors).toEqual(errors)
    expect(countsOf(dry.job)).toEqual(countsOf(job))
  })

  it('may go once an earlier row has made another one', async () => {
    const { user } = await own.createUser()
    const file = `email,role\n${user.email},Admin\nadmin@example.com,User\n`
    const dry = await importFile(own, file, { query: `${query}&dry_run=1` })
    expect([dry.errors, countsOf(dry.job)]).toMatchObject([[], { updated: 2, failed: 0 }])
    expect((await sendFile(own, file, { query })).status).toBe(202)
    await runJobs(own)
    expect([(await rowOf(own, user.id)).role_id, (await rowOf(own, 1)).role_id]).toEqual([1, 2])
  })
})

import { type Kysely, sql } from 'kysely'
import { expect, inject, it, vi } from 'vitest'
import { reportAddresses } from '../../cli/report-addresses.ts'
import { silentLog, systemActor } from '../../core/context.ts'
import { sequenceAll } from '../../features/activity/sequencer.ts'
import { createTestApp, type TestApp } from '../../testing/app.ts'
import { up } from './0007-address-forms.ts'

/** An account as 0.1.0 left it: with the form in which that compared the address. */
async function createOld(t: TestApp, email: string, form: string): Promise<number> {
  const { user } = await t.createUser({ email: `old${form}` })
  await t.ctx.unguarded.updateTable('users').set({ email, email_canonical: form }).where('id', '=', user.id).execute()
  return user.id
}
const run = (t: TestApp) => t.ctx.transaction(systemActor, (tx) => up(tx.db as unknown as Kysely<never>))
const formsOf = async (t: TestApp) => {
  const rows = await t.ctx.unguarded
    .selectFrom('users')
    .select(['id', 'email_canonical'])
    .where('id', '!=', 1)
    .orderBy('id')
    .execute()
  return rows.map(({ email_canonical }) => email_canonical)
}
const findingsOf = (t: TestApp) =>
  t.ctx.unguarded
    .selectFrom('activity')
    .select(['event', 'subject_id', 'details'])
    .where('event', 'in', ['user.email_was_another', 'user.email_collides'])
    .orderBy('id')
    .execute()

it('gives every address its new form, and names by id those that counted as another', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const github = await createOld(t, 'ceo@gıthub.test', 'ceo@github.test')
  await createOld(t, 'Ida@BÜCHER.test', 'ida@bücher.test')
  const street = await createOld(t, 'a@straße.test', 'a@strasse.test')
  await createOld(t, 'JOSE\u0301@example.com', 'josé@example.com')
  await createOld(t, 'plain@example.com', 'plain@example.com')
  await run(t)
  expect(await formsOf(t)).toEqual([
    'ceo@xn--gthub-n4a.test',
    'ida@xn--bcher-kva.test',
    'a@xn--strae-oqa.test',
    'josé@example.com',
    'plain@example.com',
  ])
  expect(await findingsOf(t)).toEqual([
    { event: 'user.email_was_another', subject_id: github, details: null },
    { event: 'user.email_was_another', subject_id: street, details: null },
  ])
  expect((await t.call('POST /users', { body: { email: 'ceo@github.test' } })).body.errors).not.toHaveProperty('email')
})

it('run again changes nothing', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  await createOld(t, 'ceo@gıthub.test', 'ceo@github.test')
  await run(t)
  const [forms, findings] = [await formsOf(t), await findingsOf(t)]
  await run(t)
  expect([await formsOf(t), await findingsOf(t)]).toEqual([forms, findings])
})

it('keeps both of two accounts with one new form: the later one is found by id and can be given another address', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const first = await createOld(t, 'x@MÜNCHEN.test', 'x@one.test')
  const second = await createOld(t, 'x@münchen.test', 'x@two.test')
  // Written already as it should be, by an account that comes later: it keeps its form.
  const third = await createOld(t, 'y@bücher.test', 'y@three.test')
  const holder = await createOld(t, 'y@xn--bcher-kva.test', 'y@xn--bcher-kva.test')
  await run(t)
  expect(await formsOf(t)).toEqual([
    'x@xn--mnchen-3ya.test',
    `x@xn--mnchen-3ya.test ${second}`,
    `y@xn--bcher-kva.test ${third}`,
    'y@xn--bcher-kva.test',
  ])
  expect((await findingsOf(t)).filter(({ event }) => event === 'user.email_collides')).toEqual([
    { event: 'user.email_collides', subject_id: second, details: JSON.stringify({ with: first }) },
    { event: 'user.email_collides', subject_id: third, details: JSON.stringify({ with: holder }) },
  ])
  const changed = await t.call(`PATCH /users/${second}`, { body: { email: 'own@example.com' } })
  expect([changed.status, changed.body.data.email]).toEqual([200, 'own@example.com'])
})

it('writes events that the feed knows by name', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const first = await createOld(t, 'x@MÜNCHEN.test', 'x@one.test')
  const second = await createOld(t, 'x@münchen.test', 'x@two.test')
  await run(t)
  await sql`insert into activity_pending (activity_id, due_ms) select id, 0 from activity
    where event like 'user.email%'`.execute(t.ctx.unguarded) // as 0030-event-order does
  await sequenceAll(t.ctx)
  const { status, body } = await t.call('GET /events?types=user.email_was_another,user.email_collides')
  expect(status).toBe(200)
  const subjectOf = (id: number) => ({ type: 'user', id })
  expect(body.data).toMatchObject([
    { type: 'user.email_was_another', data: { subject: subjectOf(first), details: null } },
    { type: 'user.email_was_another', data: { subject: subjectOf(second), details: null } },
    { type: 'user.email_collides', data: { subject: subjectOf(second), details: { with: first } } },
  ])
})

it('swaps forms between accounts, in whatever order they are written', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  await createOld(t, 'a@example.com', 'b@example.com')
  await createOld(t, 'b@example.com', 'a@example.com')
  await run(t)
  expect(await formsOf(t)).toEqual(['a@example.com', 'b@example.com'])
})

it('is written for more accounts than one statement holds', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const now = '2026-01-01 00:00:00'
  const rows = Array.from({ length: 2_500 }, (_, index) => ({
    email: `u${index}@bücher.test`,
    email_canonical: `u${index}@bücher.test`,
    password_hash: 'none',
    role_id: 2,
    ...({ status: 'Active', first_name_key: '', last_name_key: '', created_at: now, updated_at: now } as const),
  }))
  for (let start = 0; start < rows.length; start += 500) {
    await t.ctx.unguarded
      .insertInto('users')
      .values(rows.slice(start, start + 500))
      .execute()
  }
  await run(t)
  expect(new Set(await formsOf(t))).toEqual(new Set(rows.map((_, index) => `u${index}@xn--bcher-kva.test`)))
  expect(await findingsOf(t)).toEqual([])
})

it('tells the operator of what it found by id and never by address', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const id = await createOld(t, 'ceo@gıthub.test', 'ceo@github.test')
  await run(t)
  const lines: unknown[] = []
  await reportAddresses(t.ctx.unguarded, { ...silentLog, warn: (...line) => lines.push(line) })
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await reportAddresses(t.ctx.unguarded, silentLog)
  const [printed] = written.mock.calls.map(([text]) => String(text))
  written.mockRestore()
  expect(lines).toEqual([[{ count: 1, users: [id], event: 'user.email_was_another' }, expect.any(String)]])
  expect(printed).toMatch(new RegExp(`^gatehouse: 1 account has an address.* Users: ${id}\\n$`))
  expect(`${JSON.stringify(lines)}${printed}`).not.toMatch(/thub|ceo/)
})

import { sql } from 'kysely'
import { isPostgres } from '../db/dialect.ts'
import type { NewUser } from '../features/accounts/users.queries.ts'
import type { UserRow } from '../features/accounts/users.table.ts'
import { hashPassword } from '../features/passwords/passwords.service.ts'
import type { Answer, TestApp } from './app.ts'
import { messageTo, tokenIn } from './messages.ts'

/** The password of every account that `createAccount` makes. */
export const oldPassword = 'a lamp by the window'
/** What tests change it to. */
export const newPassword = 'an entirely new password'

let oldHash: Promise<string> | undefined

/** A user who can sign in with `oldPassword`, and a key of theirs. */
export async function createAccount(
  t: TestApp,
  fields: Partial<NewUser> = {},
): Promise<{ user: UserRow; key: string }> {
  oldHash ??= hashPassword(oldPassword)
  return t.createUser({ password_hash: await oldHash, ...fields })
}

export const signIn = (t: TestApp, username: string, password = oldPassword): Promise<Answer> =>
  t.call('POST /login', { key: null, body: { username, password } })

/** The row as it is now. */
export const rowOf = (t: TestApp, id: number): Promise<UserRow> =>
  t.ctx.unguarded.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

export const remind = (t: TestApp, email: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  t.call('POST /password/remind', { key: null, body: { email }, headers })

/** Asks for a reset mail, a minute after whatever was before, and reads the token in it. */
export async function requestResetToken(t: TestApp, email: string): Promise<string> {
  t.clock.advance({ minutes: 1 })
  const { status, text } = await remind(t, email)
  if (status !== 200) throw new Error(text)
  return tokenIn(await messageTo(t, email, 'reset-password'))
}

export const reset = (t: TestApp, token: unknown, email: string, password = newPassword): Promise<Answer> =>
  t.call('POST /password/reset', {
    key: null,
    body: { token, email, password, password_confirmation: password },
  })

/** Confirms an address with the token from the mail. */
export const verifyEmail = (t: TestApp, token: unknown, password: unknown = oldPassword): Promise<Answer> =>
  t.call('POST /email/verify', { key: null, body: { token, password } })

let names = 0
/** A body that registers somebody whom no other test knows. */
export const newcomer = (more: Record<string, unknown> = {}) => {
  const username = `newcomer${++names}`
  const password = oldPassword
  return { username, email: `${username}@example.com`, password, password_confirmation: password, ...more }
}

let networks = 0
/** A network that nobody has come from yet: mail that one has sent to strangers is bounded. */
export const newNetwork = (): string => `10.${++networks % 256}.${networks >> 8}.1`

export const register = (
  t: TestApp,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
  ip = newNetwork(),
) => t.call('POST /register', { key: null, body, headers, ip })

/** Registers somebody, and reads the token in the mail. */
export async function registerUnconfirmed(t: TestApp, body = newcomer()): Promise<{ user: UserRow; token: string }> {
  const { status, text } = await register(t, body)
  if (status !== 201) throw new Error(text)
  const token = tokenIn(await messageTo(t, body.email, 'confirm-email'))
  const user = await t.ctx.unguarded
    .selectFrom('users')
    .selectAll()
    .where('email', '=', body.email)
    .executeTakeFirstOrThrow()
  return { user, token }
}

/** When credentials were used: it is written a little later. */
const notesOfUse = new Set(['last_activity', 'last_used_at'])

const tableNames = new WeakMap<object, Promise<string[]>>()

/** The tables, looked up once for each app. */
function tablesOf({ unguarded: db }: TestApp['ctx']): Promise<string[]> {
  const known = tableNames.get(db)
  if (known !== undefined) return known
  const names = db.introspection.getTables().then((tables) => tables.map(({ name }) => name))
  tableNames.set(db, names)
  return names
}

/** All rows of all tables: on PostgreSQL by one statement, because each takes a round trip. */
async function readTables({ ctx }: TestApp): Promise<unknown[][]> {
  const db = ctx.unguarded
  const names = await tablesOf(ctx)
  if (!isPostgres(db)) {
    const results = await Promise.all(names.map((name) => sql`select * from ${sql.table(name)}`.execute(db)))
    return results.map(({ rows }) => rows)
  }
  const selects = names.map((name) => sql`(select coalesce(json_agg(one), '[]') from ${sql.table(name)} one)`)
  const { rows } = await sql<{ tables: unknown[][] }>`select array[${sql.join(selects)}] as tables`.execute(db)
  return rows[0]?.tables ?? []
}

/** Everything that stands in the database but notes of use, as one text. */
export async function dumpDatabase(t: TestApp): Promise<string> {
  const tables = await readTables(t)
  // Rows are sorted: on PostgreSQL a note of use moves its row to another place.
  const toText = (row: unknown) => JSON.stringify(row, (name, value) => (notesOfUse.has(name) ? undefined : value))
  return `[${tables.map((rows) => `[${rows.map(toText).toSorted().join()}]`).join()}]`
}

/** How many messages there are, sent or not. */
export async function countMessages(t: TestApp): Promise<number> {
  const { count } = await t.ctx.unguarded
    .selectFrom('deliveries')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Answers to requests during which their account is deleted: some before it is found, some while a password is hashed, some after. */
export async function whileDeleted(
  t: TestApp,
  prepare: () => Promise<{ id: number; send: () => Promise<Answer> }>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let afterMs = 0; afterMs < 60; afterMs += 4) {
    const { id, send } = await prepare()
    const answer = send()
    await new Promise((done) => setTimeout(done, afterMs))
    const { status, text } = await t.call(`DELETE /users/${id}`)
    if (status !== 200) throw new Error(text)
    answers.push(await answer)
  }
  return answers
}

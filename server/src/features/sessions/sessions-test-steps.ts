import { hash } from 'node:crypto'
import { type Answer, type CallOptions, createTestApp, type TestApp } from '../../testing/app.ts'
import type { NewUser } from '../accounts/users.queries.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { hashPassword } from '../passwords/passwords.service.ts'

/** Helpers for the tests of sign-in and sessions. */

export const password = 'a quiet harbour at dawn'

let hashed: Promise<string> | undefined

/** A user who can sign in with `password`. */
export async function createOwner(t: TestApp, fields: Partial<NewUser> = {}): Promise<UserRow> {
  hashed ??= hashPassword(password)
  return (await t.createUser({ password_hash: await hashed, ...fields })).user
}

/** Tries to sign in from a new browser. */
export const login = (t: TestApp, username: string, body: object = {}, options: CallOptions = {}): Promise<Answer> =>
  t.call('POST /login', { key: null, body: { username, password, ...body }, ...options })

/** Signs in; returns the login token. */
export async function signIn(t: TestApp, user: UserRow, body: object = {}, options: CallOptions = {}): Promise<string> {
  const answer = await login(t, user.email, body, options)
  if (typeof answer.body?.token !== 'string') throw new Error(answer.text)
  return answer.body.token
}

/** Signs in with a cookie; returns the `Cookie` header for further requests. */
export async function signInWithCookie(t: TestApp, user: UserRow, options: CallOptions = {}): Promise<string> {
  const { headers, text } = await login(t, user.email, { cookie: true }, options)
  const [cookie] = [headers['set-cookie'] ?? []].flat()
  if (cookie === undefined) throw new Error(text)
  return cookie.split(';', 1)[0] as string
}

/** The status that each token gets on a path for any credential. */
export const statusesOf = (t: TestApp, ...tokens: string[]): Promise<number[]> =>
  Promise.all(tokens.map(async (key) => (await t.call('GET /me', { key })).status))

export const sessionsOf = (t: TestApp, userId: number) =>
  t.ctx.unguarded.selectFrom('sessions').selectAll().where('user_id', '=', userId).execute()

/** The id of the session of a token. */
export async function handleOf(t: TestApp, token: string): Promise<string> {
  const sessions = t.ctx.unguarded.selectFrom('sessions').select('id')
  const found = sessions.where('token_hash', '=', hash('sha256', token, 'base64url'))
  return (await found.executeTakeFirstOrThrow()).id
}

/** Runs something this many times in parallel, alternating between two nodes. */
export const onTwoNodes = <T>(
  nodes: readonly [TestApp, TestApp],
  times: number,
  work: (app: TestApp, index: number) => Promise<T>,
): Promise<T[]> => Promise.all(Array.from({ length: times }, (_, index) => work(nodes[index % 2] as TestApp, index)))

/** An app for one test in which `meanwhile` runs once, just before the next transaction. */
export async function createRacingApp(postgresUrl: string | null) {
  const t = await createTestApp(postgresUrl)
  const { transaction } = t.ctx
  let next: (() => Promise<unknown>) | undefined
  const racing: typeof transaction = async (actor, work) => {
    const meanwhile = next
    next = undefined
    await meanwhile?.()
    return transaction(actor, work)
  }
  Object.assign(t.ctx, { transaction: racing })
  const beforeNextTransaction = (meanwhile: () => Promise<unknown>) => {
    next = meanwhile
  }
  return { t, beforeNextTransaction }
}

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { systemActor } from '../core/context.ts'
import { sequenceAll } from '../features/activity/sequencer.ts'
import { getOwnUser } from '../features/users/users.service.ts'
import { dumpDatabase } from '../testing/accounts.ts'
import type { TestApp } from '../testing/app.ts'
import { startAvatarApp } from '../testing/avatars.ts'
import { pictureOf } from '../testing/images.ts'
import { type DescribedOperation, operations } from '../testing/openapi.ts'
import { holdBody } from '../testing/raw-http.ts'
import { wrapTransactions } from '../testing/transactions.ts'
import { type Attacker, attempts, bodyOf, pathOf, signedIn, typeOf, withKey } from './late-revocation-test-steps.ts'

/*
 * A request is admitted when its headers have arrived. Its body may arrive much later, and its sender may have been banned,
 * demoted or signed out by then. Every operation that needs a credential and may change something is tested: headers and
 * half of the body, the end of the credential, the rest.
 */

let t: TestApp
let picture: Buffer
/** Runs once, just before the next transaction. */
let beforeTransaction: (() => Promise<unknown>) | undefined
beforeAll(async () => {
  picture = await pictureOf(1)
})

/** How many share a database: every attack reads all of it twice, so it must stay small. */
const testsPerDatabase = 10
let tests = 0
beforeEach(async () => {
  if (tests++ % testsPerDatabase > 0) return
  await t?.close()
  t = await startAvatarApp(inject('postgresUrl'))
  wrapTransactions(t, (transaction) => async (actor, work) => {
    const meanwhile = beforeTransaction
    beforeTransaction = undefined
    await meanwhile?.()
    return transaction(actor, work)
  })
})
afterAll(() => t?.close())

/** They only read, or return what they are given. */
const harmless = new Set(['previewAnnouncement'])

/** They say that an API key is not a session. */
const ofSessions = new Set(['reauthenticateMe', 'startReauthentication', 'sendReauthenticationCode'])

const writing = operations.filter(({ method, security }) => method !== 'GET' && security === undefined)

const admin = async (request: string, body?: unknown): Promise<void> => {
  const { status, text } = await t.call(request, body === undefined ? {} : { body })
  expect(status, text).toBe(200)
}

/** Operations that every user may do, so a demotion does not prevent them. A limited key still changes nothing of its owner's account. */
const isForEverybody = ({ description, path }: DescribedOperation, means: string) =>
  description.endsWith('Needs any valid credential.') && !(means === 'had the key limited' && path.startsWith('/me'))

/** What happens to the sender in the meantime. A demotion does not prevent operations without a required permission. */
interface End {
  readonly begin: (t: TestApp) => Promise<Attacker>
  readonly end: (attacker: Attacker) => Promise<void>
  readonly demotes?: true
}

const ends: Record<string, End> = {
  'was deleted': { begin: signedIn, end: ({ id }) => admin(`DELETE /users/${id}`) },
  'was banned': { begin: signedIn, end: ({ id }) => admin(`PATCH /users/${id}`, { status: 'Banned' }) },
  'was demoted': { begin: signedIn, end: ({ id }) => admin(`PATCH /users/${id}`, { role_id: 2 }), demotes: true },
  'was signed out': { begin: signedIn, end: ({ sessionId }) => admin(`DELETE /sessions/${sessionId}`) },
  'lost the key': { begin: withKey, end: ({ keyId }) => admin(`DELETE /api-keys/${keyId}`) },
  'had the key limited': {
    begin: withKey,
    end: ({ keyId }) => admin(`PATCH /api-keys/${keyId}`, { permissions: [] }),
    demotes: true,
  },
}

/** The ends after which an operation is refused. */
const endsOf = (operation: DescribedOperation): [means: string, end: End][] =>
  Object.entries(ends).filter(([means, { demotes }]) => !(demotes === true && isForEverybody(operation, means)))

/** The ends to try: all on SQLite. The checks are the same for every operation, so PostgreSQL gets each `step`th, in turn. */
function endsInTurn(operation: DescribedOperation, step: number): [means: string, end: End][] {
  if (inject('postgresUrl') === null) return endsOf(operation)
  return endsOf(operation).filter((_, at) => at % step === writing.indexOf(operation) % step)
}

/** A little longer than an admission holds (http/credentials.ts). */
const lateMs = 26

/** Holds back half of a request, ends the sender's credential, and sends the rest. Returns the answer and whether anything changed. */
async function attack(operation: DescribedOperation, { begin, end }: End) {
  const attacker = await begin(t)
  const attempt = (await attempts[operation.operationId]?.(t, attacker)) ?? {}
  const type = typeOf(operation)
  const held = await holdBody(
    t.app,
    `${operation.method} /api${pathOf(operation, attempt)}`,
    { authorization: `Bearer ${attacker.token}`, ...(type ?? { 'content-type': 'application/json' }) },
    bodyOf(operation, attempt, picture),
  )
  await end(attacker)
  await sequenceAll(t.ctx) // the order of events is nobody's change
  const before = await dumpDatabase(t)
  await pause(lateMs)
  const { status, body } = await held.finish()
  return { status, body, changed: (await dumpDatabase(t)) !== before }
}

/** The same with a request that arrives at once; the credential ends after all checks before the transaction. */
async function race(operation: DescribedOperation, { begin, end }: End) {
  const attacker = await begin(t)
  const attempt = (await attempts[operation.operationId]?.(t, attacker)) ?? {}
  const type = typeOf(operation)
  let before: string | undefined
  beforeTransaction = async () => {
    await end(attacker)
    before = await dumpWithoutCounters()
  }
  const { status, text } = await t.call(`${operation.method} ${pathOf(operation, attempt)}`, {
    key: attacker.token,
    ...(type === undefined ? {} : { headers: type }),
    body: type !== undefined ? bodyOf(operation, attempt, picture) : bodyOf(operation, attempt, picture).toString(),
  })
  const isRun = beforeTransaction === undefined
  beforeTransaction = undefined
  return { status, text, isRun, changed: (await dumpWithoutCounters()) !== before }
}

/** Attempts are counted, codes used up and files stored before the transaction of the change. */
async function dumpWithoutCounters(): Promise<string> {
  const tables = JSON.parse(await dumpDatabase(t)) as object[][]
  const isCounter = (row: object) => 'expires_ms' in row || 'since_ms' in row || 'bytes' in row
  return JSON.stringify(tables.filter((rows) => rows.length > 0 && !rows.some(isCounter)))
}

describe('a request whose credential ends just before its transaction', () => {
  it.each(writing.filter(({ operationId }) => !harmless.has(operationId) && operationId !== 'signOut'))(
    '$operationId changes nothing',
    async (operation) => {
      for (const [means, end] of endsInTurn(operation, 3)) {
        if (means.includes('the key') && ofSessions.has(operation.operationId)) continue
        const { status, text, isRun, changed } = await race(operation, end)
        expect([means, isRun, status, changed], text).toEqual([means, true, end.demotes === true ? 403 : 401, false])
      }
    },
  )
})

it('an account that was deleted after its request was admitted is 401, not 404', async () => {
  const read = getOwnUser(t.ctx.db, { ...systemActor, userId: 999_999 })
  await expect(read).rejects.toMatchObject({ status: 401 })
})

describe('a request whose body comes late', () => {
  it('is tested for every operation that may change something', () => {
    const known = [...Object.keys(attempts), ...harmless]
    expect(writing.map(({ operationId }) => operationId).filter((id) => !known.includes(id))).toEqual([])
  })

  // asvs: 8.3.1
  it.each(writing.filter(({ operationId }) => !harmless.has(operationId)))(
    '$operationId changes nothing for a user who was banned, deleted, demoted or signed out in the meantime',
    async (operation) => {
      for (const [means, end] of endsInTurn(operation, 4)) {
        const { status, body, changed } = await attack(operation, end)
        expect([means, status, changed], body).toEqual([means, end.demotes === true ? 403 : 401, false])
      }
    },
  )

  it.each(['createUser', 'updateMyDetails', 'deleteAnnouncement', 'uploadAvatar'])(
    '%s succeeds if nothing happened in the meantime',
    async (operationId) => {
      const operation = operations.find((known) => known.operationId === operationId) as DescribedOperation
      const { status, changed } = await attack(operation, { begin: signedIn, end: async () => {} })
      expect([status < 300, changed]).toEqual([true, true])
    },
  )
})

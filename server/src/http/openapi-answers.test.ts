import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createOwner, handleOf, signIn, signInWithCookie } from '../features/sessions/sessions-test-steps.ts'
import { requestResetToken } from '../testing/accounts.ts'
import { type Answer, createTestApp, type TestApp } from '../testing/app.ts'
import { startAvatarApp } from '../testing/avatars.ts'
import { pictureOf } from '../testing/images.ts'
import { importFile } from '../testing/jobs.ts'
import { messageTo } from '../testing/messages.ts'
import { type DescribedOperation, parametersOf, sampleBody } from '../testing/openapi.ts'
import { addTotp } from '../testing/totp.ts'
import { type Ids, preparations, refusedByDisabled } from './openapi-preparations-test-steps.ts'
import {
  changes,
  collectionOf,
  creations,
  deletions,
  expectAsDescribed,
  filtersOf,
  form,
  isFree,
  jsonOperations,
  publicly,
  type Request,
  reads,
  successOf,
  takesFile,
  takesForm,
  urlencoded,
  wrongFields,
} from './openapi-test-steps.ts'

/** Calls every operation as documented, to get each of its answers, and compares them with the document. */

let t: TestApp
const ids: Ids = new Map()
let picture: Buffer
beforeAll(async () => {
  t = await startAvatarApp(inject('postgresUrl'))
  t.clock.advance({ days: 10_000 }) // the examples hold for as long
  picture = await pictureOf(1)
  const owner = await createOwner(t)
  ids.set('/sessions', await handleOf(t, await signIn(t, owner)))
  await requestResetToken(t, owner.email)
  ids.set('/jobs', (await importFile(t, 'email\nwrong\n')).job.id)
  ids.set('/deliveries', (await messageTo(t, owner.email, 'reset-password')).id)
  ownFactor = await addTotp(t, 1, { verified: 0 })
})
afterAll(() => t.close())

/** Factors of the administrator, who sends what is not said otherwise. */
let ownFactor: number

const call = (
  { method, path }: DescribedOperation,
  { id, factor = id === 999_999 ? id : ownFactor, attempt = 1, query = '', options = {} }: Request,
  app = t,
): Promise<Answer> => {
  const target = path
    .replace('{factor}', String(factor))
    .replace('{attempt}', String(attempt))
    .replace(/\{\w+\}/, String(id))
  return app.call(`${method} ${target}${query}`, options)
}

/** What the documentation page sends if nothing is filled in: every example. */
function sampleRequest(operation: DescribedOperation): Request {
  const parameters = parametersOf(operation, 'query').filter(({ example }) => example !== undefined)
  const query = new URLSearchParams(parameters.map(({ name, example }): [string, string] => [name, String(example)]))
  const body = takesFile(operation) ? undefined : sampleBody(operation)
  const options = takesFile(operation) ? form(picture) : body === undefined ? {} : { body }
  return { id: ids.get(collectionOf(operation.path)), query: `?${query}`, options }
}

async function succeed(operation: DescribedOperation): Promise<Answer> {
  const sample = sampleRequest(operation)
  const { body, options, ...prepared } = (await preparations[operation.operationId]?.(t, ids)) ?? {}
  const sampleFields = sample.options?.body
  const fields = body === undefined ? {} : { body: { ...(sampleFields as Record<string, unknown>), ...body } }
  const answer = await call(operation, {
    ...sample,
    ...prepared,
    options: { ...publicly(operation), ...sample.options, ...options, ...fields },
  })
  expect(answer.status, answer.text).toBe(successOf(operation))
  expectAsDescribed(operation, answer)
  return answer
}

describe('with the examples of the document', () => {
  it.each(creations)('$operationId answers as described', async (operation) => {
    const { body } = await succeed(operation)
    if (body.data.id !== undefined && operation.operationId !== 'inviteUser')
      ids.set(collectionOf(operation.path), body.data.id)
  })

  it.each([...changes, ...reads])('$operationId answers as described', async (operation) => {
    const { body } = await succeed(operation)
    const isEmpty = operation.operationId === 'listSmsCountries' // no SMS service is configured here
    if (Array.isArray(body?.data) && !isEmpty) expect(body.data.length).toBeGreaterThan(0)
  })
})

let needsFactor: Promise<number> | undefined
/** A role that requires a second factor. */
const roleWithFactor = (): Promise<number> => {
  needsFactor ??= t.createRole('Needs a factor', []).then(async (id) => {
    await t.call(`PATCH /roles/${id}`, { body: { two_factor: 'required' } })
    return id
  })
  return needsFactor
}

/** How to get each error. */
const provocations: Record<string, (operation: DescribedOperation) => Request | Promise<Request>> = {
  400: (operation) => {
    if (operation.method === 'GET') return { query: '?include=nothing' }
    if (takesForm(operation)) return { options: { headers: { 'idempotency-key': 'x'.repeat(256) } } }
    return { options: { body: takesFile(operation) ? '--broken' : '{' } }
  },
  401: () => ({ options: { key: null } }),
  // If any credential is enough, two are still refused: of somebody who needs a second factor first, and a browser's on another site.
  403: async ({ description, method }) => {
    if (!description.endsWith('Needs any valid credential.')) return { options: { key: (await t.createUser()).key } }
    if (method === 'GET') return { options: { key: (await t.createUser({ role_id: await roleWithFactor() })).key } }
    const cookie = await signInWithCookie(t, await createOwner(t))
    return { options: { key: null, headers: { cookie, 'sec-fetch-site': 'cross-site' } } }
  },
  404: () => ({ id: 999_999 }),
  413: (operation) => {
    const tooMuch = 'x'.repeat(1024 * 1024 + 1)
    if (takesForm(operation)) return { options: urlencoded(tooMuch) }
    return { options: takesFile(operation) ? form(Buffer.alloc(5 * 1024 * 1024 + 1)) : { body: tooMuch } }
  },
  415: () => ({ options: { body: '<xml/>', headers: { 'content-type': 'application/xml' } } }),
  422: async (operation) => {
    if (operation.operationId === 'sendPasswordReset') return { id: (await t.createUser({ status: 'Banned' })).user.id }
    const disabled = refusedByDisabled[operation.operationId]
    if (disabled) return disabled(t)
    if (operation.method === 'GET') {
      return { query: `?${new URLSearchParams(filtersOf(operation).map((name): [string, string] => [name, '\0']))}` }
    }
    return {
      options: takesFile(operation)
        ? form(Buffer.from('no picture'))
        : { body: isFree(operation) ? [1] : wrongFields(operation) },
    }
  },
}

/** Refusals for reasons of their own are in `openapi-refusals.test.ts`. */
const isSpecial = (operation: DescribedOperation, status: string): boolean =>
  (status === '403' && operation.security !== undefined) ||
  (status === '404' && !operation.path.includes('{')) ||
  (status === '422' && operation.operationId === 'deleteRole') ||
  (status === '422' && operation.responses[422]?.description === 'The Idempotency-Key was used for another request.')

const errorCases = jsonOperations.flatMap((operation) =>
  Object.keys(provocations)
    .map((status) => ({ ...operation, status, isDescribed: status in operation.responses }))
    .filter(({ status, isDescribed }) => !isDescribed || !isSpecial(operation, status)),
)

describe('what fails', () => {
  it.each(errorCases.filter(({ isDescribed }) => isDescribed))(
    '$operationId answers $status as described',
    async (operation) => {
      const answer = await provoke(operation)
      expect(answer.status, answer.text).toBe(Number(operation.status))
      expectAsDescribed(operation, answer)
    },
  )

  it.each(errorCases.filter(({ isDescribed }) => !isDescribed))(
    '$operationId never answers $status, which is not described',
    async (operation) => {
      expect((await provoke(operation)).status).not.toBe(Number(operation.status))
    },
  )

  const provoke = async (operation: DescribedOperation & { status: string }) => {
    const sample = sampleRequest(operation)
    const request = (await provocations[operation.status]?.(operation)) ?? {}
    // A deletion that is not refused would leave nothing for the later cases.
    const harmless = operation.method === 'DELETE' && !operation.responses[operation.status] ? { id: 999_999 } : {}
    const headers = { ...sample.options?.headers, ...request.options?.headers }
    const options = { ...publicly(operation), ...sample.options, ...request.options, headers }
    return call(operation, { ...sample, ...harmless, ...request, options })
  }

  it('answers 429 as described, on every operation', async () => {
    const limited = await createTestApp(inject('postgresUrl'), { GATEHOUSE_RATE_LIMIT: '1/hour' })
    const callLimited = (operation: DescribedOperation) => {
      const { options, ...sample } = sampleRequest(operation)
      return call(operation, { ...sample, options: { ...publicly(operation), ...options } }, limited)
    }
    await limited.call('GET /countries')
    await limited.call('GET /meta', { key: null })
    for (const operation of jsonOperations) {
      const answer = await callLimited(operation)
      expect(answer.status).toBe(429)
      expectAsDescribed(operation, answer)
    }
  })
})

describe('at the end', () => {
  it.each(deletions)('$operationId answers as described', async (operation) => {
    await succeed(operation)
  })
})

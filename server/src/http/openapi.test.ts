import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, inject, it } from 'vitest'
import { createTestApp } from '../testing/app.ts'
import {
  type DescribedOperation,
  mismatches,
  type OpenApiDocument,
  openApiDocument,
  operations,
  parametersOf,
  type Schema,
  walk,
} from '../testing/openapi.ts'

/** Operations with a status other than 200: those that create something, and those that only promise. */
const successes: Record<string, [status: string, description: string]> = {
  createUser: ['201', 'Created.'],
  inviteUser: ['201', 'Created.'],
  importUsers: ['202', 'Accepted.'],
  changeManyUsers: ['202', 'Accepted.'],
  undoJob: ['202', 'Accepted.'],
  createRole: ['201', 'Created.'],
  createPermission: ['201', 'Created.'],
  createApiKey: ['201', 'Created.'],
  createMyTotp: ['201', 'Created.'],
  createMyPasskey: ['201', 'Created.'],
  createAnnouncement: ['201', 'Created.'],
  createWebhook: ['201', 'Created.'],
  testWebhook: ['202', 'Accepted.'],
  retryWebhookAttempt: ['202', 'Accepted.'],
  replayWebhook: ['202', 'Accepted.'],
  startAnnouncementNotifications: ['201', 'Created.'],
  registerAccount: ['201', 'Created.'],
  resendEmailConfirmation: ['202', 'Accepted.'],
}

/** What is no POST and may be refused without a field that is wrong. */
const refusable = new Set([
  'removeMyFactor',
  'removeFactor',
  'enableTwoFactor',
  'enableMyTwoFactor',
  'disableMyTwoFactor',
  'disableTwoFactor',
])

/** The components of a 422: every POST can have an Idempotency-Key that was used for another request. */
function kindsOf({ method, operationId, requestBody }: DescribedOperation): string[] {
  if (operationId === 'deleteRole') return ['ApiError'] // it has no fields
  if (method !== 'POST') return ['ValidationError', ...(refusable.has(operationId) ? ['ApiError'] : [])]
  return [...(requestBody === undefined ? [] : ['ValidationError']), 'ApiError']
}

/** Parameters of lists, and those of the few operations that have others. */
const listParameters = /^(include|sort|filter\[\w+\]|page|per_page|cursor)$/
const ownParameters: Record<string, RegExp> = {
  exportActivity: /^(format|filter\[\w+\])$/,
  readEvents: /^(after|last|types|wait)$/,
  importUsers: /^(dry_run|on_conflict|ignore_unknown|notify|hash_parameters)$/,
  exportUsers: /^(format|fields|sort|filter\[\w+\]|page|per_page|cursor)$/,
}

const nodes = [...walk(openApiDocument)]
/** Everything in the position of a schema, not the map of properties around it. */
const isSchema = (keys: readonly string[]) => keys.includes('schema') || (keys.includes('schemas') && keys.length > 2)
const schemas = nodes.filter(({ keys }) => isSchema(keys) && keys.at(-1) !== 'properties') as {
  keys: readonly string[]
  node: Schema & { default?: unknown; nullable?: boolean }
}[]

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(structuredClone(openApiDocument) as never)).toEqual({ valid: true })
    expect(openApiDocument.openapi).toMatch(/^3\.1\./)
  })

  it('is public, with the configured public URL and the same paths below it', async () => {
    const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_PUBLIC_URL: 'https://example.com/gate/house/' })
    const { status, body, headers } = await t.call('GET /openapi.json', { key: null })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(body.servers).toEqual([{ url: 'https://example.com/gate/house/api' }])
    expect({ ...body, servers: openApiDocument.servers }).toEqual(openApiDocument)
  })

  it('contains every route of the API, and says which of them need no credential', async () => {
    const t = await createTestApp(inject('postgresUrl'))
    const guarded = t.app.routeTable
      .filter(({ url, config }) => url.startsWith('/api/') && !('public' in (config?.access ?? {})))
      .flatMap(({ method, url }) => [method].flat().map((name) => `${name} ${url.slice('/api'.length)}`))
      .filter((route) => !route.startsWith('HEAD '))
    const nameOf = ({ method, path }: DescribedOperation) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
    const described = operations.filter(({ security }) => security === undefined).map(nameOf)
    // PUT and PATCH are described once, as PATCH.
    const twins = described.filter((route) => route.startsWith('PATCH ')).map((route) => route.replace('PATCH', 'PUT'))
    expect(guarded.toSorted()).toEqual([...described, ...twins].toSorted())
    expect(described).toContain('POST /api-keys/:id/rotate')
    // route-table.test.ts ensures that only these, and the documentation itself, are public.
    const open = operations.filter(({ security }) => security !== undefined)
    expect(open.map(({ security }) => security)).toEqual(open.map(() => []))
    expect(open.map(nameOf).toSorted()).toEqual([
      ...['GET /announcements/unsubscribe/:token', 'GET /meta', 'POST /announcements/unsubscribe/:token'],
      ...['POST /email/resend', 'POST /email/verify', 'POST /email/verify/preview'],
      ...['POST /invitations/accept', 'POST /invitations/preview', 'POST /login'],
      ...['POST /login/2fa', 'POST /login/2fa/sms', 'POST /login/passkey', 'POST /login/passkey/options'],
      ...['POST /password/remind', 'POST /password/reset', 'POST /password/reset/preview'],
      ...['POST /register', 'POST /secure-account', 'POST /secure-account/preview'],
    ])
  })

  it('has no dangling references and no unused schemas', () => {
    const names = Object.keys(openApiDocument.components.schemas)
    const refs = nodes.flatMap(({ node }) => ('$ref' in node ? [String(node.$ref)] : []))
    expect([...new Set(refs)].toSorted()).toEqual(names.map((name) => `#/components/schemas/${name}`).toSorted())
    expect(names.filter((name) => !/^([A-Z][a-z]+)+$/.test(name))).toEqual([])
  })

  it('has only examples and defaults that match their schema', () => {
    const examples = schemas.flatMap(({ keys, node }) => [
      ...(node.examples ?? []).map((value) => ({ keys, value })),
      ...('default' in node ? [{ keys, value: node.default }] : []),
    ])
    const ofParameters = nodes.flatMap(({ keys, node }) =>
      'example' in node && 'schema' in node ? [{ keys: [...keys, 'schema'], value: node.example }] : [],
    )
    const all = [...examples, ...ofParameters]
    expect(all.length).toBeGreaterThan(100)
    expect(all.filter(({ keys, value }) => mismatches(keys, value).length > 0)).toEqual([])
  })

  it('has an example for every field, so that the samples of /api/docs can be read', () => {
    const isTold = ({ $ref, anyOf, properties, items, enum: choices, examples }: Schema) =>
      [$ref, anyOf, properties, choices, examples].some((keyword) => keyword !== undefined) || items?.$ref !== undefined
    const untold = Object.entries(openApiDocument.components.schemas).flatMap(([component, { properties = {} }]) =>
      Object.entries(properties).flatMap(([name, field]) => (isTold(field) ? [] : [`${component}.${name}`])),
    )
    expect(untold).toEqual([])
  })

  it('writes nullable types of JSON Schema 2020-12', () => {
    expect(schemas.filter(({ node }) => 'nullable' in node)).toEqual([])
    const user = openApiDocument.components.schemas.User?.properties
    expect(user?.birthday?.type).toEqual(['string', 'null'])
    expect(user?.country?.anyOf).toEqual([{ $ref: '#/components/schemas/Country' }, { type: 'null' }])
  })
})

describe.each(operations)('$method $path', (operation) => {
  const { path, responses } = operation
  const schemaOf = (status: string) => responses[status]?.content['application/json'].schema

  it('has a unique name, a group, a summary, and its required permissions', () => {
    expect(operations.filter(({ operationId }) => operationId === operation.operationId)).toHaveLength(1)
    expect(operation.operationId).toMatch(/^[a-z]+([A-Z][a-z]+)+$/)
    expect(operation.tags).toHaveLength(1)
    expect(operation.summary).toMatch(/^[A-Z].{4,}[^.]$/)
    const isPublic = operation.security?.length === 0
    expect(operation.description).toMatch(
      isPublic ? /Needs no credential\.$/ : /Needs (any valid|the permission) .+\.$/,
    )
    expect(openApiDocument.security).toEqual([{ bearer: [] }])
  })

  it('answers success with named components', () => {
    const [success, ...others] = Object.keys(responses).filter((status) => status.startsWith('2'))
    expect(others).toEqual([])
    const [status, description] = successes[operation.operationId] ?? ['200', 'Success.']
    expect(success).toBe(status)
    expect(responses[String(success)]?.description).toBe(description)
    const content = responses[String(success)]?.content ?? {}
    if (!('application/json' in content)) return
    const schema = schemaOf(String(success))
    const data = schema?.properties?.data
    expect(schema?.$ref ?? data?.$ref ?? data?.items?.$ref).toMatch(/^#\/components\/schemas\/\w+$/)
    expect(schema).not.toHaveProperty('x-response-description')
  })

  it('answers each error with the component of its kind', () => {
    const errors = Object.entries(responses).filter(([status]) => !status.startsWith('2'))
    for (const [status, { description }] of errors) {
      const kinds = status === '422' ? kindsOf(operation) : ['ApiError']
      const refs = kinds.map((name) => ({ $ref: `#/components/schemas/${name}` }))
      expect(schemaOf(status)).toEqual(refs.length === 1 ? refs[0] : { anyOf: refs })
      expect(description).toMatch(/^[A-Z].+\.$/)
    }
  })

  it('names the parameters of its path, and accepts only described query parameters', () => {
    const inPath = parametersOf(operation, 'path').map(({ name, required, schema }) => [name, required, schema.type])
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const type = (name = '') => (['session', 'token'].includes(name) ? 'string' : 'integer') // as answers have the id
    expect(inPath).toEqual(named.map((name) => [name, true, type(name)]))
    for (const { description } of parametersOf(operation, 'path')) expect(description).toMatch(/^[A-Z].+\.$/)
    for (const { name, required, description } of parametersOf(operation, 'query')) {
      expect(name).toMatch(
        operation.operationId in ownParameters ? (ownParameters[operation.operationId] as RegExp) : listParameters,
      )
      expect({ required, description }).toEqual({ required: false, description: expect.stringMatching(/^[A-Z].+\.$/) })
    }
    const headers = parametersOf(operation, 'header').map(({ name, required }) => [name, required])
    const accepted = operation.operationId === 'streamMyEvents' ? 'Last-Event-ID' : 'Idempotency-Key'
    expect(headers).toEqual(operation.method === 'POST' || accepted === 'Last-Event-ID' ? [[accepted, false]] : [])
    const inQuery = parametersOf(operation, 'query').length
    expect(operation.parameters ?? []).toHaveLength(inPath.length + inQuery + headers.length)
  })
})

it('demands a body only where one without members is invalid', () => {
  const bodies = operations.filter(({ requestBody }) => requestBody?.content['application/json'] !== undefined)
  const demanded = bodies.map(({ operationId, requestBody }) => [operationId, requestBody?.required])
  const keys = ['requestBody', 'content', 'application/json', 'schema']
  const isInvalid = ({ path, method }: DescribedOperation) =>
    mismatches(['paths', path, method.toLowerCase(), ...keys], {}).length > 0
  expect(demanded).toEqual(bodies.map((operation) => [operation.operationId, isInvalid(operation)]))
  expect(demanded).toContainEqual(['disableTwoFactor', false])
  expect(demanded).toContainEqual(['createUser', true])
})

it('names every type that an answer can have', () => {
  const types = (operationId: string) => {
    const found = operations.find((operation) => operation.operationId === operationId)
    return Object.keys(found?.responses['200']?.content ?? {})
  }
  expect(types('exportUsers')).toEqual(['text/csv', 'application/x-ndjson'])
  expect(types('exportActivity')).toEqual(['application/x-ndjson', 'text/csv'])
  expect(types('listJobErrors')).toEqual(['application/json', 'text/csv'])
  expect(types('streamMyEvents')).toEqual(['application/json', 'text/event-stream'])
})

it('describes the parameters of the list of users', () => {
  const { parameters = [] } = (openApiDocument as OpenApiDocument).paths['/users']?.get ?? {}
  expect(parameters.map(({ name }) => name)).toEqual([
    ...[
      'include',
      'sort',
      'filter[id]',
      'filter[search]',
      'filter[status]',
      'filter[email]',
      'filter[role_id]',
      'filter[country_id]',
      'filter[created_before]',
      'filter[created_from]',
      'filter[created_to]',
      'filter[last_login_before]',
      'filter[last_login_from]',
      'filter[last_login_to]',
      'filter[last_login]',
      'filter[import_id]',
      'filter[two_factor]',
    ],
    ...['page', 'per_page', 'cursor'],
  ])
  const told = Object.fromEntries(parameters.map(({ name, description }) => [name, description]))
  expect(told.include).toContain('role, country')
  expect(told.sort).toContain('id, first_name, last_name, email, updated_at, created_at, last_login, status, username')
  expect(told['filter[status]']).toContain('Active, Unconfirmed, Banned')
})

it('has a secret in the answers that make one, always, and in no other', () => {
  const properties = (operationId: string) => {
    const { responses = {} } = operations.find((operation) => operation.operationId === operationId) ?? {}
    const schema = Object.values(responses)[0]?.content['application/json'].schema
    const [, name = ''] = /([^/]+)$/.exec(schema?.properties?.data?.$ref ?? '') ?? []
    const { required = [], properties = {} } = openApiDocument.components.schemas[name] ?? {}
    return ['key', 'secret'].filter((field) => field in properties).map((field) => [field, required.includes(field)])
  }
  const shown = ['createApiKey', 'rotateApiKey', 'createWebhook', 'rotateWebhook', 'getApiKey', 'getWebhook']
  expect(Object.fromEntries(shown.map((operationId) => [operationId, properties(operationId)]))).toEqual({
    createApiKey: [['key', true]],
    rotateApiKey: [['key', true]],
    createWebhook: [['secret', true]],
    rotateWebhook: [['secret', true]],
    getApiKey: [],
    getWebhook: [],
  })
})

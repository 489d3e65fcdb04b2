import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, expectTypeOf, inject, it } from 'vitest'
import type { TestApp } from '../../server/src/testing/app.ts'
import { startAvatarApp } from '../../server/src/testing/avatars.ts'
import { pictureOf } from '../../server/src/testing/images.ts'
import { runJobs } from '../../server/src/testing/jobs.ts'
import { turnOnTwoFactor } from '../../server/src/testing/two-factor.ts'
import {
  type ApiError,
  type Client,
  type ClientOptions,
  type CreateUser,
  createClient,
  type ErrorCode,
  type FeedOptions,
  type IssuedApiKey,
  type Role,
  type User,
  type ValidationError,
} from './index.ts'

let t: TestApp
let client: Client
let baseUrl: string
beforeAll(async () => {
  t = await startAvatarApp(inject('postgresUrl'))
  baseUrl = `${await t.app.listen({ port: 0, host: '127.0.0.1' })}/api`
  client = createClient({ baseUrl, apiKey: t.adminKey })
})
afterAll(() => t.close())

const password = 'four horses at the gate'
const newUser = (email: string, fields: Partial<CreateUser> = {}): CreateUser => ({
  email,
  password,
  password_confirmation: password,
  role_id: 2,
  ...fields,
})

/** The data of an answer that must be a success. */
function got<T>({ data, error }: { data?: T; error?: unknown }): T {
  expect(error).toBeUndefined()
  return data as T
}

const createUser = async (email: string, fields?: Partial<CreateUser>): Promise<User> =>
  got(await client.POST('/users', { body: newUser(email, fields) })).data

describe('an error that is not from Gatehouse', () => {
  it.each([
    [502, 'text/html', '<h1>Bad Gateway</h1>'],
    [503, 'text/plain', ''],
    [502, 'application/json', ''],
    [504, 'application/json', '"timeout"'],
    [404, 'application/json', '{"message":"no Route matched with those values"}'],
  ])('is an error with a code, too: %i %s %j', async (status, type, body) => {
    const headers = { 'content-type': type, ...(body === '' ? { 'content-length': '0' } : {}) }
    const fetch = async () => new Response(body, { status, headers })
    const { data, error, response } = await createClient({ baseUrl: 'http://gatehouse.test/api', fetch }).GET('/me')
    expect([data, response.status]).toEqual([undefined, status])
    expect(error).toEqual({ message: `The answer ${status} is not from Gatehouse.`, code: 'unreadable_answer' })
  })
})

describe('against a server, through a socket', () => {
  it('lists with filter, sort and page', async () => {
    for (const first_name of ['Ada', 'Grace', 'Edsger']) await createUser(`${first_name}@list.example`, { first_name })
    const query = { 'filter[search]': '@LIST.example', sort: '-first_name', per_page: 2 }
    const first = got(await client.GET('/users', { params: { query } }))
    expect(first.data.map((user) => user.first_name)).toEqual(['Grace', 'Edsger'])
    expect(first.meta).toMatchObject({ total: 3, last_page: 2, per_page: 2 })

    const cursor = first.meta.next_cursor as string
    const second = got(await client.GET('/users', { params: { query: { ...query, cursor } } }))
    expect(second.data.map((user) => user.first_name)).toEqual(['Ada'])
    expect(second.meta.next_cursor).toBeNull()
  })

  it('sends values that a URL must escape as they are', async () => {
    await createUser('escaped@example.com', { last_name: 'a&b=c#d/é %' })
    const list = got(await client.GET('/users', { params: { query: { 'filter[search]': 'a&b=c#d/é %' } } }))
    expect(list.data.map((user) => user.email)).toEqual(['escaped@example.com'])
  })

  it('creates, reads with includes, updates and deletes', async () => {
    const { id } = await createUser('flow@example.com', { country_id: 250, birthday: '1990-12-10' })
    const path = { id }
    const user = got(await client.GET('/users/{id}', { params: { path, query: { include: 'role,country' } } })).data
    expect(user).toMatchObject({ birthday: '1990-12-10', role: { name: 'User' }, country: { iso_3166_2: 'FR' } })

    const body = { first_name: 'Barbara', country_id: null }
    const updated = got(await client.PATCH('/users/{id}', { params: { path }, body })).data
    expect(updated).toMatchObject({ email: 'flow@example.com', ...body })

    expect(got(await client.DELETE('/users/{id}', { params: { path } }))).toEqual({ success: true })
    const { data, error, response } = await client.GET('/users/{id}', { params: { path } })
    expect(data).toBeUndefined()
    expect(error).toEqual({ message: 'Resource not found.', code: 'not_found' })
    expect(response.status).toBe(404)
  })

  it('uploads a picture', async () => {
    const { id } = await createUser('pictured@example.com')
    const body = { file: new Blob([await pictureOf(1)]) }
    const { avatar } = got(await client.POST('/users/{id}/avatar', { params: { path: { id } }, body })).data
    expect(avatar).toMatch(/\/avatars\/[\da-f]{64}\.webp$/)
  })

  it('needs no body where none of its fields is required', async () => {
    const { id } = await createUser('without-a-phone@example.com')
    await turnOnTwoFactor(t, id)
    const { two_factor_options } = got(await client.DELETE('/users/{id}/2fa', { params: { path: { id } } })).data
    expect(two_factor_options).toBeNull()
    const none = await client.DELETE('/users/{id}/factors/{factor}', { params: { path: { id, factor: 999 } } })
    expect(none.error?.code).toBe('not_found')
  })

  it('gives an answer that is not JSON as its text, or as a stream', async () => {
    await createUser('exported@example.com')
    const query = { 'filter[search]': 'exported@', fields: 'email' }
    const csv: string = got(await client.GET('/users/export', { params: { query } }))
    expect(csv).toBe('email\r\nexported@example.com\r\n')
    const ndjson = { params: { query: { ...query, format: 'ndjson' as const } } }
    expect(got(await client.GET('/users/export', ndjson))).toBe('{"email":"exported@example.com"}\n')
    const streamed = got(await client.GET('/users/export', { ...ndjson, parseAs: 'stream' }))
    expectTypeOf(streamed).toEqualTypeOf<Response['body']>()
    expect(await new Response(streamed).text()).toBe('{"email":"exported@example.com"}\n')
    expect(got(await client.GET('/activity/export'))).toMatch(/^\{"id":.+\}\n/)
  })

  it('gives JSON as its text where that is asked for, and the text of a page of a proxy', async () => {
    const countries = got(await client.GET('/countries', { parseAs: 'text' }))
    expectTypeOf(countries).toBeString()
    expect(JSON.parse(countries).data).not.toEqual([])
    const page = new Response('<h1>Hello</h1>', { headers: { 'content-type': 'text/html' } })
    const proxied = createClient({ baseUrl, fetch: async () => page })
    expect(got(await proxied.GET('/countries'))).toBe('<h1>Hello</h1>')
    const empty = createClient({
      baseUrl,
      fetch: async () => new Response('', { headers: { 'content-type': 'application/json' } }),
    })
    expect((await empty.GET('/countries')).data).toBeUndefined()
  })

  it('gives the errors of a job, and the same as CSV', async () => {
    const body = 'email\nno address\n'
    const job = got(await client.POST('/users/import', { body, headers: { 'content-type': 'text/csv' } })).data
    await runJobs(t)
    const options = { params: { path: { id: job.id } }, headers: { accept: 'text/csv' }, parseAs: 'text' } as const
    expect(got(await client.GET('/jobs/{id}/errors', options))).toMatch(/^line,.+\r\n2,/)
    const [failed] = got(await client.GET('/jobs/{id}/errors', { params: options.params })).data
    expect(failed).toMatchObject({ line: 2, field: 'email' })
  })

  it('asks for what has changed, as JSON or as the stream that browsers read', async () => {
    const { last_event_id } = got(await client.GET('/me/stream')).meta
    await createUser('streamed@example.com')
    const params = { header: { 'Last-Event-ID': last_event_id } }
    await expect
      .poll(async () => got(await client.GET('/me/stream', { params })).data.map(({ event }) => event))
      .toEqual(['user.created'])
    const options = { params, headers: { accept: 'text/event-stream' }, parseAs: 'stream' } as const
    const reader = got(await client.GET('/me/stream', options))?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^retry: \d+\n/)
    await reader?.cancel()
  })

  it('imports a file of text', async () => {
    const body = 'email\nfrom-a-file@example.com\n'
    const headers = { 'content-type': 'text/csv' }
    expect(got(await client.POST('/users/import', { body, headers })).data.type).toBe('users.import')
  })

  it('imports a file of bytes, such as one that is packed', async () => {
    const body = new Blob([gzipSync('email\nfrom-a-packed-file@example.com\n')])
    const headers = { 'content-type': 'text/csv', 'content-encoding': 'gzip' }
    expect(got(await client.POST('/users/import', { body, headers })).data.total).toBe(1)
  })

  it('distinguishes a validation error from other errors, with every failing field', async () => {
    const { error } = await client.POST('/users', { body: newUser('no address', { role_id: 999 }) })
    if (error === undefined || !('errors' in error)) return expect.unreachable('the user was created')
    expectTypeOf(error).toExtend<ValidationError>()
    expect(error.code).toBe('validation_failed')
    expect(error.errors).toEqual({
      email: ['The email field must be a valid email address.'],
      role_id: ['The selected role id is invalid.'],
    })
  })

  it('issues a key that another client can use, within its permissions', async () => {
    const body = { name: 'Reader', permissions: ['roles.manage'], expires_at: '2027-01-01 00:00:00' }
    const issued: IssuedApiKey = got(await client.POST('/api-keys', { body })).data
    expect(issued).toMatchObject(body)

    const reader = createClient({ baseUrl: `${baseUrl}/`, apiKey: issued.key })
    expect(got(await reader.GET('/roles')).data.map((role: Role) => role.name)).toEqual(['Admin', 'User'])
    expect((await reader.GET('/users')).error?.code).toBe('forbidden')

    got(await client.DELETE('/api-keys/{id}', { params: { path: { id: issued.id } } }))
    expect((await reader.GET('/roles')).error?.code).toBe('unauthenticated')
  })

  it('sends every request through the given fetch, with the key as a bearer token', async () => {
    const sent: string[] = []
    const watched = createClient({
      baseUrl,
      apiKey: t.adminKey,
      fetch: (request) => {
        sent.push(`${request.method} ${request.url} ${request.headers.get('authorization')}`)
        return fetch(request)
      },
    })
    got(await watched.GET('/countries'))
    expect(sent).toEqual([`GET ${baseUrl}/countries Bearer ${t.adminKey}`])
  })

  it('rejects if no answer arrives', async () => {
    const nowhere = createClient({ baseUrl, apiKey: t.adminKey, fetch: () => Promise.reject(new Error('no line')) })
    await expect(nowhere.GET('/users')).rejects.toThrow('no line')
  })
})

describe('the types, which `npm run types` checks', () => {
  it('describe the answers', () => {
    type Answer = Awaited<ReturnType<typeof client.GET<'/users/{id}'>>>
    expectTypeOf<NonNullable<Answer['data']>['data']>().toEqualTypeOf<User>()
    expectTypeOf<NonNullable<Answer['error']>>().toEqualTypeOf<ApiError>()
    expectTypeOf<User['first_name']>().toEqualTypeOf<string | null>()
    expectTypeOf<User['status']>().toEqualTypeOf<'Active' | 'Unconfirmed' | 'Banned'>()
    expectTypeOf<CreateUser['role_id']>().toEqualTypeOf<number>()
  })

  it('name every code of an error', () => {
    expectTypeOf<'user_email_taken' | 'announcements_already_notified' | 'unreadable_answer'>().toExtend<ErrorCode>()
    expectTypeOf<'email_taken'>().not.toExtend<ErrorCode>()
    expectTypeOf<ErrorCode>().toExtend<ApiError['code']>()
  })

  it('let optional settings be undefined, as values of the environment are', () => {
    type Optional<T> = { [K in keyof T]?: T[K] | undefined }
    expectTypeOf<Optional<Pick<ClientOptions, 'apiKey' | 'fetch'>>>().toExtend<Partial<ClientOptions>>()
    expectTypeOf<Optional<FeedOptions>>().toExtend<FeedOptions>()
  })

  it('refuse what the server does not accept', () => {
    const params = { path: { id: 2 } }
    const full = newUser('typed@example.com')
    const { email } = full
    const neverCalled = [
      // @ts-expect-error: password, its confirmation and role_id are missing
      () => client.POST('/users', { body: { email } }),
      // @ts-expect-error: the field is called first_name
      () => client.POST('/users', { body: { ...full, firstname: 'Ada' } }),
      // @ts-expect-error: also if another field is right
      () => client.PATCH('/users/{id}', { params, body: { email, firstname: 'Ada' } }),
      // @ts-expect-error: the server sets it
      () => client.PATCH('/users/{id}', { params, body: { created_at: '2026-01-01 00:00:00' } }),
      // @ts-expect-error: there is no such status
      () => client.PATCH('/users/{id}', { params, body: { status: 'Deleted' } }),
      // @ts-expect-error: there is no such filter
      () => client.GET('/users', { params: { query: { sort: 'id', 'filter[name]': 'Ada' } } }),
      // @ts-expect-error: the id is missing
      () => client.GET('/users/{id}'),
      // @ts-expect-error: an id is a number
      () => client.GET('/users/{id}', { params: { path: { id: 'me' } } }),
      // @ts-expect-error: a body must be sent
      () => client.POST('/roles'),
      // @ts-expect-error: an answer is parsed by its type, or given as text or as a stream
      () => client.GET('/countries', { parseAs: 'blob' }),
      // @ts-expect-error: there is no such path
      () => client.GET('/user'),
      // @ts-expect-error: countries cannot be deleted
      () => client.DELETE('/countries'),
    ]
    expect(neverCalled).toHaveLength(12)
  })
})

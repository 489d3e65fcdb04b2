import type { CallApi } from '@gatehouse/plugin-kit/console'
import { type DataProvider, HttpError, type Identifier, type RaRecord } from 'react-admin'
import { ApiError, api, unwrap } from '../api/client.ts'
import { withProof } from './reauthenticate.ts'
import { withSession } from './sign-in-again.ts'
import { rankOf } from './users/rank.ts'

type Method = Parameters<CallApi>[0]
type AnyCall = (path: string, options: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>

/** A form puts each message of `body.errors` to its field; wherever else it is shown, `message` has all of them. */
function toHttpError(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const { message, status, code, fields } = error
  const errors = Object.fromEntries(Object.entries(fields).map(([field, messages]) => [field, messages.join(' ')]))
  const said = Object.values(errors).join(' ')
  return new HttpError(said || message, status, { code, message, ...(said === '' ? {} : { errors }) })
}

const longestPage = 100

let writes = 0

/** True while a change is being sent: the records on the page may be about to disappear. */
export const isWriting = (): boolean => writes > 0

const deleted = new Set<string>()

/** True for a record that this page has deleted. What shows it stays for a moment, and must not load it again. */
export const wasDeleted = (resource: unknown, id: unknown): boolean => deleted.has(`/${resource}/${id}`)

/** Any call of the API, for what react-admin has no verb for. Waits where the session is over. Errors are {@link HttpError}. */
export const call = (async (method: Method, path: string, { query, body, signal } = {}) => {
  const change = method === 'GET' ? 0 : 1
  writes += change
  // The paths are put together at run time; what they answer is checked where it is used.
  const send = api[method] as unknown as AnyCall
  const options = { params: { query: query ?? {} }, signal, ...(body === undefined ? {} : { body }) }
  return withProof(() => withSession(() => unwrap(send(path, options))))
    .then((answer) => {
      if (method === 'DELETE' && !path.startsWith('/jobs/')) deleted.add(path) // that of a job stops it
      return answer
    })
    .catch((error: unknown) => {
      throw toHttpError(error)
    })
    .finally(() => {
      writes -= change
    })
}) as CallApi

interface ListAnswer {
  readonly data: RaRecord[]
  /** Absent where a list has no pages: /countries. */
  readonly meta?: { readonly total: number }
}

interface ListOptions {
  readonly pagination?: { page: number; perPage: number }
  readonly sort?: { field: string; order: 'ASC' | 'DESC' }
  readonly filter?: { search?: unknown } & Record<string, unknown>
  readonly meta?: { include?: string | readonly string[] }
  /** Aborted when the answer is no longer wanted: while somebody types a search. */
  readonly signal?: AbortSignal
}

type Query = Record<string, string | number>

/** False for a filter that is empty, blank or an empty list: it filters nothing. */
export const isGiven = (value: unknown): boolean => String(value ?? '').trim() !== ''

/** `filter[status]=Active,Banned`: a list of values means any of them. */
export const filterQuery = (filter: Record<string, unknown> = {}): Query =>
  Object.fromEntries(
    Object.entries(filter)
      .filter(([, value]) => isGiven(value))
      .map(([name, value]) => [`filter[${name}]`, [value].flat().join(',')]),
  )

const includeQuery = (include: string | readonly string[] | undefined): Query =>
  include === undefined || include.length === 0 ? {} : { include: [include].flat().join(',') }

/** react-admin's list, as the API takes it. */
function listQuery({ pagination, sort, filter, meta }: ListOptions): Query {
  return {
    ...(sort === undefined ? {} : { sort: (sort.order === 'DESC' ? '-' : '') + sort.field }),
    ...(pagination === undefined ? {} : { page: pagination.page, per_page: pagination.perPage }),
    ...filterQuery(filter),
    ...includeQuery(meta?.include),
  }
}

/** Lists that come whole: they are asked for once and without options. */
const wholeLists = new Set(['countries'])
const kept = new Map<string, Promise<ListAnswer>>()

function getWhole(resource: string): Promise<ListAnswer> {
  const answer = kept.get(resource) ?? call<ListAnswer>('GET', `/${resource}`)
  kept.set(resource, answer)
  answer.catch(() => kept.delete(resource))
  return answer
}

/** All rows of a list, page after page. */
export async function fetchAll<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T[]> {
  const all: T[] = []
  for (let cursor: Query | undefined = {}; cursor !== undefined; ) {
    const page: { data: T[]; meta: { next_cursor: string | null } } = await call('GET', path, {
      query: { ...query, per_page: longestPage, ...cursor },
      signal,
    })
    all.push(...page.data)
    cursor = page.meta.next_cursor === null ? undefined : { cursor: page.meta.next_cursor }
  }
  return all
}

/** Short lists whose entries the API finds by their whole name alone: what is typed is looked for here. */
const searchedHere = new Set(['roles'])

async function search(resource: string, { pagination, signal, ...options }: ListOptions) {
  const { search, ...filter } = options.filter ?? {}
  const all = await fetchAll<RaRecord>(`/${resource}`, listQuery({ ...options, filter }), signal)
  const found = all.filter(({ name, display_name: title }) =>
    [name, title].some((text) => rankOf(String(text ?? ''), String(search)) !== undefined),
  )
  const { page = 1, perPage = found.length } = pagination ?? {}
  return { data: found.slice((page - 1) * perPage, page * perPage), total: found.length }
}

async function getList(resource: string, options: ListOptions) {
  if (searchedHere.has(resource) && isGiven(options.filter?.search)) return search(resource, options)
  if (wholeLists.has(resource)) {
    const { data } = await getWhole(resource)
    const wanted = String(options.filter?.search ?? '').toLowerCase()
    const found = data.filter(({ name }) => String(name).toLowerCase().includes(wanted))
    return { data: found, total: found.length }
  }
  const { data, meta } = await call<ListAnswer>('GET', `/${resource}`, {
    query: listQuery(options),
    signal: options.signal,
  })
  return { data, total: meta?.total ?? data.length, meta }
}

/** Lists that take `filter[id]`: one request finds many, and those that were deleted meanwhile are left out. */
const listsWithIds = new Set(['users', 'api-keys'])

async function getMany(resource: string, ids: readonly Identifier[]): Promise<RaRecord[]> {
  if (wholeLists.has(resource)) {
    const wanted = new Set(ids.map(String))
    return (await getWhole(resource)).data.filter(({ id }) => wanted.has(String(id)))
  }
  if (listsWithIds.has(resource)) {
    const starts = Array.from({ length: Math.ceil(ids.length / longestPage) }, (_, page) => page * longestPage)
    const lists = await eachOf(starts, (start) => {
      const filter = { id: ids.slice(start, start + longestPage) }
      return getList(resource, { filter, pagination: { page: 1, perPage: longestPage } })
    })
    return lists.flatMap(({ data }) => data)
  }
  const found = await eachOf(ids, (id) =>
    call<{ data: RaRecord }>('GET', `/${resource}/${id}`).catch((error: HttpError) => {
      if (error.status === 404) return undefined // deleted meanwhile: its field stays empty
      throw error
    }),
  )
  return found.flatMap((answer) => (answer === undefined ? [] : [answer.data]))
}

/** Only what was changed is sent, so that what somebody else has changed meanwhile stays. */
function changesOf(data: Record<string, unknown>, previous: Record<string, unknown> = {}): Record<string, unknown> {
  const differs = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(previous[name])
  return Object.fromEntries(Object.entries(data).filter(differs))
}

const atOnce = 4

/** A few at a time; the first failure is thrown once all have had their turn, with how many failed. */
export async function eachOf<K, T>(keys: readonly K[], work: (key: K) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  const failures: unknown[] = []
  const waiting = [...keys.entries()]
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        results[next[0]] = await work(next[1])
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const [first] = failures
  if (first === undefined) return results
  if (keys.length > 1 && first instanceof HttpError) {
    throw new HttpError(`${failures.length} of ${keys.length} failed. ${first.message}`, first.status, first.body)
  }
  throw first
}

async function getOne(resource: string, id: Identifier, include?: string | readonly string[]) {
  // What is no id may be another path: GET /users/export answers with all users.
  if (!/^\d+$/.test(String(id))) throw new HttpError('There is nothing here.', 404)
  return call<{ data: never }>('GET', `/${resource}/${id}`, { query: includeQuery(include) })
}

const update = async (resource: string, id: Identifier, changes: object) =>
  call<{ data: never }>('PATCH', `/${resource}/${id}`, { body: changes })

/** react-admin's verbs over the API: lists with `sort`, `filter[…]`, `page`, `per_page` and `include` (as `meta.include`). */
export const dataProvider = {
  call,
  supportAbortSignal: true,
  getList: (resource, options) => getList(resource, options as ListOptions) as never,
  getOne: (resource, { id, meta }) => getOne(resource, id, meta?.include),
  getMany: async (resource, { ids }) => ({ data: (await getMany(resource, ids)) as never }),
  getManyReference: (resource, { target, id, filter, ...options }) =>
    getList(resource, { ...options, filter: { ...filter, [target]: id } } as ListOptions) as never,
  // `meta.path` is where it is sent instead: an invitation makes a user, too.
  create: async (resource, { data, meta }) => call('POST', meta?.path ?? `/${resource}`, { body: data }),
  update: (resource, { id, data, previousData }) => update(resource, id, changesOf(data, previousData)),
  updateMany: async (resource, { ids, data }) => {
    await eachOf(ids, (id) => update(resource, id, data))
    return { data: ids }
  },
  delete: async (resource, { id, previousData }) => {
    await call('DELETE', `/${resource}/${id}`)
    return { data: (previousData ?? { id }) as never }
  },
  deleteMany: async (resource, { ids }) => {
    await eachOf(ids, (id) => call('DELETE', `/${resource}/${id}`))
    return { data: ids }
  },
} satisfies DataProvider & { call: CallApi }

import type { Ask } from './load.ts'
import { administrator } from './seed.ts'
import { type Expected, loginPassword, perPage } from './truth.ts'

/** How a contender is asked for the same data. What it does not offer is undefined. */
export interface Api {
  readonly byId: (user: { id: number; email: string }) => Ask
  readonly list: (asked: Listed, expected: Expected, label?: string) => Ask | undefined
  readonly create: (name: string) => Ask
  /** Without a password, so that nothing is hashed. */
  readonly createBare?: (name: string) => Ask
  /** Changes what is searched. */
  readonly rename: (user: { id: number }, firstName: string) => Ask
  /** Changes what is not searched. */
  readonly move: (user: { id: number }, address: string) => Ask | undefined
  /** With the right password, or with a wrong one; callers of another `network` are elsewhere. */
  readonly login?: (email: string, right: boolean, network: number) => Ask
}

export interface Listed {
  readonly sort?: string
  readonly page?: number
  readonly search?: string
  readonly status?: string
}

type Json = Record<string, unknown>

/** A check of status and body. */
const expects =
  (status: number, complaint: (json: Json) => string | undefined): Ask['check'] =>
  (answered, body) =>
    answered === status ? complaint(JSON.parse(body) as Json) : `expected ${status}`

const differs = (what: string, found: unknown, expected: unknown): string | undefined =>
  JSON.stringify(found) === JSON.stringify(expected)
    ? undefined
    : `${what} is ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`

const userPassword = 'a long enough password 7'

/** Gatehouse's own API, which the bare servers also implement. */
export function gatehouseApi(key: string): Api {
  const headers = { authorization: `Bearer ${key}` }
  const user = (json: Json) => json.data as Json
  return {
    byId: ({ id, email }) => ({
      method: 'GET',
      path: `/api/users/${id}`,
      headers,
      check: expects(200, (json) => differs('user', [user(json).id, user(json).email], [id, email])),
    }),
    list: ({ sort, page, search, status }, { total, ids }, label) => {
      const query = new URLSearchParams({
        ...(sort === undefined ? {} : { sort }),
        ...(search === undefined ? {} : { 'filter[search]': search }),
        ...(status === undefined ? {} : { 'filter[status]': status }),
        ...(page === undefined ? {} : { page: String(page) }),
        per_page: String(perPage),
      })
      return {
        method: 'GET',
        path: `/api/users?${query}`,
        headers,
        ...(label === undefined ? {} : { label }),
        check: expects(200, (json) => {
          const found = (json.data as { id: number }[]).map(({ id }) => id)
          return differs('total', (json.meta as Json).total, total) ?? (ids && differs('ids', found, ids))
        }),
      }
    },
    create: (name) => {
      const email = `${name}@example.com`
      const password = { password: userPassword, password_confirmation: userPassword }
      const body = { email, username: name, first_name: 'Bench', last_name: name, role_id: 2, ...password }
      return {
        method: 'POST',
        path: '/api/users',
        headers,
        body: JSON.stringify(body),
        check: expects(201, (json) => differs('email', user(json).email, email)),
      }
    },
    createBare: (name) => ({
      method: 'POST',
      path: '/api/users',
      headers,
      body: JSON.stringify({ email: `${name}@example.com`, username: name, role_id: 2 }),
      check: expects(201, (json) => differs('username', user(json).username, name)),
    }),
    rename: ({ id }, first_name) => ({
      method: 'PATCH',
      path: `/api/users/${id}`,
      headers,
      body: JSON.stringify({ first_name }),
      check: expects(200, (json) => differs('user', [user(json).id, user(json).first_name], [id, first_name])),
    }),
    move: ({ id }, address) => ({
      method: 'PATCH',
      path: `/api/users/${id}`,
      headers,
      body: JSON.stringify({ address }),
      check: expects(200, (json) => differs('user', [user(json).id, user(json).address], [id, address])),
    }),
    login: (username, right, network) => ({
      method: 'POST',
      path: '/api/login',
      headers: { 'x-forwarded-for': `11.${(network >> 8) & 255}.${network & 255}.1` },
      body: JSON.stringify({ username, password: right ? loginPassword : `wrong password ${network}` }),
      check: right
        ? expects(200, (json) => differs('token', typeof json.token, 'string'))
        : expects(422, (json) => differs('code', json.code, 'invalid_credentials')),
    }),
  }
}

/** better-auth has no API keys without another package, so its administrator uses a session's cookie. */
const betterAuthSorts: Record<string, string> = {
  first_name: 'name',
  email: 'email',
  updated_at: 'updatedAt',
  created_at: 'createdAt',
}

export function betterAuthApi(cookie: string, searchTotals: Readonly<Record<string, number>>): Api {
  const headers = { cookie, origin: 'http://localhost' }
  return {
    byId: ({ id, email }) => ({
      method: 'GET',
      path: `/api/auth/admin/get-user?id=user-${id}`,
      headers,
      check: expects(200, (json) => differs('user', [json.id, json.email], [`user-${id}`, email.toLowerCase()])),
    }),
    list: ({ sort = 'id', page = 1, search, status }, { total }, label) => {
      const sortBy = betterAuthSorts[sort]
      if (status !== undefined || (sort !== 'id' && sortBy === undefined)) return undefined
      const query = new URLSearchParams({
        limit: String(perPage),
        offset: String((page - 1) * perPage),
        ...(sortBy === undefined ? {} : { sortBy, sortDirection: 'asc' }),
        ...(search === undefined ? {} : { searchValue: search, searchField: 'email', searchOperator: 'contains' }),
      })
      const expected = search === undefined ? total : searchTotals[search]
      return {
        method: 'GET',
        path: `/api/auth/admin/list-users?${query}`,
        headers,
        ...(label === undefined ? {} : { label }),
        check: expects(200, (json) => differs('total', json.total, expected)),
      }
    },
    create: (name) => {
      const email = `${name}@example.com`
      const body = JSON.stringify({ email, name: `Bench ${name}`, password: userPassword, role: 'user' })
      return {
        method: 'POST',
        path: '/api/auth/admin/create-user',
        headers,
        body,
        check: expects(200, (json) => differs('email', (json.user as Json).email, email)),
      }
    },
    rename: ({ id }, name) => ({
      method: 'POST',
      path: '/api/auth/admin/update-user',
      headers,
      body: JSON.stringify({ userId: `user-${id}`, data: { name } }),
      check: expects(200, (json) => differs('user', [json.id, json.name], [`user-${id}`, name])),
    }),
    move: () => undefined,
    login: (email, right, network) => ({
      method: 'POST',
      path: '/api/auth/sign-in/email',
      headers: { origin: 'http://localhost' },
      body: JSON.stringify({ email, password: right ? loginPassword : `wrong password ${network}` }),
      check: right
        ? expects(200, (json) => differs('token', typeof json.token, 'string'))
        : expects(401, () => undefined),
    }),
  }
}

/** Signs better-auth's administrator in; returns the cookie. */
export async function betterAuthCookie(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'http://localhost' },
    body: JSON.stringify(administrator),
  })
  if (!response.ok) throw new Error(`better-auth did not sign its administrator in: ${await response.text()}`)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

import { hash } from '@node-rs/argon2'
import Fastify from 'fastify'

/*
 * Gatehouse reduced to its queries: the same routes, queries and answers, without keys, permissions, validation, rate
 * limits, log, audit rows or headers. Like Gatehouse, it keeps a total for each status.
 */

export type Row = Record<string, string | number | null>

export interface PageOf {
  readonly search: string | undefined
  readonly status: string | undefined
  readonly column: string
  readonly descending: boolean
  readonly limit: number
  readonly offset: number
}

export interface Store {
  readonly find: (id: number) => Row | undefined | Promise<Row | undefined>
  readonly page: (page: PageOf) => Page | Promise<Page>
  readonly create: (user: Row) => Row | Promise<Row>
  readonly rename: (id: number, firstName: string, now: string) => Row | Promise<Row>
  readonly move: (id: number, address: string, now: string) => Row | Promise<Row>
}

export interface Page {
  readonly rows: readonly Row[]
  readonly total: number
}

export interface Settings {
  readonly port: number
  readonly publicUrl: string
  /** A file or a URL. */
  readonly database: string
}

export const settings = (): Settings => JSON.parse(process.argv[2] ?? '{}') as Settings

/** Columns in the order of the answer. */
export const columns = [
  ...['id', 'first_name', 'last_name', 'username', 'email', 'phone', 'avatar', 'address', 'country_id', 'role_id'],
  ...['status', 'birthday', 'last_login', 'two_factor_country_code', 'two_factor_phone', 'two_factor_options'],
  ...['created_at', 'updated_at'],
].join(', ')

/** The sort columns that have another name than the sort. */
const sortColumns: Record<string, string> = {
  first_name: 'first_name_key',
  last_name: 'last_name_key',
  email: 'email_canonical',
}

export const fold = (text: string): string => text.normalize('NFKC').toLowerCase()
export const searchText = ({ username, first_name, last_name, email }: Row): string =>
  [username, first_name, last_name, email].map((text) => fold(String(text ?? ''))).join('\u001f')

const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } // Gatehouse's own
const timestamp = () => new Date().toISOString().slice(0, 19).replace('T', ' ')

export async function serve(store: Store, { port, publicUrl }: Settings): Promise<void> {
  const app = Fastify()
  const avatar = `${publicUrl}/avatars/default.svg`
  const toUser = (row: Row): Row => {
    row.avatar ??= avatar
    return row
  }
  app.get<{ Params: { id: string } }>('/api/users/:id', async ({ params }) => ({
    data: toUser((await store.find(Number(params.id))) as Row),
  }))

  app.get<{ Querystring: Record<string, string> }>('/api/users', async ({ query, url }) => {
    const limit = Number(query.per_page ?? 20)
    const page = Number(query.page ?? 1)
    const sort = query.sort ?? 'id'
    const name = sort.replace('-', '')
    const { rows, total } = await store.page({
      search: query['filter[search]'],
      status: query['filter[status]'],
      column: sortColumns[name] ?? name,
      descending: sort.startsWith('-'),
      limit,
      offset: (page - 1) * limit,
    })
    const path = `${publicUrl}/api/users`
    const parameters = url.slice(url.indexOf('?') + 1).replace(/&?page=\d+/, '')
    const link = (to: number) => `${path}?${parameters}&page=${to}`
    const last = Math.max(1, Math.ceil(total / limit))
    const from = (page - 1) * limit
    const cursor = (row: Row | undefined) => (row === undefined ? null : btoa(JSON.stringify([name, row.id])))
    return {
      data: rows.map(toUser),
      links: {
        first: link(1),
        last: link(last),
        prev: page > 1 ? link(page - 1) : null,
        next: page < last ? link(page + 1) : null,
      },
      meta: {
        current_page: page,
        from: from + 1,
        last_page: last,
        to: from + rows.length,
        path,
        per_page: limit,
        total,
        next_cursor: page < last ? cursor(rows.at(-1)) : null,
        prev_cursor: page > 1 ? cursor(rows[0]) : null,
      },
    }
  })

  app.post<{ Body: Record<string, string> }>('/api/users', async ({ body }, reply) => {
    const now = timestamp()
    const { email = '', username = '', first_name = '', last_name = '', password = '' } = body
    const created = await store.create({
      email,
      email_canonical: fold(email),
      username,
      username_canonical: fold(username),
      first_name,
      first_name_key: fold(first_name),
      last_name,
      last_name_key: fold(last_name),
      password_hash: await hash(password, cost),
      role_id: 2,
      status: 'Active',
      created_at: now,
      updated_at: now,
    })
    return reply.code(201).send({ data: toUser(created) })
  })

  type Change = { Params: { id: string }; Body: { first_name: string } | { address: string } }
  app.patch<Change>('/api/users/:id', async ({ params, body }) => {
    const id = Number(params.id)
    const isName = 'first_name' in body
    const changed = isName ? store.rename(id, body.first_name, timestamp()) : store.move(id, body.address, timestamp())
    return { data: toUser(await changed) }
  })

  await app.listen({ port, host: '127.0.0.1' })
  process.once('SIGTERM', () => process.exit(0))
}

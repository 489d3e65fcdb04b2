import { hash } from '@node-rs/argon2'

/* Computes the right answers with the plainest SQL on the users themselves, without the search index and stored totals. */

export type Select = (sql: string) => Promise<Record<string, string | number>[]>

export const sorts = ['id', 'first_name', 'last_name', 'email', 'updated_at', 'created_at'] as const
export type Sort = (typeof sorts)[number]
export const perPage = 20

/** An answer's total and the ids of its page in order, if known. */
export interface Expected {
  readonly total: number
  readonly ids?: readonly number[]
}

export interface Search extends Expected {
  readonly term: string
  readonly status?: string
  readonly sort?: string
}

export interface Truth {
  readonly total: number
  /** Some users, evenly from the whole table. */
  readonly users: readonly { readonly id: number; readonly email: string }[]
  /** Users that can sign in with `loginPassword`. */
  readonly logins: readonly { readonly id: number; readonly email: string }[]
  readonly first: Readonly<Record<Sort, Expected>>
  readonly last: Readonly<Record<Sort, Expected>>
  readonly narrow: readonly Search[]
  readonly broad: Search
  readonly two: Search
  readonly one: Search
  readonly filtered: Search
}

export const loginPassword = 'the benchmark signs in'
/** Argon2id at the cost that Gatehouse hashes with. */
export const loginHash = () => hash(loginPassword, { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 })

/**
 * Substrings of about 4 % of the users, of a tenth and of a quarter. No letter of theirs has an accent in the synthetic names:
 * Gatehouse finds `már` for `mar`, plain SQL and the others do not.
 */
const broadTerm = 'sch'
const twoTerm = 'ch'
const oneTerm = 'k'
const sampleSize = 5_000
const narrowTerms = 10

const columns: Record<Sort, string> = {
  id: 'id',
  first_name: 'first_name_key',
  last_name: 'last_name_key',
  email: 'email_canonical',
  updated_at: 'updated_at',
  created_at: 'created_at',
}

/** `like` ignores the case of ASCII letters on SQLite, `ilike` on PostgreSQL. */
export async function findTruth(select: Select, like: 'like' | 'ilike'): Promise<Truth> {
  const count = async (where: string) => Number((await select(`select count(*) as n from users where ${where}`))[0]?.n)
  const ids = async (rest: string) => (await select(`select id from users ${rest}`)).map(({ id }) => Number(id))
  const people = async (rest: string) =>
    (await select(`select id, email from users ${rest}`)).map(({ id, email }) => ({
      id: Number(id),
      email: String(email),
    }))
  const total = await count('1 = 1')
  const order = (sort: Sort) => (sort === 'id' ? 'order by id' : `order by ${columns[sort]}, id`)
  const page = async (offset: number) => {
    const pages: Partial<Record<Sort, Expected>> = {}
    for (const sort of sorts)
      pages[sort] = { total, ids: await ids(`${order(sort)} limit ${perPage} offset ${offset}`) }
    return pages as Record<Sort, Expected>
  }
  const matching = (term: string) =>
    ['username', 'first_name', 'last_name', 'email'].map((column) => `${column} ${like} '%${term}%'`).join(' or ')
  const search = async (term: string): Promise<Search> => ({
    term,
    total: await count(matching(term)),
    ids: await ids(`where ${matching(term)} order by id limit ${perPage}`),
  })

  const users = await people(
    `where id % ${Math.max(1, Math.floor(total / sampleSize))} = 0 order by id limit ${sampleSize}`,
  )
  const narrow: Search[] = []
  for (const { email } of users.filter(({ email: each }) => /^[a-z]+\.[a-z]+\d*@/.test(each)).slice(0, narrowTerms)) {
    narrow.push(await search(email.slice(0, email.indexOf('@'))))
  }
  const banned = `(${matching(broadTerm)}) and status = 'Banned'`
  return {
    total,
    users,
    logins: await people(`where status = 'Active' and role_id = 2 order by id limit 2000`),
    first: await page(0),
    last: await page((Math.ceil(total / perPage) - 1) * perPage),
    narrow,
    broad: await search(broadTerm),
    two: await search(twoTerm),
    one: await search(oneTerm),
    filtered: {
      term: broadTerm,
      status: 'Banned',
      sort: '-created_at',
      total: await count(banned),
      ids: await ids(`where ${banned} order by created_at desc, id limit ${perPage}`),
    },
  }
}

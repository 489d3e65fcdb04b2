import { sql } from 'kysely'
import { type CacheUse, countCache } from '../../core/cache-use.ts'
import { accentlessForm, isStorable } from '../../core/text.ts'
import type { Db, ReadDb } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { prepareWrite } from '../../db/prepare.ts'
import { among } from '../../db/rows.ts'
import { concat, containing, type Fragment, fragment, limitTo, read } from '../../http/lists/fragment.ts'
import { smallTable } from '../../http/lists/large-plan.ts'
import type { SearchIndex } from '../../http/lists/large-table.ts'
import type { Filter } from '../../http/lists/spec.ts'

/**
 * Search over username, names and email address. `users_search` holds one folded text for each user; its index finds any
 * substring: FTS5 with trigrams on SQLite, pg_trgm on PostgreSQL. Only this file knows the difference.
 */

interface Searchable {
  username: string | null
  first_name: string | null
  last_name: string | null
  email: string
}

/** Separates the texts, so that no term matches across two of them. */
const separator = '\u001f'

/** FTS5 and pg_trgm index groups of three characters. Shorter terms are searched in the texts themselves. */
const indexedLength = 3

const formOf = (text: string): string => accentlessForm(text).replaceAll(separator, ' ')

/** First and last name form one text, as they are shown, so that a term can match either, or both with the space between them. */
export function searchTextOf({ username, first_name, last_name, email }: Searchable): string {
  const name = [first_name, last_name].filter((part) => part !== null).map(formOf)
  return [formOf(username ?? ''), name.join(' '), formOf(email)].join(separator)
}

export const insertSearchText = prepareWrite(
  (_, id: number, text: string) => sql`insert into users_search (rowid, text) values (${id}, ${text})`,
)
export const updateSearchText = prepareWrite(
  (_, id: number, text: string) => sql`update users_search set text = ${text} where rowid = ${id}`,
)
export async function deleteSearchTexts(db: Db, ids: readonly number[]): Promise<void> {
  await sql`delete from users_search where rowid in ${among(db, ids)}`.execute(db)
}

const isIndexed = (term: string): boolean => [...term].length >= indexedLength

const anyOf = (conditions: readonly Fragment[]): Fragment =>
  fragment(
    `(${conditions.map((condition) => condition.sql).join(' or ')})`,
    ...conditions.flatMap(({ parameters }) => parameters),
  )

/** The FTS5 query: each term as one phrase. */
const phrases = (terms: readonly string[]): string =>
  terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ')

/** FTS5 stores the texts in a table of its own (`id`, `c0`). Reading from there takes half the time. GLOB is faster than instr(). */
const textContains = (terms: readonly string[]): Fragment =>
  anyOf(terms.map((term) => fragment('c0 glob ?', `*${term.replaceAll(/[*?[]/g, '[$&]')}*`)))

function matches(terms: readonly string[], db: ReadDb): Fragment {
  if (isPostgres(db)) return anyOf(terms.map((term) => fragment('text like ?', containing(term))))
  return fragment('users_search match ?', phrases(terms))
}

/** The texts that contain any of these terms. */
function textsWith(values: readonly (string | number)[], db: ReadDb) {
  const terms = values.map(String)
  const inTexts = !isPostgres(db) && !terms.every(isIndexed)
  const { sql, parameters } = inTexts ? textContains(terms) : matches(terms, db)
  const [table, id] = inTexts ? ['users_search_content', 'id'] : ['users_search', 'rowid']
  return { id, from: `from ${table} where ${sql}`, parameters }
}

/** `filter[search]`: a substring of any of the four fields, or of first and last name together. Case and accents are ignored. */
export const searchFilter: Filter = {
  expects: 'text',
  description:
    'A part of the username, first name, last name, both names with a space between them, or email; case and accents are ignored.',
  literalCommas: true,
  maxValues: 20, // each term may have to scan every text
  parse: (text) => (isStorable(text) ? formOf(text) : undefined),
  where: (values, db) => {
    const { id, from, parameters } = textsWith(values, db)
    return fragment(`id in (select ${id} ${from})`, ...parameters)
  },
  gather: (values, db) => {
    const { id, from, parameters } = textsWith(values, db)
    return fragment(`id = any(array(select ${id} ${from}))`, ...parameters)
  },
  // Each user has one text, so there is no need to read the users as well.
  total: (values, db) => {
    const { from, parameters } = textsWith(values, db)
    return fragment(`select count(*) as total ${from}`, ...parameters)
  },
}

/** A trigram that this many users have can make a search slow enough to delay others. */
const manyMatches = 4_000
/** Up to this many users, looking up a term's two rarest trigrams is faster than looking up the whole phrase. */
const fewMatches = 2_500
/** Rare enough: no need to look for a rarer trigram. */
const rareEnough = 300
/** How many characters of a term are examined. */
const maxProbed = 24
const maxRemembered = 20_000

/** How many users have each trigram that was searched for. It may be out of date: it only decides how to search. */
const remembered = new WeakMap<ReadDb, Remembered>()

interface Remembered {
  readonly counts: Map<string, number>
  readonly use: CacheUse
}

function rememberedOf(db: ReadDb): Remembered {
  const known = remembered.get(db)
  if (known !== undefined) return known
  const counts = new Map<string, number>()
  const made = { counts, use: countCache('trigrams', counts) }
  remembered.set(db, made)
  return made
}

/** The number of users who have the trigram, at most `manyMatches`. */
async function countOf(db: ReadDb, group: string): Promise<number> {
  const { counts, use } = rememberedOf(db)
  const known = counts.get(group)
  if (known !== undefined) {
    use.hits++
    return known
  }
  use.misses++
  const [row] = await read<{ n: number }>(
    db,
    concat(
      fragment('select count(*) as n from (select 1 from users_search where users_search match ?', phrases([group])),
      limitTo(manyMatches),
      fragment(')'),
    ),
  )
  const count = row?.n ?? manyMatches
  if (counts.size >= maxRemembered) counts.clear()
  counts.set(group, count)
  return count
}

/**
 * A term's rarest trigrams (two if it has that many) and how many users have the rarest. The search stops once two have at
 * most `enough`.
 */
async function rarestGroups(db: ReadDb, term: string, enough: number): Promise<{ groups: string[]; count: number }> {
  const characters = [...term].slice(0, maxProbed)
  const counts = new Map<string, number>()
  const rarest = () => [...counts].sort(([, a], [, b]) => a - b).slice(0, 2)
  for (let start = 0; start + indexedLength <= characters.length; start++) {
    const group = characters.slice(start, start + indexedLength).join('')
    counts.set(group, await countOf(db, group))
    const [, second] = rarest()
    if (second !== undefined && second[1] <= enough) break
  }
  const found = rarest()
  return { groups: found.map(([group]) => group), count: found[0]?.[1] ?? manyMatches }
}

/** How SQLite searches among very many users. */
export const userSearch: SearchIndex = {
  filter: 'search',
  source: async (db, terms, rows) => {
    const { sql, parameters } = textContains(terms)
    const inText = (id: string) => fragment(`(select ${sql} from users_search_content where id = ${id})`, ...parameters)
    const check = inText('walked.id')
    if (!terms.every(isIndexed)) {
      const matches = fragment(sql, ...parameters)
      const isCostly = rows > smallTable
      return { table: 'users_search_content', id: 'id', matches, check, scanCost: rows * 0.1, isCostly }
    }
    const found = { table: 'users_search', id: 'rowid', check, scanCost: 0 }
    const phrase = fragment('users_search match ?', phrases(terms))
    if (rows <= smallTable) return { ...found, matches: phrase, isCostly: false }
    // With several terms, it is enough to know whether one of them is common throughout.
    const enough = terms.length === 1 ? rareEnough : manyMatches - 1
    const rarest = await Promise.all(terms.map((term) => rarestGroups(db, term, enough)))
    const [only] = rarest
    // To find a phrase, FTS5 looks up all of its trigrams for each row that has the first ones.
    if (rarest.length === 1 && only !== undefined && only.groups.length === 2 && only.count <= fewMatches) {
      const both = fragment('users_search match ?', only.groups.map((group) => phrases([group])).join(' AND '))
      return { ...found, matches: concat(both, fragment('and'), inText('users_search.rowid')), isCostly: false }
    }
    return { ...found, matches: phrase, isCostly: rarest.some(({ count }) => count === manyMatches) }
  },
}

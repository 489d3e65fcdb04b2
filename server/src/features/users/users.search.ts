import { sql } from 'kysely'
import { isStorable, searchForm } from '../../core/text.ts'
import type { Db } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { type Fragment, fragment, read } from '../../http/lists/fragment.ts'
import type { SearchIndex } from '../../http/lists/large-table.ts'
import type { Filter } from '../../http/lists/spec.ts'

/**
 * Search over user name, names and e-mail address. `users_search` holds one folded text for each user; its index finds any
 * part of it: FTS5 with trigrams on SQLite, pg_trgm on PostgreSQL. This file is all that knows of the difference.
 */

interface Searchable {
  username: string | null
  first_name: string | null
  last_name: string | null
  email: string
}

/** Stands between the four fields, so that no term matches across two of them. */
const separator = '\u001f'

/** FTS5 and pg_trgm index groups of three characters; shorter terms are looked for in the texts themselves. */
const indexedLength = 3

export const searchTextOf = ({ username, first_name, last_name, email }: Searchable): string =>
  [username, first_name, last_name, email]
    .map((text) => searchForm(text ?? '').replaceAll(separator, ' '))
    .join(separator)

export async function insertSearchText(db: Db, id: number, text: string): Promise<void> {
  await sql`insert into users_search (rowid, text) values (${id}, ${text})`.execute(db)
}

export async function updateSearchText(db: Db, id: number, text: string): Promise<void> {
  await sql`update users_search set text = ${text} where rowid = ${id}`.execute(db)
}

export async function deleteSearchText(db: Db, id: number): Promise<void> {
  await sql`delete from users_search where rowid = ${id}`.execute(db)
}

const isIndexed = (term: string): boolean => [...term].length >= indexedLength

const anyOf = (conditions: readonly Fragment[]): Fragment =>
  fragment(
    `(${conditions.map((condition) => condition.sql).join(' or ')})`,
    ...conditions.flatMap(({ parameters }) => parameters),
  )

/** What FTS5 is asked: each term as one phrase. */
const phrases = (terms: readonly string[]): string =>
  terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ')

/** FTS5 keeps the texts in a table of its own, `id` and `c0`; read there, they are had in half the time. GLOB looks faster than instr(). */
const textContains = (text: string, terms: readonly string[]): Fragment =>
  anyOf(terms.map((term) => fragment(`${text} glob ?`, `*${term.replaceAll(/[*?[]/g, '[$&]')}*`)))

function matches(terms: readonly string[], db: Db): Fragment {
  if (isPostgres(db))
    return anyOf(terms.map((term) => fragment('text like ?', `%${term.replaceAll(/[\\%_]/g, '\\$&')}%`)))
  return fragment('users_search match ?', phrases(terms))
}

/** The texts that have any of these parts. */
function textsWith(values: readonly (string | number)[], db: Db) {
  const terms = values.map(String)
  const inTexts = !isPostgres(db) && !terms.every(isIndexed)
  const { sql, parameters } = inTexts ? textContains('c0', terms) : matches(terms, db)
  const [table, id] = inTexts ? ['users_search_content', 'id'] : ['users_search', 'rowid']
  return { id, from: `from ${table} where ${sql}`, parameters }
}

/** `filter[search]`: a part of any of the four fields, in any case. */
export const searchFilter: Filter = {
  expects: 'text',
  description: 'A part of the username, first name, last name or email, in any case.',
  literalCommas: true,
  maxValues: 20, // each term may read every text
  parse: (text) => (isStorable(text) ? searchForm(text).replaceAll(separator, ' ') : undefined),
  where: (values, db) => {
    const { id, from, parameters } = textsWith(values, db)
    return fragment(`id in (select ${id} ${from})`, ...parameters)
  },
  // Each user has one text: there is no need to look at the users, too.
  total: (values, db) => {
    const { from, parameters } = textsWith(values, db)
    return fragment(`select count(*) as total ${from}`, ...parameters)
  },
}

/** Matches of a group of three characters, above which a search for it may keep others waiting. */
const manyMatches = 4_000
/** A longer term is not looked at to its end. */
const maxProbes = 12
const maxRemembered = 20_000

/** For each group of three characters that was searched for, whether many users have it. It may be out of date: it only tells which thread searches. */
const remembered = new WeakMap<Db, Map<string, boolean>>()

function rememberedOf(db: Db): Map<string, boolean> {
  const known = remembered.get(db)
  if (known !== undefined && known.size < maxRemembered) return known
  const made = new Map<string, boolean>()
  remembered.set(db, made)
  return made
}

async function isCommon(db: Db, group: string): Promise<boolean> {
  const known = rememberedOf(db)
  const answer = known.get(group)
  if (answer !== undefined) return answer
  const [row] = await read<{ n: number }>(
    db,
    fragment(
      'select count(*) as n from (select 1 from users_search where users_search match ? limit cast(? as bigint))',
      ...[phrases([group]), manyMatches],
    ),
  )
  const common = row?.n === manyMatches
  known.set(group, common)
  return common
}

/** A phrase is found along its rarest group of characters; where that one is rare, so is the work. */
async function isCostly(db: Db, term: string): Promise<boolean> {
  const characters = [...term]
  for (let start = 0; start + indexedLength <= Math.min(characters.length, maxProbes); start++) {
    if (!(await isCommon(db, characters.slice(start, start + indexedLength).join('')))) return false
  }
  return true
}

/** How SQLite searches among very many users. */
export const userSearch: SearchIndex = {
  filter: 'search',
  source: (terms) => {
    const texts = { table: 'users_search_content', id: 'id', matches: textContains('c0', terms) }
    const { sql, parameters } = textContains('c0', terms)
    const check = fragment(`(select ${sql} from users_search_content where id = walked.id)`, ...parameters)
    if (!terms.every(isIndexed)) return { ...texts, check, scanCost: (rows) => rows * 0.1 }
    const match = fragment('users_search match ?', phrases(terms))
    return { table: 'users_search', id: 'rowid', matches: match, check, scanCost: () => 0 }
  },
  isCostly: async (db, terms) => {
    if (!terms.every(isIndexed)) return true
    for (const term of terms) if (await isCostly(db, term)) return true
    return false
  },
}

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isStorable, searchForm } from '../../core/text.ts'
import type { Db } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
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

function matches(term: string, db: Db): RawBuilder<SqlBool> {
  if (isPostgres(db)) return sql<SqlBool>`text like ${`%${term.replaceAll(/[\\%_]/g, '\\$&')}%`}`
  if ([...term].length < indexedLength) return sql<SqlBool>`instr(text, ${term}) > 0`
  return sql<SqlBool>`users_search match ${`"${term.replaceAll('"', '""')}"`}`
}

/** `filter[search]`: a part of any of the four fields, in any case. */
export const searchFilter: Filter = {
  expects: 'text',
  description: 'A part of the username, first name, last name or email, in any case.',
  literalCommas: true,
  maxValues: 20, // SQLite unites at most 500 selects, and each term may read every text
  parse: (text) => (isStorable(text) ? searchForm(text).replaceAll(separator, ' ') : undefined),
  where: (terms, db) =>
    sql<SqlBool>`id in (${sql.join(
      terms.map((term) => sql`select rowid from users_search where ${matches(String(term), db)}`),
      sql` union `,
    )})`,
}

import { type Kysely, sql } from 'kysely'
import { accentlessForm } from '../../core/text.ts'

/** Hears how far a long step is. */
export type Report = (step: string, done: number, total: number) => void

/*
 * Writes the text by which each user is found again: since then first and last name stand together, and accents count for
 * nothing. The old index stays in place until the new one is whole, so that other processes go on reading; they can write when
 * it is done. The rules stand here once more, for `users.search.ts` may change, and this must not.
 */

const batchSize = 2_000
const separator = '\u001f'

interface Row {
  id: number
  username: string | null
  first_name: string | null
  last_name: string | null
  email: string
}

const formOf = (text: string): string => accentlessForm(text).replaceAll(separator, ' ')

function textOf({ username, first_name, last_name, email }: Row): string {
  const name = [first_name, last_name].filter((part) => part !== null).map(formOf)
  return [formOf(username ?? ''), name.join(' '), formOf(email)].join(separator)
}

/** Each batch of users with their texts, by id. */
async function* batches(db: Kysely<never>): AsyncGenerator<{ ids: number[]; texts: string[] }> {
  for (let last = 0; ; ) {
    const { rows } = await sql<Row>`select id, username, first_name, last_name, email from users
      where id > ${last} order by id limit ${batchSize}`.execute(db)
    if (rows.length === 0) return
    last = rows.at(-1)?.id as number
    yield { ids: rows.map(({ id }) => id), texts: rows.map(textOf) }
  }
}

async function fill(db: Kysely<never>, report: Report, write: (ids: number[], texts: string[]) => Promise<unknown>) {
  const { rows } = await sql<{ total: number }>`select count(*) as total from users`.execute(db)
  const total = Number(rows[0]?.total ?? 0)
  let done = 0
  for await (const { ids, texts } of batches(db)) {
    await write(ids, texts)
    done += ids.length
    report('Rebuilding the search index', done, total)
  }
}

async function rebuildOnSqlite(db: Kysely<never>, report: Report): Promise<void> {
  const setOption = (name: string, value: number) =>
    sql`insert into users_search (users_search, rank) values (${name}, ${BigInt(value)})`.execute(db)
  // One transaction: whoever reads meanwhile sees the old table.
  await sql`drop table users_search`.execute(db)
  await sql`create virtual table users_search using fts5 (text, tokenize = 'trigram case_sensitive 1')`.execute(db)
  await setOption('hashsize', 32 * 2 ** 20)
  await fill(db, report, (ids, texts) => {
    const rows = ids.map((id, at) => sql`(${id}, ${texts[at]})`)
    return sql`insert into users_search (rowid, text) values ${sql.join(rows)}`.execute(db)
  })
  await setOption('hashsize', 2 ** 20)
  await setOption('secure-delete', 1)
}

async function rebuildOnPostgres(db: Kysely<never>, report: Report): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`set local lock_timeout = 0`.execute(db)
  await sql`set local maintenance_work_mem = '256MB'`.execute(db)
  await sql`lock table users in share row exclusive mode`.execute(db) // others read on, and write when this is done
  await sql`create table users_search_new (rowid bigint not null, text text collate "C" not null)`.execute(db)
  await fill(db, report, (ids, texts) =>
    sql`insert into users_search_new select * from unnest(${ids}::bigint[], ${texts}::text[])`.execute(db),
  )
  await sql`create index users_search_new_text on users_search_new using gin (text gin_trgm_ops)`.execute(db)
  await sql`alter table users_search_new add constraint users_search_new_pkey primary key (rowid),
    add constraint users_search_new_rowid_fkey foreign key (rowid) references users (id) on delete cascade`.execute(db)
  await sql`drop table users_search`.execute(db)
  await sql`alter table users_search_new rename to users_search`.execute(db)
  await sql`alter index users_search_new_text rename to users_search_text`.execute(db)
  await sql`alter index users_search_new_pkey rename to users_search_pkey`.execute(db)
  await sql`alter table users_search rename constraint users_search_new_rowid_fkey to users_search_rowid_fkey`.execute(
    db,
  )
}

export const rebuildSearchTexts = (db: Kysely<never>, postgres: boolean, report: Report): Promise<void> =>
  postgres ? rebuildOnPostgres(db, report) : rebuildOnSqlite(db, report)

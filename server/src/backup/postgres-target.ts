import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { postgresSnapshot } from './postgres-snapshot.ts'
import { connect } from './source.ts'
import { quote } from './sqlite-snapshot.ts'
import type { Mark, Target } from './target.ts'

const here = 'current_schema()::regnamespace'

async function within<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect(url)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const tablesOf = async (client: pg.Client): Promise<string[]> =>
  (await client.query(`select relname from pg_class where relnamespace = ${here} and relkind = 'r'`)).rows.map(
    ({ relname }) => relname,
  )

/** What stands in the database, if anything. */
export const lookAtPostgres = (url: string): Promise<{ isEmpty: boolean; mark: Mark | undefined }> =>
  within(url, async (client) => {
    const tables = await tablesOf(client)
    const marks = tables.includes('unfinished_restore')
      ? (await client.query('select command from unfinished_restore')).rows
      : []
    return { isEmpty: tables.length === 0, mark: marks[0] }
  })

/** Marks an empty database, after removing what an earlier attempt left behind. */
export const beginPostgres = (url: string, mark: Mark): Promise<void> =>
  within(url, async (client) => {
    await client.query('begin')
    for (const table of await tablesOf(client)) await client.query(`drop table ${quote(table)} cascade`)
    const functions = await client.query(`select p.oid::regprocedure::text as name from pg_proc p
      where p.pronamespace = ${here} and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')`)
    for (const { name } of functions.rows) await client.query(`drop function ${name} cascade`)
    await client.query('create table unfinished_restore (command text not null)')
    await client.query('insert into unfinished_restore values ($1)', [mark.command])
    await client.query('commit')
  })

/** Fills a migrated database in one transaction, so that after a kill nothing but the mark and empty tables remain. */
export async function openPostgresTarget(url: string): Promise<Target> {
  const client = await connect(url)
  const snapshot = postgresSnapshot(client)
  let later: string[] = []

  const rowsOf = async (sql: string): Promise<{ drop: string; make: string }[]> => (await client.query(sql)).rows

  /** Foreign keys and indexes, which are made at once when all rows are there. Keys and unique constraints stay. */
  async function takeAway(): Promise<void> {
    const keys = await rowsOf(`select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
      from pg_constraint where connamespace = ${here} and contype = 'f'`)
    const indexes =
      await rowsOf(`select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as make
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = ${here} and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)`)
    for (const { drop } of [...keys, ...indexes]) await client.query(drop)
    later = [...indexes, ...keys].map(({ make }) => make)
  }

  return {
    snapshot,
    begin: async () => {
      await client.query('begin')
      await client.query("set local maintenance_work_mem = '256MB'")
      await client.query('lock table unfinished_restore in access exclusive mode')
      await takeAway()
      for (const { name } of await snapshot.tables()) {
        await client.query(`alter table ${quote(name)} disable trigger user`)
        await client.query(`truncate ${quote(name)}`)
      }
    },
    load: async (table, chunks) => {
      const names = table.columns.map(({ name }) => quote(name))
      await pipeline(chunks, client.query(copyFrom(`copy ${quote(table.name)} (${names}) from stdin`)))
    },
    finish: async (sequences) => {
      const known = new Set((await snapshot.tables()).map(({ name }) => name))
      for (const [table, last] of Object.entries(sequences)) {
        if (!known.has(table)) continue
        await client.query(
          "select setval(pg_get_serial_sequence(quote_ident($1), 'id'), greatest($2::bigint, 1), $2::bigint > 0)",
          [table, last],
        )
      }
      for (const make of later) await client.query(make)
      for (const { name } of await snapshot.tables()) {
        await client.query(`alter table ${quote(name)} enable trigger user`)
        // Of a table that it knows as empty, PostgreSQL keeps plans that read the whole of it, however it grows.
        const { rowCount } = await client.query(`select from ${quote(name)} limit 1`)
        if (rowCount !== 0) await client.query(`analyze ${quote(name)}`)
      }
    },
    run: async (statement) => (await client.query(statement)).rowCount ?? 0,
    complete: async () => {
      await client.query('drop table unfinished_restore')
      await client.query('commit')
      await client.end()
    },
    close: () => client.end(),
  }
}

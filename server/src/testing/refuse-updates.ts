import { sql } from 'kysely'
import { isPostgres } from '../db/dialect.ts'
import type { TestApp } from './app.ts'

/** Lets the database refuse updates of a column; returns a function that ends it. */
export async function refuseUpdates({ ctx: { unguarded } }: TestApp, column: string, table: string) {
  const run = (text: string) => sql.raw(text).execute(unguarded)
  const before = `before update of ${column} on ${table}`
  if (!isPostgres(unguarded)) {
    await run(`create trigger refuse ${before} begin select raise(abort, 'refused'); end`)
    return async () => void (await run('drop trigger refuse'))
  }
  await run(`create or replace function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`)
  await run(`create trigger refuse ${before} for each row execute function refuse()`)
  return async () => void (await run(`drop trigger refuse on ${table}`))
}

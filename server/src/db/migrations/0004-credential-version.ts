import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * What decides about credentials: each row that is written by one of these events changes `credential_version`, in the same
 * transaction, whoever writes it. `last_used_at`, `last_activity` and everything else about a user do not.
 */
const events: readonly [table: string, event: string, when?: string][] = [
  ['users', 'update of status, role_id', 'old.status <> new.status or old.role_id <> new.role_id'],
  ['users', 'delete'],
  ['api_keys', 'update of user_id, key_hash, permissions, expires_at'],
  ['api_keys', 'delete'],
  ['sessions', 'update of user_id, token_hash, created_at'],
  ['sessions', 'delete'],
  ['role_permissions', 'insert'],
  ['role_permissions', 'update'],
  ['role_permissions', 'delete'],
  ['permissions', 'update of name', 'old.name <> new.name'],
  ['permissions', 'delete'],
  ['settings', 'insert'],
  ['settings', 'update'],
  ['settings', 'delete'],
]

const nameOf = (table: string, event: string): string => `credentials_${table}_${event.split(' ')[0]}`

/** A number that tells every process on this database whether what it knows of credentials still holds. */
export async function up(db: Kysely<never>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  await sql`create table credential_version (version ${sql.raw(postgres ? 'bigint' : 'integer')} not null)`.execute(db)
  await sql`insert into credential_version (version) values (1)`.execute(db)
  const execute = (statement: string) => sql.raw(statement).execute(db)
  if (postgres) await execute(postgresFunction)
  for (const [table, event, when] of events) {
    const head = `${nameOf(table, event)} after ${event} on ${table}`
    const condition = when === undefined ? '' : `when (${when})`
    await execute(
      postgres
        ? `create constraint trigger ${head} deferrable initially deferred
            for each row ${condition} execute function change_credential_version()`
        : `create trigger ${head} for each row ${condition} begin
            update credential_version set version = version + 1; end`,
    )
  }
}

// At the commit, when all other locks are taken, so that the lock of this one row can be part of no deadlock; and once in a
// transaction, however many rows it writes.
const postgresFunction = `
create function change_credential_version() returns trigger language plpgsql as $$
begin
  if current_setting('gatehouse.credentials_changed_by', true) is distinct from pg_current_xact_id()::text then
    update credential_version set version = version + 1;
    perform set_config('gatehouse.credentials_changed_by', pg_current_xact_id()::text, true);
  end if;
  return null;
end $$`

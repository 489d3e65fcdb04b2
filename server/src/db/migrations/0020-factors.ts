import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** Triggers of migration 0004 that have to watch more: whether a user has a second factor, and whether their role requires one. */
const watched: readonly [table: string, event: string, when?: string][] = [
  [
    'users',
    'update of status, role_id, two_factor_options',
    'old.status <> new.status or old.role_id <> new.role_id or old.two_factor_options is distinct from new.two_factor_options',
  ],
  ['sessions', 'update of user_id, token_hash, created_at, proved_ms'],
  ['roles', 'update of two_factor', 'old.two_factor <> new.two_factor'],
  ['roles', 'delete'],
]

const nameOf = (table: string, event: string): string => `credentials_${table}_${event.split(' ')[0]}`

/**
 * Second factors as rows: SMS, authenticator apps, passkeys, and recovery codes beside them. What a user's row has
 * (`two_factor_options`) sums them up, so that the sign-in and the credential lookup need no other table.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const { schema } = db
  const number = postgres ? 'bigint' : 'integer'
  const text = postgres ? sql`text collate "C"` : sql`text`

  const factors = schema.createTable('factors')
  await (postgres
    ? factors.addColumn('id', number, (column) => column.primaryKey().generatedByDefaultAsIdentity())
    : factors.addColumn('id', number, (column) => column.primaryKey().autoIncrement())
  )
    .addColumn('user_id', number, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('type', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('verified', number, (column) => column.notNull())
    .addColumn('secret', text)
    .addColumn('credential_id', text, (column) => column.unique())
    .addColumn('counter', number, (column) => column.notNull().defaultTo(0))
    .addColumn('tries', number, (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('last_used_at', text)
    .execute()
  await schema.createIndex('factors_user').on('factors').column('user_id').execute()

  await schema
    .createTable('recovery_codes')
    .addColumn('user_id', number, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('code_hash', text, (column) => column.notNull())
    .addColumn('salt', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_codes_pk', ['user_id', 'code_hash'])
    .execute()

  await schema
    .createTable('totp_steps')
    .addColumn('factor_id', number, (column) => column.notNull().references('factors.id').onDelete('cascade'))
    .addColumn('step', number, (column) => column.notNull())
    .addColumn('expires_ms', number, (column) => column.notNull())
    .addPrimaryKeyConstraint('totp_steps_pk', ['factor_id', 'step'])
    .execute()
  await schema.createIndex('totp_steps_expiry').on('totp_steps').column('expires_ms').execute()

  await schema
    .createTable('sign_in_clients')
    .addColumn('user_id', number, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('client_hash', text, (column) => column.notNull())
    .addColumn('last_used_ms', number, (column) => column.notNull())
    .addPrimaryKeyConstraint('sign_in_clients_pk', ['user_id', 'client_hash'])
    .execute()
  await schema.createIndex('sign_in_clients_used').on('sign_in_clients').column('last_used_ms').execute()

  await sql`alter table roles add column two_factor ${text} not null default 'optional'`.execute(db)
  await sql`alter table sessions add column proved_ms ${sql.raw(number)} not null default 0`.execute(db)

  await copyPhones(db)
  await watchMore(db, postgres)
}

/** Who has a phone, pending or verified, has a factor of that type. */
async function copyPhones(db: Kysely<never>): Promise<void> {
  await sql`insert into factors (user_id, type, name, verified, secret, created_at)
    select id, 'sms', '', case when two_factor_options like '{"enabled":true%' then 1 else 0 end, two_factor_options, updated_at
    from users where two_factor_options is not null order by id`.execute(db)
}

async function watchMore(db: Kysely<never>, postgres: boolean): Promise<void> {
  const execute = (statement: string) => sql.raw(statement).execute(db)
  for (const [table, event, when] of watched) {
    const name = nameOf(table, event)
    await execute(`drop trigger if exists ${name}${postgres ? ` on ${table}` : ''}`)
    const head = `${name} after ${event} on ${table}`
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

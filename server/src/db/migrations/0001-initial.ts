import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

/** Users, roles, permissions, API keys and the audit log. */
export async function up(db: Kysely<never>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const { schema } = db
  const number = postgres ? 'bigint' : 'integer'
  /** Compared byte by byte on both databases, which in UTF-8 is by code point. */
  const text = postgres ? sql`text collate "C"` : sql`text`
  const id = (column: ColumnDefinitionBuilder) =>
    postgres ? column.primaryKey().generatedByDefaultAsIdentity() : column.primaryKey().autoIncrement()
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  for (const table of ['roles', 'permissions'] as const) {
    await schema
      .createTable(table)
      .addColumn('id', number, id)
      .addColumn('name', text, required)
      .addColumn('name_canonical', text, (column) => column.notNull().unique())
      .addColumn('display_name', text)
      .addColumn('description', text)
      .addColumn('removable', number, required)
      .addColumn('created_at', text, required)
      .addColumn('updated_at', text, required)
      .execute()
  }
  await schema
    .createTable('role_permissions')
    .addColumn('role_id', number, (column) => column.notNull().references('roles.id').onDelete('cascade'))
    .addColumn('permission_id', number, (column) => column.notNull().references('permissions.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('role_permissions_pk', ['role_id', 'permission_id'])
    .execute()
  await schema.createIndex('role_permissions_permission').on('role_permissions').column('permission_id').execute()

  await schema
    .createTable('users')
    .addColumn('id', number, id)
    .addColumn('email', text, required)
    .addColumn('email_canonical', text, required)
    .addColumn('username', text)
    .addColumn('username_canonical', text)
    .addColumn('password_hash', text, required)
    .addColumn('role_id', number, (column) => column.notNull().references('roles.id'))
    .addColumn('status', text, required)
    .addColumn('first_name', text)
    .addColumn('first_name_key', text, required)
    .addColumn('last_name', text)
    .addColumn('last_name_key', text, required)
    .addColumn('phone', text)
    .addColumn('address', text)
    .addColumn('country_id', number)
    .addColumn('birthday', text)
    .addColumn('avatar', text)
    .addColumn('last_login', text)
    .addColumn('two_factor_country_code', number)
    .addColumn('two_factor_phone', text)
    .addColumn('two_factor_options', text)
    .addColumn('created_at', text, required)
    .addColumn('updated_at', text, required)
    .execute()
  await schema.createIndex('users_email').unique().on('users').column('email_canonical').execute()
  await schema.createIndex('users_username').unique().on('users').column('username_canonical').execute()
  for (const column of [
    'first_name_key',
    'last_name_key',
    'created_at',
    'updated_at',
    'role_id',
    'country_id',
    'status',
  ]) {
    await schema.createIndex(`users_${column}`).on('users').columns([column, 'id']).execute()
  }
  await schema
    .createTable('user_counts')
    .addColumn('role_id', number, required)
    .addColumn('status', text, required)
    .addColumn('count', number, required)
    .addPrimaryKeyConstraint('user_counts_pk', ['role_id', 'status'])
    .execute()

  // The search index: one folded text for each user, found by any part of it.
  if (postgres) {
    await sql`create extension if not exists pg_trgm`.execute(db)
    await sql`create table users_search (
      rowid bigint primary key references users (id) on delete cascade, text text collate "C" not null)`.execute(db)
    await sql`create index users_search_text on users_search using gin (text gin_trgm_ops)`.execute(db)
  } else {
    await sql`create virtual table users_search using fts5 (text, tokenize = 'trigram case_sensitive 1')`.execute(db)
    await sql`insert into users_search (users_search, rank) values ('secure-delete', 1)`.execute(db)
  }

  await schema
    .createTable('api_keys')
    .addColumn('id', number, id)
    .addColumn('user_id', number, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', text, required)
    .addColumn('name_key', text, required)
    .addColumn('key_hash', text, (column) => column.notNull().unique())
    .addColumn('permissions', text)
    .addColumn('expires_at', text)
    .addColumn('last_used_at', text)
    .addColumn('created_at', text, required)
    .addColumn('updated_at', text, required)
    .execute()
  await schema.createIndex('api_keys_user').on('api_keys').column('user_id').execute()

  await schema
    .createTable('activity')
    .addColumn('id', number, id)
    .addColumn('event', text, required)
    .addColumn('actor_id', number)
    .addColumn('api_key_id', number)
    .addColumn('subject_type', text, required)
    .addColumn('subject_id', number)
    .addColumn('details', text)
    .addColumn('ip_address', text)
    .addColumn('user_agent', text)
    .addColumn('request_id', text)
    .addColumn('created_at', text, required)
    .execute()
  await schema.createIndex('activity_created').on('activity').columns(['created_at', 'id']).execute()
  await schema.createIndex('activity_event').on('activity').columns(['event', 'id']).execute()
  await schema.createIndex('activity_actor').on('activity').columns(['actor_id', 'id']).execute()
  await schema.createIndex('activity_subject').on('activity').columns(['subject_type', 'subject_id', 'id']).execute()

  await insertBuiltIns(db as unknown as Kysely<BuiltIns>)
}

interface BuiltIns {
  roles: {
    name: string
    name_canonical: string
    display_name: string
    description: string
    removable: number
    created_at: string
    updated_at: string
  }
  permissions: BuiltIns['roles']
}

async function insertBuiltIns(db: Kysely<BuiltIns>): Promise<void> {
  const now = new Date().toISOString().slice(0, 19).replace('T', ' ')
  const row = ([name, display_name, description]: readonly [string, string, string]) => ({
    name,
    name_canonical: name.toLowerCase(),
    display_name,
    description,
    removable: 0,
    created_at: now,
    updated_at: now,
  })
  const roles = [
    ['Admin', 'Administrator', 'Holds every permission, present and future.'],
    ['User', 'User', 'Holds no permission.'],
  ] as const
  const permissions = [
    ['users.manage', 'Manage users', 'List, create, edit, ban and delete users.'],
    ['users.activity', 'View activity', 'Read the audit log.'],
    ['roles.manage', 'Manage roles', 'Create, edit and delete roles and decide what they may do.'],
    ['permissions.manage', 'Manage permissions', 'Create, edit and delete permissions.'],
    ['settings.general', 'General settings', 'Change general settings; read metrics.'],
    ['settings.auth', 'Sign-in settings', 'Change settings of registration, sign-in and passwords.'],
    ['settings.notifications', 'Notification settings', 'Change settings of notifications.'],
    ['api-keys.manage', 'Manage API keys', 'Issue, list, rotate and revoke API keys.'],
    ['deliveries.view', 'View deliveries', 'See the mail and SMS that were sent, failed or captured.'],
  ] as const
  // One by one, so that their ids follow this order on every database.
  for (const role of roles) await db.insertInto('roles').values(row(role)).execute()
  for (const permission of permissions) await db.insertInto('permissions').values(row(permission)).execute()
}

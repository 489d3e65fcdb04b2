import type { ColumnDefinitionBuilder, Expression, Kysely, SchemaModule } from 'kysely'

/** What a migration gets: the schema builder, and the types that both databases support. */
export interface MigrationTools {
  // biome-ignore lint/suspicious/noExplicitAny: a migration sees tables as they were then, not as the types say now
  readonly db: Kysely<any>
  readonly schema: SchemaModule
  /** A 64-bit integer; booleans are stored as 0 and 1. */
  readonly integer: 'bigint' | 'integer'
  /** Text that is compared by code point on both databases. */
  readonly text: Expression<unknown>
  /** Makes an `integer` column the auto-increment primary key; an id is never reused. */
  readonly id: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
  readonly isPostgres: boolean
}

/** One migration of a plugin's tables. Its name sorts after the earlier ones: `0001-initial`. It never changes once released. */
export interface Migration {
  readonly up: (tools: MigrationTools) => Promise<void>
  /** Reverts `up`; `gatehouse plugins remove NAME --drop-data` runs all of them, last first. */
  readonly down: (tools: MigrationTools) => Promise<void>
}

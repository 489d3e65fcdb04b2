import type { Kysely } from 'kysely'

/** What there is once in an installation, whichever node looks: at first, which secret key it was made with. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('installation')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
}

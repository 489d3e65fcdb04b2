import type { Migration } from '@gatehouse/plugin-kit'

const tables = [
  ...['announcement_reads', 'announcement_read_marks', 'announcement_opt_outs', 'announcement_notifications'],
  'announcements',
]

/**
 * Announcements, their mails, unsubscribed users, and what is read. User ids have no foreign keys: announcements outlive
 * their authors.
 */
export const initial: Migration = {
  up: async ({ schema, integer, text, id }) => {
    await schema
      .createTable('announcements')
      .addColumn('id', integer, id)
      .addColumn('user_id', integer, (column) => column.notNull())
      .addColumn('title', text, (column) => column.notNull())
      .addColumn('title_key', text, (column) => column.notNull())
      .addColumn('title_folded', text, (column) => column.notNull())
      .addColumn('body', text, (column) => column.notNull())
      .addColumn('body_folded', text, (column) => column.notNull())
      .addColumn('parsed_body', text, (column) => column.notNull())
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('updated_at', text, (column) => column.notNull())
      .execute()
    await schema.createIndex('announcements_created').on('announcements').columns(['created_at', 'id']).execute()
    await schema.createIndex('announcements_title').on('announcements').columns(['title_key', 'id']).execute()
    await schema.createIndex('announcements_user').on('announcements').column('user_id').execute()

    await schema
      .createTable('announcement_notifications')
      .addColumn('announcement_id', integer, (column) =>
        column.primaryKey().references('announcements.id').onDelete('cascade'),
      )
      .addColumn('batch_id', integer, (column) => column.notNull())
      .addColumn('status', text, (column) => column.notNull())
      .addColumn('place', integer, (column) => column.notNull())
      .addColumn('last_user_id', integer, (column) => column.notNull())
      .addColumn('is_walked', integer, (column) => column.notNull())
      .addColumn('is_final', integer, (column) => column.notNull())
      .addColumn('total', integer, (column) => column.notNull())
      .addColumn('skipped', integer, (column) => column.notNull())
      .addColumn('sent', integer, (column) => column.notNull())
      .addColumn('failed', integer, (column) => column.notNull())
      .addColumn('next_ms', integer, (column) => column.notNull())
      .addColumn('created_at', text, (column) => column.notNull())
      .execute()
    await schema
      .createIndex('announcement_notifications_open')
      .on('announcement_notifications')
      .columns(['is_final', 'announcement_id'])
      .execute()

    await schema
      .createTable('announcement_opt_outs')
      .addColumn('user_id', integer, (column) => column.primaryKey())
      .addColumn('is_active', integer, (column) => column.notNull())
      .addColumn('created_at', text, (column) => column.notNull())
      .execute()

    await schema
      .createTable('announcement_read_marks')
      .addColumn('user_id', integer, (column) => column.primaryKey())
      .addColumn('read_to', integer, (column) => column.notNull())
      .execute()
    await schema
      .createTable('announcement_reads')
      .addColumn('user_id', integer, (column) => column.notNull())
      .addColumn('announcement_id', integer, (column) =>
        column.notNull().references('announcements.id').onDelete('cascade'),
      )
      .addPrimaryKeyConstraint('announcement_reads_key', ['user_id', 'announcement_id'])
      .execute()
    await schema.createIndex('announcement_reads_of').on('announcement_reads').column('announcement_id').execute()
  },
  down: async ({ schema }) => {
    for (const table of tables) await schema.dropTable(table).ifExists().execute()
  },
}

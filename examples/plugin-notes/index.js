import { definePlugin, Id, IncludedUser, named, Timestamp, Type } from '@gatehouse/plugin-kit'

/** A note as the database has it. @typedef {{ id: number, user_id: number, text: string, created_at: string }} NoteRow */

const text = Type.String({ maxLength: 2000, examples: ['Called about the invoice.'] })
const fields = { id: Id, user_id: Id, text, created_at: Timestamp }
const Note = named('Note', Type.Object({ ...fields, user: Type.Optional(IncludedUser) }))
const NewNote = named('NewNote', Type.Object({ user_id: Id, text }))
const access = { permission: 'notes.manage' }

/** Notes that administrators keep about users; they go with the user. */
export default definePlugin({
  id: 'notes',
  events: ['note.created', 'note.deleted'],
  permissions: [
    { name: 'notes.manage', display_name: 'Manage notes', description: 'Read and write notes about users.' },
  ],
  settings: Type.Object({
    per_user: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Notes that a user can have.' }),
  }),
  errors: { notes_full: [422, 'This user has too many notes.'] },
  migrations: {
    '0001-initial': {
      async up({ schema, id, integer, text }) {
        const required = (column) => column.notNull()
        await schema
          .createTable('notes')
          .addColumn('id', integer, id)
          .addColumn('user_id', integer, required)
          .addColumn('text', text, required)
          .addColumn('text_folded', text, required)
          .addColumn('created_at', text, required)
          .execute()
        await schema.createIndex('notes_user').on('notes').columns(['user_id', 'id']).execute()
        await schema.createIndex('notes_created').on('notes').columns(['created_at', 'id']).execute()
      },
      async down({ schema }) {
        await schema.dropTable('notes').execute()
      },
    },
  },
  routes: (host) => [
    {
      method: 'GET',
      path: '/notes',
      operationId: 'listNotes',
      summary: 'Paginate notes',
      access,
      list: {
        table: 'notes',
        columns: ['id', 'user_id', 'text', 'created_at'],
        sorts: { created_at: { column: 'created_at', type: 'text' }, id: { column: 'id', type: 'number' } },
        defaultSort: '-created_at',
        filters: { user: { kind: 'id', column: 'user_id' }, text: { kind: 'contains', column: 'text_folded' } },
        includes: { user: host.users.include((/** @type {NoteRow} */ row) => row.user_id) },
        item: Note,
        toItem: (/** @type {NoteRow} */ row) => row,
      },
    },
    {
      method: 'POST',
      path: '/notes',
      operationId: 'createNote',
      summary: 'Write a note',
      access,
      body: NewNote,
      answer: Note,
      status: 201,
      mayBeRefused: true,
      async handle({ actor, body }) {
        const { per_user } = await host.settings()
        return host.transaction(actor, async (tx) => {
          const { user_id: about } = body.given
          if (about !== undefined && (await tx.users.find(about)) === undefined)
            body.reject('user_id', 'There is no such user.')
          const { user_id, text } = body.accept()
          const notes = await tx.db.selectFrom('notes').select('id').where('user_id', '=', user_id).execute()
          if (notes.length >= per_user) throw tx.errors.notes_full()
          const row = { user_id, text, text_folded: tx.fold(text), created_at: tx.now() }
          const note = await tx.db.insertInto('notes').values(row).returningAll().executeTakeFirstOrThrow()
          await tx.recordActivity('note.created', { type: 'note', id: note.id }, { user_id })
          return note
        })
      },
    },
    {
      method: 'DELETE',
      path: '/notes/{id}',
      operationId: 'deleteNote',
      summary: 'Delete a note',
      access,
      answer: 'success',
      handle: ({ actor, id }) =>
        host.transaction(actor, async (tx) => {
          const { numDeletedRows } = await tx.db.deleteFrom('notes').where('id', '=', id).executeTakeFirst()
          if (numDeletedRows === 0n) throw tx.notFound()
          await tx.recordActivity('note.deleted', { type: 'note', id })
        }),
    },
  ],
  on: () => ({
    'user.deleted': async (tx, { subject }) => {
      await tx.db.deleteFrom('notes').where('user_id', '=', subject.id).execute()
    },
  }),
})

import { definePlugin, defineRoute, Id, IncludedUser, named, Timestamp, Type } from '@gatehouse/plugin-kit'
import { checkPlugin } from './check.ts'
import type { LoadedPlugin } from './load.ts'

interface NoteRow {
  id: number
  user_id: number | null
  text: string
  text_folded: string
  kind: string
  created_at: string
}

const settings = Type.Object({
  max_length: Type.Integer({ minimum: 1, maximum: 1000, default: 20, description: 'Characters.' }),
  heading: Type.String({ maxLength: 20, default: '' }),
})
const errors = { notes_too_many: [422, 'There are too many notes.'] } as const

const Note = named(
  'Note',
  Type.Object({
    id: Id,
    user_id: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    text: Type.String({ examples: ['Milk'] }),
    created_at: Timestamp,
    user: Type.Optional(IncludedUser),
  }),
)
const NewNote = named(
  'NewNote',
  Type.Object({ text: Type.String({ maxLength: 1000 }), kind: Type.Optional(Type.String()) }),
)

/** A plugin with every part, for the tests of the host. */
export const notes = definePlugin<{ tables: { notes: NoteRow }; settings: typeof settings; errors: typeof errors }>({
  id: 'notes',
  settings,
  errors,
  events: ['note.created'],
  permissions: [{ name: 'notes.write', display_name: 'Write notes', description: 'Write and delete notes.' }],
  mails: { note: { subject: 'Note', text: '{{ text }}', html: '<p>{{ text }}</p>' } },
  migrations: {
    '0001-initial': {
      up: async ({ schema, integer, text, id }) => {
        await schema
          .createTable('notes')
          .addColumn('id', integer, id)
          .addColumn('user_id', integer)
          .addColumn('text', text, (column) => column.notNull())
          .addColumn('text_folded', text, (column) => column.notNull())
          .addColumn('kind', text, (column) => column.notNull())
          .addColumn('created_at', text, (column) => column.notNull())
          .execute()
        await schema.createIndex('notes_created').on('notes').columns(['created_at', 'id']).execute()
      },
      down: async ({ schema }) => {
        await schema.dropTable('notes').execute()
      },
    },
  },
  routes: (host) => {
    const includes = { user: host.users.include((row: NoteRow) => row.user_id) }
    const toItem = ({ id, user_id, text, created_at }: NoteRow) => ({ id, user_id, text, created_at })
    const find = (id: number) => host.db.selectFrom('notes').selectAll().where('id', '=', id).executeTakeFirst()
    return [
      {
        method: 'GET',
        path: '/notes',
        operationId: 'listNotes',
        summary: 'Paginate notes',
        access: 'authenticated',
        list: {
          table: 'notes',
          columns: ['id', 'user_id', 'text', 'created_at'],
          sorts: { created_at: { column: 'created_at', type: 'text' }, id: { column: 'id', type: 'number' } },
          defaultSort: '-created_at',
          filters: {
            text: { kind: 'contains', column: 'text_folded' },
            user: { kind: 'id', column: 'user_id' },
            kind: { kind: 'choice', column: 'kind', choices: ['todo', 'memo'] },
          },
          includes,
          item: Note,
          toItem,
        },
        meta: {
          schema: Type.Object({ mine: Type.Integer() }),
          load: async ({ actor }) => {
            const mine = await host.db.selectFrom('notes').select('id').where('user_id', '=', actor.userId).execute()
            return { mine: mine.length }
          },
        },
      },
      {
        method: 'GET',
        path: '/notes/{id}',
        operationId: 'getNote',
        summary: 'Get a note',
        access: 'authenticated',
        answer: Note,
        includes,
        toItem,
        handle: async ({ id }) => {
          const row = await find(id)
          if (row === undefined) throw host.notFound()
          return row
        },
      },
      defineRoute({
        method: 'POST',
        path: '/notes',
        operationId: 'createNote',
        summary: 'Write a note',
        access: { permission: 'notes.write' },
        body: NewNote,
        status: 201,
        mayBeRefused: true,
        answer: Note,
        handle: async ({ actor, body }) => {
          const { max_length } = await host.settings()
          if ((body.given.text?.length ?? 0) > max_length) body.reject('text', `At most ${max_length} characters.`)
          const { text, kind = 'memo' } = body.accept()
          return host.transaction(actor, async (tx) => {
            if ((await tx.db.selectFrom('notes').select('id').execute()).length >= 5) throw tx.errors.notes_too_many()
            const row = { user_id: tx.actor.userId, text, text_folded: tx.fold(text), kind, created_at: tx.now() }
            const made = await tx.db
              .insertInto('notes')
              .values(row as NoteRow)
              .returningAll()
              .executeTakeFirstOrThrow()
            await tx.recordActivity('note.created', { type: 'note', id: made.id })
            return toItem(made)
          })
        },
      }),
      {
        method: 'DELETE',
        path: '/notes/{id}',
        operationId: 'deleteNote',
        summary: 'Delete a note',
        access: { permission: 'notes.write' },
        answer: 'success',
        handle: ({ actor, id }) =>
          host.transaction(actor, async (tx) => {
            const { numDeletedRows } = await tx.db.deleteFrom('notes').where('id', '=', id).executeTakeFirst()
            if (numDeletedRows === 0n) throw tx.notFound()
          }),
      },
      {
        method: 'GET',
        path: '/notes/page/{word}',
        operationId: 'getNotesPage',
        summary: 'A page',
        access: 'public',
        answer: 'html',
        handle: async ({ params, query }) => `<!doctype html><p>${params.word} ${query.get('q')}</p>`,
      },
      {
        method: 'POST',
        path: '/notes/page/{word}',
        operationId: 'postNotesPage',
        summary: 'A form',
        access: 'public',
        answer: 'html',
        takesForm: true,
        handle: async ({ params }) => `<!doctype html><p>posted ${params.word}</p>`,
        errorPage: ({ status }) => {
          if (status === 413) throw new Error('what nobody should read')
          return `<!doctype html><p>error ${status}</p>`
        },
      },
    ]
  },
  on: (host) => ({
    'user.deleted': async (tx, { subject }) => {
      await tx.db.updateTable('notes').set({ user_id: null }).where('user_id', '=', subject.id).execute()
      host.log.info({ id: subject.id }, 'their notes are nobody’s now')
    },
  }),
})

/** The fixture, as if it were loaded from a package. */
export const loadedNotes = (plugin: object = notes): LoadedPlugin => ({
  plugin: checkPlugin('./notes', plugin),
  source: './notes',
  version: '1.2.3',
  folder: import.meta.filename,
  console: null,
})

import { type OperationNode, type ReferenceNode, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { isPostgres } from '../../db/dialect.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { overSocket } from '../../testing/socket.ts'
import { keyHolders, sessionHolders } from './credentials.queries.ts'

/*
 * The credential cache is correct only if every change of what it was read from also changes `credential_version`. Triggers
 * do that. This test compares every column that the holder queries name with the triggers.
 */

/** Columns that need no trigger, and why. */
const exempt: Record<string, string> = {
  'api_keys.id': 'a key never changes its id',
  'api_keys.last_used_at': 'a note of use: it decides only when the next one is due',
  'sessions.id': 'a session never changes its id',
  'sessions.last_activity': 'a note of use: it only moves up, and what is kept holds until the old one ends',
  'users.id': 'a user never changes their id',
  'roles.id': 'a role never changes its id',
  'permissions.id': 'a permission never changes its id',
}

let t: TestApp
beforeAll(async () => {
  t = await overSocket(await startTestApp(inject('postgresUrl')))
})
afterAll(() => t.close())

/** Every `table.column` in a query. */
function columnsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  if ((node as OperationNode).kind !== 'ReferenceNode') return Object.values(node).flatMap(columnsIn)
  const { table, column } = node as ReferenceNode
  const name = column.kind === 'ColumnNode' ? column.column.name : '*'
  return [`${table?.table.identifier.name}.${name}`]
}

/** `table.column` for each column that a trigger watches, and `table.*` if it watches all. */
async function watchedColumns(): Promise<string[]> {
  const { unguarded: db } = t.ctx
  if (isPostgres(db)) {
    const { rows } = await sql<{ name: string; column: string | null }>`
      select c.relname as name, a.attname as column
      from pg_trigger g join pg_class c on c.oid = g.tgrelid
      left join lateral unnest(g.tgattr) watched(number) on true
      left join pg_attribute a on a.attrelid = c.oid and a.attnum = watched.number
      where g.tgname like 'credentials_%_update'`.execute(db)
    return rows.map(({ name, column }) => `${name}.${column ?? '*'}`)
  }
  const { rows } = await sql<{ name: string; sql: string }>`
    select tbl_name as name, sql from sqlite_master where type = 'trigger' and name like 'credentials_%_update'`.execute(
    db,
  )
  return rows.flatMap(({ name, sql: text }) => {
    const [, columns] = /after update of ([\w, ]+?) on /.exec(text) ?? []
    return (columns?.split(',') ?? ['*']).map((column) => `${name}.${column.trim()}`)
  })
}

async function watchedDeletes(): Promise<string[]> {
  const { unguarded: db } = t.ctx
  const { rows } = await (isPostgres(db)
    ? sql<{ name: string }>`select c.relname as name from pg_trigger g join pg_class c on c.oid = g.tgrelid
        where g.tgname like 'credentials_%_delete'`
    : sql<{ name: string }>`select tbl_name as name from sqlite_master
        where type = 'trigger' and name like 'credentials_%_delete'`
  ).execute(db)
  return rows.map(({ name }) => name)
}

describe('what authentication depends on', () => {
  const columns = () =>
    [
      keyHolders(t.ctx.db).where('api_keys.key_hash', '=', ''),
      sessionHolders(t.ctx.db).where('sessions.token_hash', '=', ''),
    ]
      .flatMap((query) => columnsIn(query.toOperationNode()))
      .filter((column, index, all) => all.indexOf(column) === index)
      .sort()

  it('is read from the columns that this test knows how to find', () => {
    expect(columns()).toContain('users.status')
    expect(columns()).toContain('role_permissions.role_id')
    expect(columns().filter((column) => column.includes('undefined'))).toEqual([])
  })

  it('is watched by a trigger, column by column, or exempt for a reason', async () => {
    const watched = await watchedColumns()
    const isWatched = (column: string) => watched.includes(column) || watched.includes(`${column.split('.')[0]}.*`)
    expect(columns().filter((column) => !isWatched(column) && exempt[column] === undefined)).toEqual([])
  })

  it('is watched when a row goes, in every table', async () => {
    const tables = [...new Set(columns().map((column) => column.split('.')[0]))].sort()
    expect(tables).toEqual(['api_keys', 'permissions', 'role_permissions', 'roles', 'sessions', 'users'])
    expect(await watchedDeletes()).toEqual(expect.arrayContaining(tables))
  })

  it('names no exemption that is not needed', () => {
    expect(Object.keys(exempt).filter((column) => !columns().includes(column))).toEqual([])
  })
})

import Sqlite from 'better-sqlite3'
import { columns, fold, type PageOf, type Row, searchText, serve, settings } from './bare.ts'

const given = settings()
const db = new Sqlite(given.database)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')

const statements = new Map<string, Sqlite.Statement>()
function prepare(sql: string): Sqlite.Statement {
  const known = statements.get(sql) ?? db.prepare(sql)
  statements.set(sql, known)
  return known
}

const byId = db.prepare(`select ${columns} from users where id = ?`)
const order = ({ column, descending }: PageOf) => {
  const direction = descending ? 'desc' : 'asc'
  return column === 'id' ? `id ${direction}` : `${column} ${direction}, id`
}

/** FTS5 finds substrings of three and more characters; shorter ones are searched in every text. */
const searched = (term: string): [string, string] =>
  term.length < 3 ? ['instr(text, ?) > 0', fold(term)] : ['text match ?', `"${fold(term).replaceAll('"', '""')}"`]

function page(asked: PageOf) {
  const { search, status, limit, offset } = asked
  const [match, term] = search === undefined ? ['', ''] : searched(search)
  const parameters: unknown[] = search === undefined ? [] : [term]
  const conditions: string[] = search === undefined ? [] : [`id in (select rowid from search where ${match})`]
  if (status !== undefined) {
    conditions.push('status = ?')
    parameters.push(status)
  }
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  const total =
    search === undefined
      ? `select sum(count) as total from totals ${where}`
      : status === undefined
        ? `select count(*) as total from search where ${match}`
        : `select count(*) as total from users ${where}`
  const inOrder = search !== undefined && status === undefined && asked.column === 'id' && !asked.descending
  const rows = inOrder
    ? `select ${columns} from search cross join users on users.id = search.rowid where search.${match} order by search.rowid`
    : `select ${columns} from users ${where} order by ${order(asked)}`
  return {
    total: (prepare(total).get(...parameters) as { total: number }).total,
    rows: prepare(
      `${rows.replace('search.instr(text', 'instr(search.text')} limit cast(? as bigint) offset cast(? as bigint)`,
    ).all(...parameters, limit, offset) as Row[],
  }
}

const create = db.transaction((user: Row): Row => {
  const names = Object.keys(user)
  const row = prepare(`insert into users (${names}) values (${names.map(() => '?')}) returning ${columns}`).get(
    ...Object.values(user),
  ) as Row
  prepare('insert into search (rowid, text) values (?, ?)').run(row.id, searchText(row))
  prepare('update totals set count = count + 1 where status = ?').run(user.status)
  return row
})

const rename = db.transaction((id: number, firstName: string, now: string): Row => {
  const set = 'first_name = ?, first_name_key = ?, updated_at = ?'
  const row = prepare(`update users set ${set} where id = ? returning ${columns}`).get(
    firstName,
    fold(firstName),
    now,
    id,
  )
  prepare('update search set text = ? where rowid = ?').run(searchText(row as Row), id)
  return row as Row
})

const move = db.transaction(
  (id: number, address: string, now: string): Row =>
    prepare(`update users set address = ?, updated_at = ? where id = ? returning ${columns}`).get(
      address,
      now,
      id,
    ) as Row,
)

const find = (id: number) => byId.get(id) as Row
const writes = {
  create: (user: Row) => create.immediate(user),
  rename: (...of: Parameters<typeof rename>) => rename.immediate(...of),
  move: (...of: Parameters<typeof move>) => move.immediate(...of),
}
await serve({ find, page, ...writes }, given)

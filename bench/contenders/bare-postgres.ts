import pg from 'pg'
import { columns, fold, type PageOf, type Row, searchText, serve, settings } from './bare.ts'

const given = settings()
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.NUMERIC, Number)
const pool = new pg.Pool({ connectionString: given.database, max: 10, types, options: '-c search_path=bare' })

/** Every query is prepared, named by its text. */
const names = new Map<string, string>()
async function query(text: string, values: readonly unknown[], on: pg.Pool | pg.PoolClient = pool): Promise<Row[]> {
  const name = names.get(text) ?? `q${names.size}`
  names.set(text, name)
  const { rows } = await on.query<Row>({ name, text, values: [...values] })
  return rows
}

const order = ({ column, descending }: PageOf) => {
  const direction = descending ? 'desc' : 'asc'
  return column === 'id' ? `id ${direction}` : `${column} ${direction}, id`
}

async function page(asked: PageOf) {
  const { search, status, limit, offset } = asked
  const values: unknown[] = []
  const conditions: string[] = []
  if (search !== undefined)
    conditions.push(`id in (select id from search where text like $${values.push(`%${fold(search)}%`)})`)
  if (status !== undefined) conditions.push(`status = $${values.push(status)}`)
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  const total =
    search === undefined
      ? `select sum(count) as total from totals ${where}`
      : status === undefined
        ? 'select count(*) as total from search where text like $1'
        : `select count(*) as total from users ${where}`
  const window = `limit $${values.length + 1} offset $${values.length + 2}`
  const [[counted], rows] = await Promise.all([
    query(total, values),
    query(`select ${columns} from users ${where} order by ${order(asked)} ${window}`, [...values, limit, offset]),
  ])
  return { total: Number(counted?.total), rows }
}

async function transaction(work: (client: pg.PoolClient) => Promise<Row>): Promise<Row> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const row = await work(client)
    await client.query('commit')
    return row
  } finally {
    client.release()
  }
}

const create = (user: Row) =>
  transaction(async (client) => {
    const values = Object.values(user)
    const places = values.map((_, index) => `$${index + 1}`)
    const text = `insert into users (${Object.keys(user)}) values (${places}) returning ${columns}`
    const [row] = (await query(text, values, client)) as [Row]
    await query('insert into search (id, text) values ($1, $2)', [row.id, searchText(row)], client)
    await query('update totals set count = count + 1 where status = $1', [user.status], client)
    return row
  })

const rename = (id: number, firstName: string, now: string) =>
  transaction(async (client) => {
    const text = `update users set first_name = $1, first_name_key = $2, updated_at = $3 where id = $4 returning ${columns}`
    const [row] = (await query(text, [firstName, fold(firstName), now, id], client)) as [Row]
    await query('update search set text = $1 where id = $2', [searchText(row), id], client)
    return row
  })

const move = (id: number, address: string, now: string) =>
  transaction(async (client) => {
    const text = `update users set address = $1, updated_at = $2 where id = $3 returning ${columns}`
    const [row] = (await query(text, [address, now, id], client)) as [Row]
    return row
  })

const find = async (id: number) => (await query(`select ${columns} from users where id = $1`, [id]))[0]
await serve({ find, page, create, rename, move }, given)

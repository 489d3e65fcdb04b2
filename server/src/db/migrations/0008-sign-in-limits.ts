import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { networkOf } from '../../core/addresses.ts'
import { hashSecret } from '../../core/secrets.ts'

const batchSize = 1000
/** As many as a user keeps; see `security/sign-in-guard/networks.ts`. */
const maxNetworks = 50

/** Attempts that are being looked at, and the networks that each user signed in from: at first those of the live sessions. */
export async function up(db: Kysely<never>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const { schema } = db
  const number = postgres ? 'bigint' : 'integer'
  const text = postgres ? sql`text collate "C"` : sql`text`

  await schema
    .alterTable('tries')
    .addColumn('reserved', number, (column) => column.notNull().defaultTo(0))
    .execute()

  await schema
    .createTable('sign_in_networks')
    .addColumn('user_id', number, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('network_hash', text, (column) => column.notNull())
    .addColumn('last_used_ms', number, (column) => column.notNull())
    .addPrimaryKeyConstraint('sign_in_networks_pk', ['user_id', 'network_hash'])
    .execute()
  await schema.createIndex('sign_in_networks_used').on('sign_in_networks').column('last_used_ms').execute()

  await copyFromSessions(db)
}

async function copyFromSessions(db: Kysely<never>): Promise<void> {
  for (let after = 0; ; ) {
    const users = await sql<{ user_id: number }>`
      select distinct user_id from sessions where user_id > ${after} order by user_id limit ${batchSize}`.execute(db)
    const last = users.rows.at(-1)?.user_id
    if (last === undefined) return
    const sessions = await sql<{ user_id: number; ip_address: string; last_activity: string }>`
      select user_id, ip_address, last_activity from sessions
      where user_id > ${after} and user_id <= ${last} and ip_address is not null
      order by user_id, last_activity desc`.execute(db)
    const kept = new Map<number, Set<string>>()
    for (const { user_id, ip_address, last_activity } of sessions.rows) {
      const networks = kept.get(user_id) ?? new Set()
      kept.set(user_id, networks)
      const network = networkOf(ip_address)
      if (networks.has(network) || networks.size >= maxNetworks) continue
      networks.add(network)
      const usedMs = Date.parse(`${last_activity.replace(' ', 'T')}Z`)
      await sql`insert into sign_in_networks (user_id, network_hash, last_used_ms)
        values (${user_id}, ${hashSecret(`${user_id} ${network}`)}, ${usedMs})`.execute(db)
    }
    after = last
  }
}

import { sql } from 'kysely'
import type { Actor, Context } from '../../core/context.ts'
import { readSql } from '../../db/dialect.ts'
import { type Cost, manyRows, readAside } from '../../db/direct.ts'
import { lacksRequiredFactor } from '../accounts/two-factor-filter.ts'
import { shownColumns, userStatuses } from '../accounts/users.table.ts'
import { toUser } from '../users/users.service.ts'
import type { Stats } from './stats.schemas.ts'

const months = 12
const latest = 7

/** The last twelve months as `YYYY-MM`, oldest first, including the current one. */
function lastMonths(now: Date): string[] {
  const first = now.getUTCFullYear() * 12 + now.getUTCMonth() - (months - 1)
  return Array.from({ length: months }, (_, index) => {
    const month = first + index
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
  })
}

/** The dashboard's numbers: totals by status (from the stored counts), sign-ups by month, the newest accounts. */
export const readStats = (ctx: Context, { userId }: Actor): Promise<Stats> =>
  readAside(ctx.db, userId, (db) => readAll({ ...ctx, db }))

async function readAll(ctx: Context): Promise<Stats> {
  const totals = await readTotals(ctx)
  const cost = totals.total > manyRows ? 'costly' : 'unsure'
  const [signUps, users, without_required_factor] = await Promise.all([
    readSignUps(ctx, cost),
    readLatest(ctx),
    countLacking(ctx, cost),
  ])
  const captured = { mail: ctx.config.mail === null, sms: ctx.config.sms === null }
  return { users: totals, without_required_factor, sign_ups: signUps, latest_registrations: users, captured }
}

async function readTotals({ db }: Context): Promise<Stats['users']> {
  const rows = await db
    .selectFrom('user_counts')
    .select((eb) => ['status', eb.fn.sum<number>('count').as('count')])
    .groupBy('status')
    .execute()
  const by_status = Object.fromEntries(
    userStatuses.map((status) => [status, rows.find((row) => row.status === status)?.count ?? 0]),
  ) as Stats['users']['by_status']
  return { total: Object.values(by_status).reduce((sum, count) => sum + count, 0), by_status }
}

/** Users who lack the second factor that their role requires. */
async function countLacking({ db }: Context, cost: Cost): Promise<number> {
  const rows = await readSql(
    db,
    sql<{ count: number }>`select count(*) as count from users where ${sql.raw(lacksRequiredFactor)}`,
    cost,
  )
  return Number(rows[0]?.count ?? 0)
}

async function readSignUps({ db, clock }: Context, cost: Cost): Promise<Stats['sign_ups']> {
  const wanted = lastMonths(clock())
  const rows = await readSql(
    db,
    sql<{ month: string; count: number }>`
      select substr(created_at, 1, 7) as month, count(*) as count from users
      where created_at >= ${`${wanted[0]}-01 00:00:00`} group by 1`,
    cost,
  )
  return wanted.map((month) => ({ month, count: rows.find((row) => row.month === month)?.count ?? 0 }))
}

async function readLatest({ db, config }: Context): Promise<Stats['latest_registrations']> {
  const rows = await db
    .selectFrom('users')
    .select(shownColumns)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(latest)
    .execute()
  return rows.map((row) => toUser(row, config))
}

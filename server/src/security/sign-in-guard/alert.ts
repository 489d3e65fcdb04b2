import { sql } from 'kysely'
import type { Tx } from '../../core/context.ts'
import { toTimestamp } from '../../core/time.ts'
import { mailAdministrators } from '../../mails/mail-administrators.ts'
import { isTriesWindowOver } from '../attempts/attempts.service.ts'
import type { Place } from '../attempts/budgets.ts'

const hourMs = 3_600_000
const hoursBefore = 24
/** A rise that triggers the alert: tenfold, and at least as many failures as one network may have in ten minutes. */
const factor = 10
const fewest = 30
/** The previous hours are read once for this many failures. */
const lookEvery = 10

const hourOf = (nowMs: number): number => Math.floor(nowMs / hourMs) * hourMs

/** The counter of an hour's failures, kept until the day after. */
const hourPlace = (hour: number): Place => ({
  name: `sign-in failures ${new Date(hour).toISOString().slice(0, 13)}`,
  limit: Number.POSITIVE_INFINITY,
  windowMs: hourMs,
  endsMs: hour + (hoursBefore + 2) * hourMs,
})

/** The current counter of failures, of all accounts and unknown names. */
export const failuresThisHour = (nowMs: number): Place => hourPlace(hourOf(nowMs))

/**
 * Mails the administrators, at most once an hour, when the failures of this hour are ten times those of an average hour of
 * the day before. Part of the transaction that counted `added` more, to `count`.
 */
export async function alertAdministrators(tx: Tx, count: number, added: number): Promise<void> {
  const hasPassed = Math.floor(count / lookEvery) > Math.floor((count - added) / lookEvery)
  if (count < fewest || !hasPassed) return
  const hour = hourOf(tx.clock().getTime())
  const names = Array.from({ length: hoursBefore }, (_, index) => hourPlace(hour - (index + 1) * hourMs).name)
  const rows = await tx.db.selectFrom('tries').select('count').where('name', 'in', names).execute()
  const before = rows.reduce((sum, row) => sum + row.count, 0)
  if (count * hoursBefore < factor * before) return
  if (!(await takeHour(tx))) return
  const at = toTimestamp(tx.clock())
  await mailAdministrators(tx, 'sign-ins-failing', (name) => ({ name, count, before, at }))
}

/** True if no mail was sent within an hour. If several nodes ask at once, only one gets true: the others wait for its row. */
async function takeHour(tx: Tx): Promise<boolean> {
  const now = tx.clock().getTime()
  const { rows } = await sql`
    insert into tries (name, count, expires_ms) values ('sign-in alert', 1, ${now + hourMs})
    on conflict (name) do update set expires_ms = excluded.expires_ms where ${isTriesWindowOver(now, hourMs)}
    returning name`.execute(tx.db)
  return rows.length > 0
}

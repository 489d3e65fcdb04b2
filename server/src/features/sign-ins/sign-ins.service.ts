import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Reads } from '../../core/context.ts'
import { daysAgo } from '../../core/time.ts'
import { readSettings } from '../settings/settings.service.ts'
import { failedEvent, goodEvent } from './sign-ins.list.ts'

/** The sign-ins of a user that are not too old to be shown, as the condition of a list. */
export async function signInScope(from: Reads, userId: number): Promise<RawBuilder<SqlBool>> {
  const { 'sign_ins.retention_days': days } = await readSettings(from)
  return sql`(subject_type = 'user' and subject_id = ${userId} and event in (${goodEvent}, ${failedEvent})
    and created_at >= ${daysAgo(from.clock, days)})`
}

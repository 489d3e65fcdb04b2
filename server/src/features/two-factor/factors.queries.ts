import type { Db, ReadDb } from '../../db/database.ts'
import { prepare } from '../../db/prepare.ts'
import type { FactorRow } from './factors.table.ts'

const selectFactors = prepare((db, userId: number) =>
  db.selectFrom('factors').selectAll().where('user_id', '=', userId).orderBy('id'),
)

/** A user's factors, also those that are pending. */
export const findFactors = async (db: ReadDb, userId: number): Promise<FactorRow[]> => selectFactors(db, userId)

/** A user's verified factors. */
export const findVerifiedFactors = async (db: ReadDb, userId: number): Promise<FactorRow[]> =>
  (await findFactors(db, userId)).filter(({ verified }) => verified === 1)

export const findFactor = (db: ReadDb, userId: number, id: number): Promise<FactorRow | undefined> =>
  db.selectFrom('factors').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()

/** The passkey with this id, whoever owns it. */
export const findPasskey = (db: ReadDb, credentialId: string): Promise<FactorRow | undefined> =>
  db.selectFrom('factors').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()

export interface NewFactor extends Pick<FactorRow, 'user_id' | 'type' | 'name' | 'verified' | 'secret' | 'created_at'> {
  readonly credential_id?: string
  readonly counter?: number
}

export const insertFactor = (db: Db, factor: NewFactor): Promise<FactorRow> =>
  db.insertInto('factors').values(factor).returningAll().executeTakeFirstOrThrow()

/** Removes a user's factors of a type: all, or only those that are pending. */
export async function removeFactors(
  db: Db,
  userId: number,
  type: FactorRow['type'],
  onlyPending = false,
): Promise<void> {
  const all = db.deleteFrom('factors').where('user_id', '=', userId).where('type', '=', type)
  await (onlyPending ? all.where('verified', '=', 0) : all).execute()
}

export async function noteFactorUse(db: Db, id: number, now: string): Promise<void> {
  await db.updateTable('factors').set({ last_used_at: now }).where('id', '=', id).execute()
}

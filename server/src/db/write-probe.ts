import type { RootDb } from './database.ts'
import { type UnavailableReason, unavailableReason } from './failures.ts'

/** Proxies give a health check about this long. */
const timeoutMs = 4_000

const timeout = (): Promise<UnavailableReason> =>
  new Promise((done) => setTimeout(() => done('database_away'), timeoutMs).unref())

async function tryWrite(db: RootDb, value: string): Promise<UnavailableReason | undefined> {
  try {
    await db
      .insertInto('installation')
      .values({ name: 'write_probe', value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
    return undefined
  } catch (error) {
    return unavailableReason(error)
  }
}

/** Writes a row; returns why that was not possible. */
export const probeWriting = (db: RootDb, value: string): Promise<UnavailableReason | undefined> =>
  Promise.race([tryWrite(db, value), timeout()])

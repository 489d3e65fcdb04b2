import type { ReadDb } from '../../db/database.ts'
import { forUpdate } from '../../db/dialect.ts'
import type { ApiKeyRow } from './api-keys.table.ts'

const byId = (db: ReadDb, id: number) => db.selectFrom('api_keys').selectAll().where('id', '=', id)

export const findApiKey = (db: ReadDb, id: number): Promise<ApiKeyRow | undefined> => byId(db, id).executeTakeFirst()

/** The same, locked until the transaction ends. */
export const lockApiKey = (db: ReadDb, id: number): Promise<ApiKeyRow | undefined> =>
  forUpdate(db)(byId(db, id)).executeTakeFirst()

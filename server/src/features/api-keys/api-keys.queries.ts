import type { ReadDb } from '../../db/database.ts'
import { forUpdate } from '../../db/dialect.ts'
import type { ApiKeyRow } from './api-keys.table.ts'

export const findApiKey = (db: ReadDb, id: number): Promise<ApiKeyRow | undefined> =>
  forUpdate(db)(db.selectFrom('api_keys').selectAll().where('id', '=', id)).executeTakeFirst()

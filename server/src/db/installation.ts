import type { Db, RootDb } from './database.ts'
import { inTransaction } from './transaction.ts'

/** Values that an installation has once, by name. */
export interface InstallationTable {
  name: string
  value: string
}

const find = async (db: RootDb, name: string): Promise<string | undefined> =>
  (await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst())?.value

const secretKey = 'secret_key'

/** Which secret key the installation was made with, as its fingerprint; undefined before the first start. */
export const findKeyFingerprint = (db: RootDb): Promise<string | undefined> => find(db, secretKey)

/**
 * Notes the fingerprint of the key unless one is noted already, and returns the noted one. Of several nodes only the first notes
 * it; whatever else starts with the key is done `together` with the note.
 */
export async function noteKeyFingerprint(
  db: RootDb,
  fingerprint: string,
  together: (db: Db) => Promise<void>,
): Promise<string> {
  await inTransaction(db, async (tx) => {
    const { numInsertedOrUpdatedRows = 0n } = await tx
      .insertInto('installation')
      .values({ name: secretKey, value: fingerprint })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows > 0n) await together(tx)
  })
  return (await find(db, secretKey)) as string
}

/** Sets a value. */
async function note(db: RootDb, name: string, value: string): Promise<void> {
  await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Each backup has its own mark, with its id after the name: several may be made at once. */
const picturesKept = 'pictures_kept_until_ms'

/** Until then, epoch milliseconds, no picture is removed: this backup is being made and may need it. */
export const keepPicturesUntil = (db: RootDb, backup: string, untilMs: number): Promise<void> =>
  note(db, `${picturesKept} ${backup}`, String(untilMs))

const findMarks = (db: Pick<RootDb, 'selectFrom'>) =>
  db.selectFrom('installation').selectAll().where('name', 'like', `${picturesKept}%`).execute()

/** True while a backup is being made. */
export const arePicturesKept = async (db: Pick<RootDb, 'selectFrom'>, now: number): Promise<boolean> =>
  (await findMarks(db)).some(({ value }) => Number(value) > now)

/** Removes the mark of a backup that has ended, and those that killed ones left before `limitMs`. */
export async function endKeepingPictures(db: RootDb, backup: string, limitMs: number): Promise<void> {
  const isOver = ({ name, value }: InstallationTable) => name === `${picturesKept} ${backup}` || Number(value) < limitMs
  const over = (await findMarks(db)).filter(isOver).map(({ name }) => name)
  if (over.length > 0) await db.deleteFrom('installation').where('name', 'in', over).execute()
}

/** The folder of pictures that belongs to the database. */
export const storageId = 'storage_id'

/** Notes the id of the folder of pictures unless one is noted already, and returns the noted one. */
export async function noteStorageId(db: RootDb, id: string): Promise<string> {
  await db
    .insertInto('installation')
    .values({ name: storageId, value: id })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await find(db, storageId)) as string
}

/** The id of the folder of pictures; undefined before the first start on PostgreSQL. */
export const findStorageId = (db: RootDb): Promise<string | undefined> => find(db, storageId)

export const setStorageId = (db: RootDb, id: string): Promise<void> => note(db, storageId, id)

/** Which programs run on the schema, noted by the newest of them that has migrated the database. */
export interface Compatibility {
  /** Programs that know this migration do. */
  readonly runsSince: string
  /** As long as this is the last migration. */
  readonly upTo: string
}

const compatibility = 'compatibility'

/** Undefined if nothing was noted. */
export async function findCompatibility(db: RootDb): Promise<Compatibility | undefined> {
  const value = await find(db, compatibility)
  return value === undefined ? undefined : (JSON.parse(value) as Compatibility)
}

export const noteCompatibility = (db: RootDb, value: Compatibility): Promise<void> =>
  note(db, compatibility, JSON.stringify(value))

import { randomBytes, randomInt } from 'node:crypto'
import type { Context, Tx } from '../../../core/context.ts'
import type { Db, ReadDb } from '../../../db/database.ts'
import { hashWithSalt, userPlace } from '../../passwords/passwords.service.ts'
import type { Spend } from '../../tokens/tokens.service.ts'

/*
 * Ten codes for a user who has lost every other factor. A code has 50 random bits, too few for a fast hash, so it is hashed
 * as a password is (OWASP ASVS 6.5.2). All codes of a set have one salt, so that a code is found with one hash.
 */

const codes = 10
/** Crockford's base 32 in lower case: nobody confuses its letters and digits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const half = 5

const recoveryCodeForm = /^[0-9a-z]{5}-?[0-9a-z]{5}$/

/** The code as it is hashed; undefined if the text cannot be one. Case, spaces and the hyphen do not matter. */
export function readRecoveryCode(text: string): string | undefined {
  const code = text.toLowerCase().replaceAll(/\s/g, '')
  if (!recoveryCodeForm.test(code)) return undefined
  return code.replace('-', '').replaceAll('o', '0').replaceAll(/[il]/g, '1')
}

const part = (): string => Array.from({ length: half }, () => alphabet[randomInt(alphabet.length)]).join('')

const hashWith = async (userId: number | null, salt: string, code: string): Promise<string> =>
  (await hashWithSalt(code, Buffer.from(salt, 'base64url'), userPlace(userId))).toString('base64url')

export interface NewRecoveryCodes {
  readonly shown: readonly string[]
  readonly salt: string
  readonly hashes: readonly string[]
}

/**
 * Makes ten codes. They are hashed in the queue of the user who asks; null is the command line. Hashing takes a while, so it
 * happens before the transaction that stores them.
 */
export async function makeRecoveryCodes(userId: number | null): Promise<NewRecoveryCodes> {
  const salt = randomBytes(16).toString('base64url')
  const shown = new Set<string>()
  while (shown.size < codes) shown.add(`${part()}-${part()}`)
  const hashes: string[] = []
  for (const code of shown) hashes.push(await hashWith(userId, salt, code.replace('-', '')))
  return { shown: [...shown], salt, hashes }
}

/** Replaces a user's codes. */
export async function storeRecoveryCodes(tx: Tx, userId: number, { salt, hashes }: NewRecoveryCodes): Promise<void> {
  await voidRecoveryCodes(tx.db, userId)
  const rows = hashes.map((code_hash) => ({ user_id: userId, code_hash, salt }))
  await tx.db.insertInto('recovery_codes').values(rows).execute()
}

export async function voidRecoveryCodes(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

export async function countRecoveryCodes(db: ReadDb, userId: number): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(left)
}

/** How to use up a code, if the text can be one. Of parallel attempts with one code, only one succeeds. */
export async function toSpendRecoveryCode(ctx: Context, userId: number, text: string): Promise<Spend | undefined> {
  const code = readRecoveryCode(text)
  const set = await ctx.db.selectFrom('recovery_codes').select('salt').where('user_id', '=', userId).executeTakeFirst()
  if (code === undefined || set === undefined) return undefined
  const hash = await hashWith(userId, set.salt, code)
  return async (db) => {
    const used = await db
      .deleteFrom('recovery_codes')
      .where('user_id', '=', userId)
      .where('code_hash', '=', hash)
      .executeTakeFirst()
    return used.numDeletedRows > 0n
  }
}

import type { Reads } from '../../core/context.ts'

/** User ids have at most so many bits here; a later user is never drawn. */
const bits = 31

/**
 * The password hash that an unknown name is compared with: that of some account, always the same. A hash of other software may
 * take ten times as long as ours. With one hash for all unknown names, whatever takes longer would be an account; with a hash
 * of its own for each, unknown names take as long as accounts do, in the same proportions, and change as accounts do. Without
 * the secret key nobody can tell which account a name has. The query is made for known names, too.
 *
 * Among the low bits of the name's code it takes the greatest number that is a user's id. So a new user changes what few names
 * have. Undefined if none is.
 */
export async function findStandIn({ db, sealer }: Reads, name: string): Promise<string | undefined> {
  const code = Buffer.from(sealer.sign(name, 'stand-in for an unknown name'), 'base64url').readUInt32BE()
  const ids = Array.from({ length: bits }, (_, bit) => code % 2 ** (bit + 1))
  const row = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.password_hash
}

import type { Reads } from '../../core/context.ts'
import { prepareOne } from '../../db/prepare.ts'
import { isOneOf } from '../../db/rows.ts'

const findHash = prepareOne((db, ids: string) =>
  db
    .selectFrom('users')
    .select('password_hash')
    .where(isOneOf(db, 'id', ids, 'integer'))
    .orderBy('id', 'desc')
    .limit(1),
)

/** User ids of more bits are never drawn. */
const bits = 31

/**
 * Finds the password hash that an unknown name is compared with. Each name always has the same account's hash. A hash of other
 * software may take ten times as long as ours: if all unknown names had one hash, any name that took longer would be an account.
 * This way unknown names take as long as accounts do, in the same proportions. Without the secret key nobody can tell which
 * account a name has. Run it for known names, too, so that its own time tells nothing.
 *
 * It reads the low bits of the name's code as numbers and takes the greatest one that is a user's id, so that a new user changes
 * the hash of few names. Undefined if none of them is.
 */
export async function findStandIn({ db, sealer }: Reads, name: string): Promise<string | undefined> {
  const code = Buffer.from(sealer.sign(name, 'stand-in for an unknown name'), 'base64url').readUInt32BE()
  const ids = Array.from({ length: bits }, (_, bit) => code % 2 ** (bit + 1))
  return (await findHash(db, JSON.stringify(ids)))?.password_hash
}

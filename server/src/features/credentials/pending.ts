import type { Db } from '../../db/database.ts'
import { among } from '../../db/rows.ts'
import { voidTokensOf } from '../tokens/tokens.service.ts'
import type { TokenPurpose } from '../tokens/tokens.table.ts'

/** What a session or a password began, and a code, an app or a passkey would finish. */
const begun: readonly TokenPurpose[] = [
  'login_challenge',
  'two_factor_enrolment',
  'passkey_enrolment',
  'reauthentication',
]

/**
 * Voids what these users have begun to prove or to enrol: a thief may have begun it before the owner got the account back. The
 * pending number of an SMS enrolment stays in the user's row, but without its code.
 */
export async function voidBegun(db: Db, userIds: readonly number[]): Promise<void> {
  await voidTokensOf(db, userIds, begun)
  await db
    .deleteFrom('factors')
    .where('user_id', 'in', among(db, userIds))
    .where('verified', '=', 0)
    .where('type', '!=', 'sms')
    .execute()
}

import type { Context } from '../../core/context.ts'
import type { Db } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { signLink } from './chain.ts'

type Parts = Pick<Context, 'unguarded' | 'sealer'>

/** Removes rows of the audit log. Their links stay, signed, so that the chain can still be proved on both sides of them. */
export const retireRows = ({ unguarded, sealer }: Parts, ids: readonly number[]): Promise<void> =>
  inTransaction(unguarded, async (db) => {
    const links = await db
      .selectFrom('activity_chain')
      .select(['position', 'hash'])
      .where('activity_id', 'in', ids)
      .execute()
    for (const link of links) {
      await db
        .updateTable('activity_chain')
        .set({ retired: signLink(sealer, 'retired', link), user: null })
        .where('position', '=', link.position)
        .execute()
    }
    await db.deleteFrom('activity').where('id', 'in', ids).execute()
  })

/** The first link whose row is still there; what is before it is not needed any more. */
async function findFirstKept(db: Db): Promise<number | undefined> {
  const first = await db
    .selectFrom('activity_chain')
    .select('position')
    .where('retired', 'is', null)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return first?.position
}

/** Replaces the links at the start whose rows are all removed by one signed anchor: the last of them. */
export const moveAnchor = ({ unguarded, sealer }: Parts): Promise<void> =>
  inTransaction(unguarded, async (db) => {
    const first = await findFirstKept(db)
    if (first === undefined) return
    const last = await db
      .selectFrom('activity_chain')
      .select(['position', 'hash'])
      .where('position', '=', first - 1)
      .executeTakeFirst()
    if (last === undefined) return
    const anchor = { ...last, signature: signLink(sealer, 'anchor', last) }
    await db
      .insertInto('activity_marks')
      .values({ name: 'anchor', ...anchor })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(anchor))
      .execute()
    await db.deleteFrom('activity_chain').where('position', '<', first).execute()
  })

import type { Reaction } from '@gatehouse/plugin-kit'
import type { Shape } from './shape.ts'

/** Deletes a user's own rows with the account. Their announcements stay. */
const forgetUser: Reaction<Shape> = async ({ db }, { subject }) => {
  const id = subject.id as number
  await db.deleteFrom('announcement_opt_outs').where('user_id', '=', id).execute()
  await db.deleteFrom('announcement_read_marks').where('user_id', '=', id).execute()
  await db.deleteFrom('announcement_reads').where('user_id', '=', id).execute()
}

/** Keeps the number of recipients up to date. */
const setActive =
  (is_active: 0 | 1): Reaction<Shape> =>
  async ({ db }, { subject }) => {
    await db
      .updateTable('announcement_opt_outs')
      .set({ is_active })
      .where('user_id', '=', subject.id as number)
      .execute()
  }

export const reactions = {
  'user.deleted': forgetUser,
  'user.activated': setActive(1),
  'user.confirmed': setActive(1),
  'user.banned': setActive(0),
  'user.unconfirmed': setActive(0),
}

import type { Event, Reaction, ReactionToMany } from '@gatehouse/plugin-kit'
import type { Shape } from './shape.ts'

const idsOf = (events: readonly Event[]): number[] => events.map(({ subject }) => subject.id as number)

/** Deletes users' own rows with their accounts. Their announcements stay. */
const forgetUsers: ReactionToMany<Shape> = async ({ db }, events) => {
  const ids = idsOf(events)
  await db.deleteFrom('announcement_opt_outs').where('user_id', 'in', ids).execute()
  await db.deleteFrom('announcement_read_marks').where('user_id', 'in', ids).execute()
  await db.deleteFrom('announcement_reads').where('user_id', 'in', ids).execute()
}

/** Keeps the number of recipients up to date. */
const setActive =
  (is_active: 0 | 1): ReactionToMany<Shape> =>
  async ({ db }, events) => {
    await db.updateTable('announcement_opt_outs').set({ is_active }).where('user_id', 'in', idsOf(events)).execute()
  }

export const reactionsToMany = {
  'user.deleted': forgetUsers,
  'user.activated': setActive(1),
  'user.confirmed': setActive(1),
  'user.banned': setActive(0),
  'user.unconfirmed': setActive(0),
}

/** The same for one user. */
export const reactions: Readonly<Record<string, Reaction<Shape>>> = Object.fromEntries(
  Object.entries(reactionsToMany).map(([name, react]) => [name, (tx, event) => react(tx, [event])]),
)

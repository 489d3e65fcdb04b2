import type { Host, Profile, Reads } from '@gatehouse/plugin-kit'
import type { Context } from '../core/context.ts'
import type { ReadDb } from '../db/database.ts'
import { shownColumns } from '../features/accounts/users.table.ts'
import type { User } from '../features/users/users.schemas.ts'
import { toUser } from '../features/users/users.service.ts'

const toProfile = ({ id, username, first_name, last_name, avatar }: User): Profile => ({
  id,
  username,
  first_name,
  last_name,
  avatar,
})

/** Users as an include of a plugin's own rows. */
export function includeUsers(ctx: Context): Host['users']['include'] {
  return (key) => ({
    key,
    load: async (ids, actor) => {
      const rows = await ctx.db.selectFrom('users').select(shownColumns).where('id', 'in', ids).execute()
      const users = rows.map((row) => toUser(row, ctx.config))
      const isWhole = actor.may('users.manage')
      return new Map(users.map((user) => [user.id, isWhole ? user : toProfile(user)]))
    },
  })
}

/** The core's users, as far as plugins may read them. */
export function readUsers(db: ReadDb): Reads['users'] {
  return {
    walkActive: (afterId, limit) =>
      db
        .selectFrom('users')
        .select(['id', 'email'])
        .where('status', '=', 'Active')
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(limit)
        .execute(),
    find: (id) =>
      db.selectFrom('users').select(['id', 'email', 'status', 'created_at']).where('id', '=', id).executeTakeFirst(),
    lastId: async () => {
      const last = await db
        .selectFrom('users')
        .select((eb) => eb.fn.max('id').as('id'))
        .executeTakeFirst()
      return last?.id ?? 0
    },
    countActive: async () => {
      const counted = await db
        .selectFrom('user_counts')
        .select((eb) => eb.fn.sum<number | null>('count').as('users'))
        .where('status', '=', 'Active')
        .executeTakeFirst()
      return counted?.users ?? 0
    },
  }
}

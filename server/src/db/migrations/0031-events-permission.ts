import type { Kysely } from 'kysely'
import { addPermission } from './built-in-permissions.ts'

export const up = (db: Kysely<never>): Promise<void> =>
  addPermission(
    db,
    'events.read',
    'Read events',
    'Read the feed of events. It shows users as they are after each change, also to those who lack “Manage users”.',
  )

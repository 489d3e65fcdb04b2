import { randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'
import { type Context, systemActor } from '../../core/context.ts'
import { compileDraft } from '../../core/draft.ts'
import { toTimestamp } from '../../core/time.ts'
import type { ReadDb } from '../../db/database.ts'
import { forUpdate } from '../../db/dialect.ts'
import { insertUser } from '../accounts/users.queries.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { insertApiKey } from '../api-keys/api-keys.service.ts'
import { checkPassword, hashPassword } from '../passwords/passwords.service.ts'
import { adminRoleId } from '../roles/roles.table.ts'
import { CreateUser } from './users.schemas.ts'

/** The generated secret, to be shown once; null if the operator chose it. */
export interface FirstAdmin {
  email: string
  password: string | null
  apiKey: string | null
}

const readUser = compileDraft(CreateUser)

/** The last administrator cannot be removed, so this is true only before the first start, even if users were seeded already. */
export const lacksAdmin = async (db: ReadDb): Promise<boolean> =>
  (await db.selectFrom('users').select('id').where('role_id', '=', adminRoleId).limit(1).executeTakeFirst()) ===
  undefined

/** What the operator has set, and what is made up for the rest; throws `validation_failed`. */
export async function checkFirstAdmin(
  config: Config,
  given: Config['admin'],
): Promise<{ email: string; password: string }> {
  const email = given.email ?? 'admin@localhost'
  const password = given.password ?? randomBytes(15).toString('base64url')
  const draft = readUser({ email, password, password_confirmation: password, role_id: adminRoleId })
  if (given.password !== null) await checkPassword({ config }, draft, { email, username: 'admin' })
  draft.accept()
  return { email, password }
}

/**
 * Creates the first administrator and their API key; undefined if there is one. Several processes that start together create
 * only one. `keep` stores the generated secrets before the commit: nobody can read them later.
 */
export async function createFirstAdmin(
  ctx: Context,
  given: Config['admin'],
  keep: (admin: FirstAdmin) => void = () => {},
): Promise<FirstAdmin | undefined> {
  if (!(await lacksAdmin(ctx.db))) return undefined
  const { email, password } = await checkFirstAdmin(ctx.config, given)
  const password_hash = await hashPassword(password)

  return ctx.transaction(systemActor, async (tx) => {
    // A second process waits here and then finds the first one's administrator.
    await forUpdate(tx.db)(tx.db.selectFrom('roles').select('id').where('id', '=', adminRoleId)).execute()
    if (!(await lacksAdmin(tx.db))) return undefined
    const now = toTimestamp(tx.clock())
    const admin = await insertUser(tx.db, {
      email,
      username: 'admin',
      password_hash,
      role_id: adminRoleId,
      status: 'Active',
      created_at: now,
      updated_at: now,
    })
    await recordActivity(tx, tx.actor, 'user.created', { type: 'user', id: admin.id })
    const key = await insertApiKey(tx, tx.actor, {
      userId: admin.id,
      name: 'First key',
      permissions: null,
      expiresAt: null,
      ...(given.apiKey === null ? {} : { secret: given.apiKey }),
    })
    const created = {
      email,
      password: given.password === null ? password : null,
      apiKey: given.apiKey === null ? key.key : null,
    }
    keep(created)
    return created
  })
}

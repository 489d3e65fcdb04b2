import type { UserRow } from '../features/accounts/users.table.ts'
import type { TestApp } from './app.ts'

export interface Holder {
  readonly user: UserRow
  readonly key: string
  readonly keyId: number
  readonly roleId: number
}

let made = 0

/** A user whose role holds exactly these permissions, with a key for all of them, or for `scope` alone. */
export async function createHolder(t: TestApp, permissions: string[], scope: string[] | null = null): Promise<Holder> {
  const roleId = await t.createRole(`Holder ${++made}`, permissions)
  const { user, key } = await t.createUser({ role_id: roleId }, scope)
  const { body } = await t.call(`GET /api-keys?filter[user_id]=${user.id}`)
  return { user, key, keyId: body.data[0].id, roleId }
}

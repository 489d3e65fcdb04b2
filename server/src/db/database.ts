import type { Kysely } from 'kysely'
import type { DeliveriesTable } from '../delivery/deliveries.table.ts'
import type { DeliveryBodiesTable } from '../delivery/delivery-bodies.table.ts'
import type { ActivityTable } from '../features/activity/activity.table.ts'
import type { ApiKeysTable } from '../features/api-keys/api-keys.table.ts'
import type { UnusedAvatarsTable } from '../features/avatars/avatars.table.ts'
import type { PermissionsTable, RolePermissionsTable, RolesTable } from '../features/roles/roles.table.ts'
import type { SessionsTable } from '../features/sessions/sessions.table.ts'
import type { SettingsTable } from '../features/settings/settings.table.ts'
import type { TokensTable } from '../features/tokens/tokens.table.ts'
import type { TriesTable } from '../features/tries/tries.table.ts'
import type { UserCountsTable, UsersTable } from '../features/users/users.table.ts'
import type { PluginsTable } from '../plugins/plugins.table.ts'
import type { CredentialVersionTable } from './credential-version.table.ts'

/** Every table of the core, with the row types of its feature. */
export interface Database {
  users: UsersTable
  user_counts: UserCountsTable
  roles: RolesTable
  permissions: PermissionsTable
  role_permissions: RolePermissionsTable
  api_keys: ApiKeysTable
  activity: ActivityTable
  settings: SettingsTable
  sessions: SessionsTable
  tokens: TokensTable
  tries: TriesTable
  deliveries: DeliveriesTable
  delivery_bodies: DeliveryBodiesTable
  unused_avatars: UnusedAvatarsTable
  credential_version: CredentialVersionTable
  plugins: PluginsTable
}

/** The database, or a transaction in it: a query does not care which. */
export type Db = Kysely<Database>

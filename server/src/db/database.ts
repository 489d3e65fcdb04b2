import type { Kysely } from 'kysely'
import type { UserCountsTable, UsersTable } from '../features/accounts/users.table.ts'
import type { ActivityTable } from '../features/activity/activity.table.ts'
import type { ActivityChainTable, ActivityMarksTable, ActivityPendingTable } from '../features/activity/chain.table.ts'
import type { ApiKeysTable } from '../features/api-keys/api-keys.table.ts'
import type { UnusedAvatarsTable } from '../features/avatars/avatars.table.ts'
import type { CredentialVersionTable } from '../features/credentials/credential-version.table.ts'
import type { SessionsTable } from '../features/credentials/sessions.table.ts'
import type {
  JobChangesTable,
  JobDraftsTable,
  JobErrorsTable,
  JobsTable,
  UploadsTable,
} from '../features/jobs/jobs.table.ts'
import type { UserPreferencesTable } from '../features/me/preferences.table.ts'
import type { PermissionsTable, RolePermissionsTable, RolesTable } from '../features/roles/roles.table.ts'
import type { SettingsTable } from '../features/settings/settings.table.ts'
import type { TokensTable } from '../features/tokens/tokens.table.ts'
import type { FactorsTable, RecoveryCodesTable, TotpStepsTable } from '../features/two-factor/factors.table.ts'
import type {
  WebhookAttemptsTable,
  WebhookMessagesTable,
  WebhookQueuesTable,
  WebhooksTable,
} from '../features/webhooks/webhooks.table.ts'
import type { NodesTable } from '../nodes/nodes.table.ts'
import type { DeliveriesTable } from '../outbox/deliveries.table.ts'
import type { DeliveryBodiesTable } from '../outbox/delivery-bodies.table.ts'
import type { PluginsTable } from '../plugin-host/plugins.table.ts'
import type { AttemptsTable } from '../security/attempts/attempts.table.ts'
import type { SignInClientsTable } from '../security/sign-in-guard/clients.table.ts'
import type { SignInNetworksTable } from '../security/sign-in-guard/networks.table.ts'
import type { IdempotencyKeysTable } from './idempotency-keys.table.ts'
import type { InstallationTable } from './installation.ts'

/** Every table of the core, with the row types of its feature. */
export interface Database {
  users: UsersTable
  user_counts: UserCountsTable
  roles: RolesTable
  permissions: PermissionsTable
  role_permissions: RolePermissionsTable
  api_keys: ApiKeysTable
  activity: ActivityTable
  activity_pending: ActivityPendingTable
  activity_chain: ActivityChainTable
  activity_marks: ActivityMarksTable
  settings: SettingsTable
  sessions: SessionsTable
  tokens: TokensTable
  tries: AttemptsTable
  sign_in_networks: SignInNetworksTable
  sign_in_clients: SignInClientsTable
  factors: FactorsTable
  recovery_codes: RecoveryCodesTable
  totp_steps: TotpStepsTable
  deliveries: DeliveriesTable
  delivery_bodies: DeliveryBodiesTable
  unused_avatars: UnusedAvatarsTable
  credential_version: CredentialVersionTable
  plugins: PluginsTable
  installation: InstallationTable
  idempotency_keys: IdempotencyKeysTable
  user_preferences: UserPreferencesTable
  jobs: JobsTable
  job_errors: JobErrorsTable
  job_changes: JobChangesTable
  job_drafts: JobDraftsTable
  uploads: UploadsTable
  nodes: NodesTable
  webhooks: WebhooksTable
  webhook_queues: WebhookQueuesTable
  webhook_messages: WebhookMessagesTable
  webhook_attempts: WebhookAttemptsTable
}

/** The database itself, which can begin transactions. Features never see it: they get a `Context` or a `Tx`. */
export type RootDb = Kysely<Database>

type BeginsTransactions = 'transaction' | 'startTransaction' | 'connection' | 'destroy' | typeof Symbol.asyncDispose

/** What a query that writes runs on. It cannot begin a transaction: inside of one, a second would wait for the first. */
export type Db = Omit<RootDb, BeginsTransactions>

/** What a query that only reads runs on: the database, or a transaction. It takes no raw SQL but through `readSql`. */
export type ReadDb = Pick<RootDb, 'selectFrom' | 'selectNoFrom' | 'fn' | 'case' | 'dynamic' | 'executeQuery'>

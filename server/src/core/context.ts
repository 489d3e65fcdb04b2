import type { Config } from '../config.ts'
import type { CredentialCache } from '../db/credential-cache.ts'
import type { Db } from '../db/database.ts'
import type { Outbox } from '../delivery/outbox.ts'
import { noPermissions, type PermissionSet } from './permissions.ts'
import type { Plugins } from './plugins.ts'
import type { Clock } from './time.ts'

/** The few words that a service has for the operator. */
export interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export const silentLog: Log = { info() {}, warn() {}, error() {} }

/** What every service takes: the database, the time and the configuration. */
export interface Context {
  readonly db: Db
  readonly clock: Clock
  readonly config: Config
  /** Mail and SMS that wait to be sent. */
  readonly outbox: Outbox
  readonly log: Log
  /** What the listed plugins add. */
  readonly plugins: Plugins
  /** Who stands behind the credentials that are in use. */
  readonly credentials: CredentialCache
  /** Runs `work` in one write transaction; it is run again when two of them collided, so it does nothing but queries. */
  readonly transaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>
}

/** From where an action came; kept in the audit log. */
export interface Origin {
  readonly ip: string | null
  readonly userAgent: string | null
  readonly requestId: string | null
}

/** Who acts. */
export interface Actor {
  /** Null for the command line and the system itself. */
  readonly userId: number | null
  /** The API key that stands for the user, where one does. */
  readonly apiKeyId: number | null
  /** The session that stands for the user, where one does. */
  readonly sessionId: string | null
  /** What the actor may do: the user's role, within the key's scope. */
  readonly permissions: PermissionSet
  /** What the key was limited to, whatever the role holds now or later; all where nothing limits it. */
  readonly scope: PermissionSet
  readonly origin: Origin
}

const nowhere: Origin = { ip: null, userAgent: null, requestId: null }

/** Whoever calls a public path: nobody yet, who may do nothing. */
export const stranger = (origin: Origin): Actor => ({
  ...{ userId: null, apiKeyId: null, sessionId: null, permissions: noPermissions, scope: noPermissions, origin },
})

/** The operator at the command line, and what the system does of itself. */
export const systemActor: Actor = {
  ...{ userId: null, apiKeyId: null, sessionId: null, permissions: 'all', scope: 'all', origin: nowhere },
}

/** A user who shows who they are by other means than a credential: a password, or a token from their mail. */
export const userActor = (userId: number, origin: Origin, sessionId: string | null = null): Actor => ({
  ...{ userId, apiKeyId: null, sessionId, permissions: noPermissions, scope: noPermissions, origin },
})

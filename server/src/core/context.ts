import type { Config } from '../config.ts'
import type { Db, ReadDb, RootDb } from '../db/database.ts'
import type { Outbox, OutboxWriter } from '../outbox/outbox.ts'
import type { Event } from './events.ts'
import type { Jobs } from './jobs.ts'
import { noPermissions, type PermissionSet } from './permissions.ts'
import type { Plugins } from './plugins.ts'
import type { Sealer } from './sealing.ts'
import type { Siblings } from './siblings.ts'
import type { Telemetry } from './telemetry.ts'
import type { Clock } from './time.ts'
import type { Traffic } from './traffic.ts'

/** Log messages of a service for the operator. */
export interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export const silentLog: Log = { info() {}, warn() {}, error() {} }

/** What a service has both inside and outside a transaction. */
interface Surroundings {
  readonly clock: Clock
  readonly config: Config
  readonly log: Log
  /** Encrypts secrets that must be read again. */
  readonly sealer: Sealer
  /** What the enabled plugins add. */
  readonly plugins: Plugins
}

/** The parameter of a service that only reads: a `Context` or a `Tx`. */
export interface Reads extends Surroundings {
  readonly db: ReadDb
}

/** The parameter of every service: the database for reading, and the way to change it. */
export interface Context extends Reads {
  /** Queued mail and SMS. */
  readonly outbox: Outbox
  /** The background work of this process. */
  readonly jobs: Jobs
  /** The processes that serve beside this one. */
  readonly siblings: Siblings
  /** Whether requests come in. */
  readonly traffic: Traffic
  /** Undefined where no collector is configured. */
  readonly telemetry: Telemetry | undefined
  /**
   * Runs `work` in one write transaction on behalf of `actor`, whose credential is checked again in it: throws 401 if it is
   * no longer valid, 403 if the actor no longer has the permission. It is retried after a conflict, so `work` must do
   * nothing except queries.
   */
  readonly transaction: <T>(actor: Actor, work: (tx: Tx) => Promise<T>) => Promise<T>
  /** The same for the steps of long work, which write much: they do not keep the event loop from others. */
  readonly backgroundTransaction: Context['transaction']
  /**
   * The database without that check, for changes that no caller decides: counters of attempts, notes of use, clean-up, the
   * command line. Changes that a caller asks for go through `transaction`.
   */
  readonly unguarded: RootDb
}

/** The context of one transaction. It gives no access to the database outside the transaction. */
export interface Tx extends Surroundings {
  readonly db: Db
  /** The actor with their current permissions. */
  readonly actor: Actor
  /** Mail and SMS that are sent after the commit. */
  readonly outbox: OutboxWriter
  /** What it has recorded in the audit log so far. */
  readonly recorded: RecordedEvent[]
}

/** A row of the audit log, which is written at the end of the transaction at the latest. */
export interface RecordedEvent {
  /** Undefined until it is written. */
  id: number | undefined
  /** Of one that is written the details may be missing. */
  readonly event: Event
  /** When the row is final, epoch milliseconds. */
  readonly finalMs: number
}

/** What a request with an `Idempotency-Key` does in its transactions. */
export interface Claim {
  /** Records in the transaction that the request has changed something; throws if another request has taken the key over. */
  readonly settle: (db: Db, result: unknown) => Promise<void>
}

/** The origin of an action, for the audit log. */
export interface Origin {
  readonly ip: string | null
  readonly userAgent: string | null
  readonly requestId: string | null
  readonly claim?: Claim | null
}

/** The state of an actor's credential when it was checked. */
export interface CredentialState {
  /** The credential version, which changes with everything that authentication depends on. */
  readonly version: number | undefined
  /** From this moment on it has to be checked again in any case, e.g. because it expires; epoch milliseconds. */
  readonly untilMs: number
  /** When it expires unless it is used meanwhile; epoch milliseconds. */
  readonly endsMs: number
  /** What the route requires: any of these permissions; none if any credential is enough. */
  readonly needs: readonly string[]
  /** True if the request changes the actor's own account, which a key with a limited scope must not do. */
  readonly changesOwnAccount: boolean
  /** When the session last proved its user's identity, epoch milliseconds; null for an API key. */
  readonly provedMs: number | null
  /** True if the user's role requires a second factor and they have none. */
  readonly lacksFactor: boolean
  /** True if such a user may make this request, in order to get one. */
  readonly mayLackFactor: boolean
}

/** What a request requires of its sender. */
export interface RequestNeeds {
  /** Any of these permissions; none if any credential is enough. */
  readonly needs: readonly string[]
  readonly changesOwnAccount: (userId: number) => boolean
  /** True if a session may make it while its user lacks the second factor that their role requires. */
  readonly mayLackFactor: () => boolean
}

/** The user who acts. */
export interface Actor {
  /** Null for the command line and the system. */
  readonly userId: number | null
  /** The role of that user; null without a credential. */
  readonly roleId: number | null
  /** The API key of the request, if any. */
  readonly apiKeyId: number | null
  /** The session of the request, if any. */
  readonly sessionId: string | null
  /** The actor's permissions: those of the user's role, limited by the key's scope. */
  readonly permissions: PermissionSet
  /** The scope of the key, whatever the role holds now or later; `all` without a limit. */
  readonly scope: PermissionSet
  readonly origin: Origin
  /** Null if the actor has no credential, so that there is none to check again. */
  readonly credential: CredentialState | null
}

const nowhere: Origin = { ip: null, userAgent: null, requestId: null }

/** An anonymous caller of a public path, without permissions. */
export const anonymous = (origin: Origin): Actor => ({
  userId: null,
  roleId: null,
  apiKeyId: null,
  sessionId: null,
  permissions: noPermissions,
  scope: noPermissions,
  origin,
  credential: null,
})

/** The operator at the command line, and the system itself. */
export const systemActor: Actor = { ...anonymous(nowhere), permissions: 'all', scope: 'all' }

/** A user who is authenticated by other means than a credential: a password, or a token from a mail. */
export const userActor = (userId: number, origin: Origin, sessionId: string | null = null): Actor => ({
  ...anonymous(origin),
  userId,
  sessionId,
})

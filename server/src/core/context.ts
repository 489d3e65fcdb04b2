import type { Config } from '../config.ts'
import type { Db, ReadDb, RootDb } from '../db/database.ts'
import type { Outbox, OutboxWriter } from '../delivery/outbox.ts'
import type { Jobs } from './jobs.ts'
import { noPermissions, type PermissionSet } from './permissions.ts'
import type { Plugins } from './plugins.ts'
import type { Sealer } from './sealing.ts'
import type { Clock } from './time.ts'

/** The few words that a service has for the operator. */
export interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export const silentLog: Log = { info() {}, warn() {}, error() {} }

/** What a service finds in a transaction and outside of one. */
interface Surroundings {
  readonly clock: Clock
  readonly config: Config
  readonly log: Log
  /** Encrypts what has to be read again. */
  readonly sealer: Sealer
  /** What the listed plugins add. */
  readonly plugins: Plugins
}

/** What a service takes that only reads: a `Context` or a `Tx`. */
export interface Reads extends Surroundings {
  readonly db: ReadDb
}

/** What every service takes: the database, to read, and the way to change it. */
export interface Context extends Reads {
  /** Mail and SMS that wait to be sent. */
  readonly outbox: Outbox
  /** The background work of this process. */
  readonly jobs: Jobs
  /**
   * Runs `work` in one write transaction, on behalf of `actor`, who is read again in it: it fails with 401 when their
   * credential is dead by then, and with 403 when they no longer may. It is run again when two transactions collided, so it
   * does nothing but queries.
   */
  readonly transaction: <T>(actor: Actor, work: (tx: Tx) => Promise<T>) => Promise<T>
  /**
   * The database without that guard, for what no caller decides: counters of attempts, notes of use, clean-up, the command
   * line. What somebody asks for goes through `transaction`.
   */
  readonly unguarded: RootDb
}

/** The context of one transaction. There is no way from here to the database outside of it. */
export interface Tx extends Surroundings {
  readonly db: Db
  /** Who acts, as the database says it now. */
  readonly actor: Actor
  /** Mail and SMS that are sent when the transaction is committed. */
  readonly outbox: OutboxWriter
}

/** What a request with an `Idempotency-Key` has to say in the transactions that it makes. */
export interface Claim {
  /** Notes in the transaction that the request has changed something; throws where another request holds the key by now. */
  readonly settle: (db: Db, result: unknown) => Promise<void>
}

/** From where an action came; kept in the audit log. */
export interface Origin {
  readonly ip: string | null
  readonly userAgent: string | null
  readonly requestId: string | null
  readonly claim?: Claim | null
}

/** What an actor's credential was when it was looked at. */
export interface CredentialState {
  /** The number that changes with everything that decides about credentials. */
  readonly version: number | undefined
  /** From this moment on it has to be read again in any case, e.g. because it expires; epoch milliseconds. */
  readonly untilMs: number
  /** What the route asks for: any of these permissions; none where every credential will do. */
  readonly needs: readonly string[]
  /** Whether it is about the account of who acts, which a key that is limited to a list of permissions does not change. */
  readonly changesOwnAccount: boolean
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
  /** Null where no credential stands behind the actor, so that there is none to read again. */
  readonly credential: CredentialState | null
}

const nowhere: Origin = { ip: null, userAgent: null, requestId: null }

/** Whoever calls a public path: nobody yet, who may do nothing. */
export const anonymous = (origin: Origin): Actor => ({
  userId: null,
  apiKeyId: null,
  sessionId: null,
  permissions: noPermissions,
  scope: noPermissions,
  origin,
  credential: null,
})

/** The operator at the command line, and what the system does of itself. */
export const systemActor: Actor = { ...anonymous(nowhere), permissions: 'all', scope: 'all' }

/** A user who shows who they are by other means than a credential: a password, or a token from their mail. */
export const userActor = (userId: number, origin: Origin, sessionId: string | null = null): Actor => ({
  ...anonymous(origin),
  userId,
  sessionId,
})

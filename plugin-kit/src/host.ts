import type { Kysely } from 'kysely'
import type { Static, TObject } from 'typebox'
import type { Include } from './list.ts'
import type { ErrorTable, Shape } from './plugin.ts'
import type { Actor } from './route.ts'

type TablesOf<S extends Shape> = S extends { tables: infer T } ? T : object
type SettingsOf<S extends Shape> = S extends { settings: infer T extends TObject } ? Static<T> : object
type ErrorsOf<S extends Shape> = S extends { errors: infer T extends ErrorTable } ? T : object

/** A mail as a plugin defines it: Liquid templates, placed into the installation's layout. Values are escaped in `html`. */
export interface MailTemplate {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** What every signed-in user may know about a user; unset values are null. */
export interface Profile {
  readonly id: number
  readonly username: string | null
  readonly first_name: string | null
  readonly last_name: string | null
  readonly avatar: string
}

/** A mail to many recipients: rendered and stored once. */
export interface Mail {
  /** A name in the plugin's `mails`. */
  readonly template: string
  /** The values for the template; escaped in `html`, except with `{{ name | raw }}`. */
  readonly data: Readonly<Record<string, string | number | boolean>>
  /** Further names in the template, whose values are given for each recipient. A filter on one of them is an error. */
  readonly perRecipient?: readonly string[]
}

/** A recipient, with their individual values. */
export interface Recipient {
  readonly userId: number
  readonly email: string
  /** A value for each name in `perRecipient`; one line of text, escaped in `html` even with `| raw`. */
  readonly values?: Readonly<Record<string, string>>
  /** E.g. `List-Unsubscribe`; not the headers for sender, recipient, subject or content type. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The progress of a batch of mails. */
export interface Progress {
  readonly queued: number
  /** Those of the queued that the mail server has not answered yet. The others were refused, and are tried again for two days. */
  readonly untried: number
  /** Accepted by the mail server, or captured. */
  readonly sent: number
  readonly failed: number
}

/** The database in a transaction, for queries that write. It cannot start another transaction. */
export type WriteDb<S extends Shape = Shape> = Omit<
  Kysely<TablesOf<S>>,
  'transaction' | 'startTransaction' | 'connection' | 'destroy' | typeof Symbol.asyncDispose
>

/** The database for queries that only read. */
export type ReadDb<S extends Shape = Shape> = Pick<Kysely<TablesOf<S>>, 'selectFrom' | 'selectNoFrom' | 'fn' | 'case'>

/** What exists both inside and outside a transaction: the parameter of a function that only reads. */
export interface Reads<S extends Shape = Shape> {
  /** The database, with the plugin's tables in its type. */
  readonly db: ReadDb<S>
  /** The current time, `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly now: () => string
  /** The installation's base URL, without a trailing slash. Build links only from this origin. */
  readonly publicUrl: string
  /** The name of the installation, as its mails show it: text, to be escaped in HTML. */
  readonly serviceName: string
  readonly log: { readonly [Level in 'info' | 'warn' | 'error']: (details: object, message: string) => void }
  /** The plugin's current settings, by their short names. */
  readonly settings: () => Promise<SettingsOf<S>>
  /** Creates the plugin's declared errors, to be thrown. */
  readonly errors: { readonly [Code in keyof ErrorsOf<S>]: (message?: string) => Error }
  /** The core's 404, to be thrown. */
  readonly notFound: () => Error
  /** The form that `contains` filters compare: case and width do not count, accents do. */
  readonly fold: (text: string) => string
  /** The form that sorting compares, the same on both databases. */
  readonly sortKey: (text: string) => string
  /** One line of a CSV file with its end: `csvLine([1, null, 'a, b'])`. No cell is a formula to a spreadsheet. */
  readonly csvLine: (values: readonly unknown[]) => string
  /** Signs text with a secret of this plugin and installation, for links that prove what they name; base64url. */
  readonly sign: (text: string) => Promise<string>
  readonly users: {
    /** The next Active users after an id, ordered by id. */
    readonly walkActive: (afterId: number, limit: number) => Promise<{ id: number; email: string }[]>
    /** A user as plugins see them; undefined once deleted. */
    readonly find: (
      id: number,
    ) => Promise<{ id: number; email: string; status: string; created_at: string } | undefined>
    /** The highest user id at this moment: later accounts have higher ones. */
    readonly lastId: () => Promise<number>
    /** The number of Active users, from stored counts. */
    readonly countActive: () => Promise<number>
  }
  readonly mail: {
    /** The progress of a batch of mails. */
    readonly progress: (batchId: number) => Promise<Progress>
  }
}

/** One transaction. All writes go through it. It gives no access to the database outside the transaction. */
export interface Tx<S extends Shape = Shape> extends Reads<S> {
  readonly db: WriteDb<S>
  /** The actor, checked again in this transaction: the credential is valid and still has its permissions. */
  readonly actor: Actor
  readonly mail: Reads<S>['mail'] & {
    /** Stores a mail to many recipients; returns the id of its batch. */
    readonly prepare: (mail: Mail) => Promise<number>
    /** Queues the mail for these recipients. Other mail (confirmations, resets) is always sent first. */
    readonly send: (batchId: number, recipients: readonly Recipient[]) => Promise<void>
    /** Cancels the mails that no node has claimed yet, and deletes their deliveries. Returns their number. */
    readonly cancel: (batchId: number) => Promise<number>
  }
  /** Records what `actor` did, as one of the plugin's `events`. `details` holds only names of fields and ids, never a secret. */
  readonly recordActivity: (
    event: string,
    subject: { readonly type: string; readonly id: number | null },
    details?: Readonly<Record<string, unknown>>,
  ) => Promise<void>
}

/** What the installation offers to a plugin: a few interfaces, no internals. */
export interface Host<S extends Shape = Shape> extends Reads<S> {
  /**
   * Runs `work` in one write transaction on behalf of `actor`: the actor of the call, or `system`. Throws 401 or 403 if the
   * actor's credential is no longer valid or no longer has the permission. It is retried after a conflict, so `work` must do
   * nothing except queries. A nested transaction throws, and so does `host.db` inside one.
   */
  readonly transaction: <T>(actor: Actor, work: (tx: Tx<S>) => Promise<T>) => Promise<T>
  /**
   * The function that `module` exports by this name, called in a thread of its own: for what takes milliseconds and would keep
   * everybody else waiting. It has one parameter, which is copied, as is the result. One call runs at a time. Throws 503 if too
   * many calls wait, or the thread fails.
   */
  readonly inThread: <Work extends (question: never) => unknown>(
    module: URL,
    name: string,
  ) => (question: Parameters<Work>[0]) => Promise<Awaited<ReturnType<Work>>>
  /** The plugin itself as an actor, for its jobs. */
  readonly system: Actor
  readonly users: Reads<S>['users'] & {
    /** Users as an include: the whole user for callers with `users.manage`, else the profile; null once deleted. */
    readonly include: <Row>(key: (row: Row) => number | null) => Include<Row>
  }
  /** Runs one of the plugin's jobs soon. Call it after the transaction that created work for it. */
  readonly wake: (job: string) => void
}

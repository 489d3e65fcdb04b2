import type { Kysely } from 'kysely'
import type { Static, TObject } from 'typebox'
import type { Include } from './list.ts'
import type { ErrorTable, Shape } from './plugin.ts'
import type { Actor } from './route.ts'

type TablesOf<S extends Shape> = S extends { tables: infer T } ? T : object
type SettingsOf<S extends Shape> = S extends { settings: infer T extends TObject } ? Static<T> : object
type ErrorsOf<S extends Shape> = S extends { errors: infer T extends ErrorTable } ? T : object

/** A mail as it is written: Liquid templates, placed into the installation's layout. Values are escaped in `html`. */
export interface MailTemplate {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** What anybody who is signed in may know of a user; null where it was never set. */
export interface Profile {
  readonly id: number
  readonly username: string | null
  readonly first_name: string | null
  readonly last_name: string | null
  readonly avatar: string
}

/** A mail to many: rendered and stored once, whoever gets it. */
export interface Mail {
  /** A name in the plugin's `mails`. */
  readonly template: string
  /** What the template names; escaped in `html`, except where the template says `{{ name | raw }}`. */
  readonly data: Readonly<Record<string, string | number | boolean>>
  /** Names that the template uses, too, and whose value each recipient brings. A filter on one of them is an error. */
  readonly perRecipient?: readonly string[]
}

/** Somebody who gets it, with what differs from the others'. */
export interface Recipient {
  readonly userId: number
  readonly email: string
  /** By the names in `perRecipient`, each of them; one line of text, escaped in `html`, also under `| raw`. */
  readonly values?: Readonly<Record<string, string>>
  /** E.g. `List-Unsubscribe`; not those that say from whom, to whom and what the mail is. */
  readonly headers?: Readonly<Record<string, string>>
}

/** How far the mails of one batch are. */
export interface Progress {
  readonly queued: number
  /** Taken by the mail server, or captured. */
  readonly sent: number
  readonly failed: number
}

/** What a query that writes runs on: inside a transaction, and never the way to another one. */
export type WriteDb<S extends Shape = Shape> = Omit<
  Kysely<TablesOf<S>>,
  'transaction' | 'startTransaction' | 'connection' | 'destroy' | typeof Symbol.asyncDispose
>

/** What a query that only reads runs on. */
export type ReadDb<S extends Shape = Shape> = Pick<Kysely<TablesOf<S>>, 'selectFrom' | 'selectNoFrom' | 'fn' | 'case'>

/** What there is in a transaction and outside of one: a function that only reads takes this. */
export interface Reads<S extends Shape = Shape> {
  /** The database, with the plugin's tables in its type. */
  readonly db: ReadDb<S>
  /** The present moment, `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly now: () => string
  /** Where the installation is reached, without a slash at the end: the only origin to build links from. */
  readonly publicUrl: string
  readonly log: { readonly [Level in 'info' | 'warn' | 'error']: (details: object, message: string) => void }
  /** The plugin's settings as they are now, by their short names. */
  readonly settings: () => Promise<SettingsOf<S>>
  /** Makes the plugin's declared errors, to be thrown. */
  readonly errors: { readonly [Code in keyof ErrorsOf<S>]: (message?: string) => Error }
  /** The core's 404, to be thrown. */
  readonly notFound: () => Error
  /** The form in which `contains` compares: the core's search folds text so. */
  readonly fold: (text: string) => string
  /** The form by which text is sorted, the same on both databases. */
  readonly sortKey: (text: string) => string
  /** Signs text with a secret of this plugin in this installation, for links that prove what they name; base64url. */
  readonly sign: (text: string) => Promise<string>
  readonly users: {
    /** The next Active users after an id, in the order of their ids. */
    readonly walkActive: (afterId: number, limit: number) => Promise<{ id: number; email: string }[]>
    /** A user as plugins need to know them; undefined once deleted. */
    readonly find: (
      id: number,
    ) => Promise<{ id: number; email: string; status: string; created_at: string } | undefined>
    /** The highest id that a user has now: later accounts have higher ones. */
    readonly lastId: () => Promise<number>
    /** How many users are Active, from kept totals. */
    readonly countActive: () => Promise<number>
  }
  readonly mail: {
    /** How far the mails of a batch are. */
    readonly progress: (batchId: number) => Promise<Progress>
  }
}

/** One transaction. Whatever is written goes through it; there is no way from here to the database outside of it. */
export interface Tx<S extends Shape = Shape> extends Reads<S> {
  readonly db: WriteDb<S>
  /** Who acts, read again in this transaction: their credential lives, and may what it may now. */
  readonly actor: Actor
  readonly mail: Reads<S>['mail'] & {
    /** Stores a mail to many; the id of its batch. */
    readonly prepare: (mail: Mail) => Promise<number>
    /** Puts the mail into the outbox for these recipients; other mail (confirmations, resets) always goes first. */
    readonly send: (batchId: number, recipients: readonly Recipient[]) => Promise<void>
    /** Takes back what no node has taken yet; how many. Their deliveries are gone then. */
    readonly cancel: (batchId: number) => Promise<number>
  }
  /** Writes down what `actor` did, as one of the plugin's `events`. `details` names fields and ids only, never a secret. */
  readonly recordActivity: (
    event: string,
    subject: { readonly type: string; readonly id: number | null },
    details?: Readonly<Record<string, unknown>>,
  ) => Promise<void>
}

/** What the installation gives a plugin: a few interfaces, nothing of its inside. */
export interface Host<S extends Shape = Shape> extends Reads<S> {
  /**
   * Runs `work` in one write transaction, on behalf of `actor`: the one of the call, or `system`. It fails with 401 or 403
   * when the actor's credential no longer lives or permits the call. It is run again when two transactions collided, so it
   * does nothing but queries. One inside another throws, and so does `host.db` inside of it.
   */
  readonly transaction: <T>(actor: Actor, work: (tx: Tx<S>) => Promise<T>) => Promise<T>
  /** The plugin itself, for what nobody asked for: its jobs. */
  readonly system: Actor
  readonly users: Reads<S>['users'] & {
    /** Users as an include: the whole user for who holds `users.manage`, the profile for everybody else; null once deleted. */
    readonly include: <Row>(key: (row: Row) => number | null) => Include<Row>
  }
  /** Runs one of the plugin's jobs soon; call it after the transaction that made work for it. */
  readonly wake: (job: string) => void
}

import type { TObject } from 'typebox'
import type { Host, MailTemplate, Tx } from './host.ts'
import type { Migration } from './migration.ts'
import type { Actor, Route } from './route.ts'

/** Code → status and message. */
export type ErrorTable = Readonly<Record<string, readonly [status: number, message: string]>>

/** The types of a plugin's own parts, which make its host typed: `definePlugin<{ tables: …; settings: typeof settings }>`. */
export interface Shape {
  readonly tables?: object
  readonly settings?: TObject
  readonly errors?: ErrorTable
}

/** A permission. The administrator role always has it; other roles when it is given to them. */
export interface Permission {
  /** Starts with the plugin's id and a dot: `announcements.manage`. */
  readonly name: string
  readonly display_name: string
  readonly description: string
}

/** A background job. It runs at start, every `everySeconds`, and after `host.wake(name)`; never twice at once in a process. */
export interface Job {
  readonly name: string
  readonly everySeconds: number
  /** Does a short piece of work; returns true if there is more to do at once. Several nodes may run it at the same moment. */
  readonly run: (stop: AbortSignal) => Promise<boolean>
}

/** An event of the audit log: `user.deleted`. */
export interface Event {
  readonly event: string
  readonly actor: Actor
  readonly subject: { readonly type: string; readonly id: number | null }
  readonly details: Readonly<Record<string, unknown>> | undefined
}

/** Runs in the transaction of the event: if it throws, both are rolled back. */
export type Reaction<S extends Shape> = (tx: Tx<S>, event: Event) => Promise<void>

/** The same for events of one name that one transaction records for many subjects, as a bulk action does. */
export type ReactionToMany<S extends Shape> = (tx: Tx<S>, events: readonly Event[]) => Promise<void>

/** A plugin is a plain value. */
export interface Plugin<S extends Shape = Shape> {
  /** Lower-case letters, digits and dashes: the short name in GATEHOUSE_PLUGINS, and the prefix of everything that the plugin adds. */
  readonly id: string
  /** The plugin's tables, by name. They stay in the database until `gatehouse plugins remove NAME --drop-data`. */
  readonly migrations?: Readonly<Record<string, Migration>>
  readonly permissions?: readonly Permission[]
  /**
   * The names of the events that the plugin writes into the audit log: `announcement.created`. They must be unique in the
   * installation.
   */
  readonly events?: readonly string[]
  /** A TypeBox object of booleans, numbers and strings, each with a `default`: `GET /settings` shows them as `{id}.{name}`. */
  readonly settings?: NonNullable<S['settings']>
  /** Codes start with the id and an underscore. */
  readonly errors?: NonNullable<S['errors']>
  /** The mails by their names, or the folder that has them: `en/NAME/{subject,text,html}.liquid`. */
  readonly mails?: Readonly<Record<string, MailTemplate>> | URL
  /** Events of the plugin that every signed-in user may receive from `GET /me/stream`; all others need permission to read the activity. */
  readonly openEvents?: readonly string[]
  readonly routes?: (host: Host<S>) => readonly Route[]
  readonly jobs?: (host: Host<S>) => readonly Job[]
  /** Event → handler: `{ 'user.deleted': async (tx, { subject }) => … }`. */
  readonly on?: (host: Host<S>) => Readonly<Record<string, Reaction<S>>>
  /**
   * Event → handler of up to 1,000 events of that name at once. Bulk actions call it instead of `on`; for an event that has
   * no handler here they call the one of `on` for each subject.
   */
  readonly onMany?: (host: Host<S>) => Readonly<Record<string, ReactionToMany<S>>>
}

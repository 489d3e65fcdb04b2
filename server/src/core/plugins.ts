import type { FastifyInstance } from 'fastify'
import type { TProperties } from 'typebox'
import type { Tx } from './context.ts'
import type { Event } from './events.ts'
import type { JobRunner } from './jobs.ts'

/** What the enabled plugins add to the core. */
export interface Plugins {
  readonly ids: readonly string[]
  /** The names of their own events. */
  readonly events: readonly string[]
  /** The console modules of the plugins, as paths below the public URL. */
  readonly consoles: readonly string[]
  /** Their settings by full name (`{id}.{name}`), each with a default. */
  readonly settings: TProperties
  /** Their settings: the stored value if it fits the schema, else the default. */
  readonly readSettings: (stored: Readonly<Record<string, unknown>>) => Record<string, unknown>
  /** Their events that every signed-in user may receive. */
  readonly openEvents: ReadonlySet<string>
  readonly addRoutes: (app: FastifyInstance) => Promise<void>
  /** Throws ConfigError if a list names a table or a column that is not there. */
  readonly assertReadable: () => Promise<void>
  /** Lets them react in the transaction of the event. */
  readonly react: (tx: Tx, event: Event) => Promise<void>
  /** The same for events of one name that a transaction records for many subjects. */
  readonly reactToMany: (tx: Tx, events: readonly Event[]) => Promise<void>
  readonly jobs: readonly JobRunner[]
  /** The id of the plugin in whose code an error arose, if that can be known. */
  readonly findCulprit: (error: unknown) => string | undefined
}

/** For an installation without plugins. */
export const noPlugins: Plugins = {
  ids: [],
  events: [],
  consoles: [],
  settings: {},
  readSettings: () => ({}),
  openEvents: new Set(),
  addRoutes: async () => {},
  assertReadable: async () => {},
  react: async () => {},
  reactToMany: async () => {},
  jobs: [],
  findCulprit: () => undefined,
}

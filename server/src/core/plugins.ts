import type { FastifyInstance } from 'fastify'
import type { TProperties } from 'typebox'
import type { Actor, Tx } from './context.ts'

/** Something that happened, as the audit log has it. */
export interface Event {
  readonly event: string
  readonly actor: Actor
  readonly subject: { readonly type: string; readonly id: number | null }
  readonly details: Readonly<Record<string, unknown>> | undefined
}

/** What the listed plugins add to the core, as far as the core knows of them. */
export interface Plugins {
  readonly ids: readonly string[]
  /** Where the console half of each plugin is that has one, below the public URL. */
  readonly consoles: readonly string[]
  /** Their settings by full name (`{id}.{name}`), each with a default. */
  readonly settings: TProperties
  /** The values of their settings: what is stored as far as it fits its schema, else the default. */
  readonly readSettings: (stored: Readonly<Record<string, unknown>>) => Record<string, unknown>
  readonly addRoutes: (app: FastifyInstance) => Promise<void>
  /** Lets them react, in the transaction of the event. */
  readonly react: (tx: Tx, event: Event) => Promise<void>
  /** Starts their jobs. */
  readonly start: () => void
  /** Runs each job until it has no more to do; for tests, which start none. */
  readonly runJobs: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** None is listed. */
export const noPlugins: Plugins = {
  ids: [],
  consoles: [],
  settings: {},
  readSettings: () => ({}),
  addRoutes: async () => {},
  react: async () => {},
  start: () => {},
  runJobs: async () => {},
  stop: async () => {},
}

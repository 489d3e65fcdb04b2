/**
 * The whole API for the server half of a plugin. A plugin imports only this package of Gatehouse. The installation that
 * loads the plugin provides the package, so that both use the same version. See docs/plugins.md.
 */
import type { Plugin, Shape } from './plugin.ts'

export { type Generated, type Kysely, type Selectable, sql } from 'kysely'
export { type Static, type TSchema, Type } from 'typebox'
export type { Host, Mail, MailTemplate, Profile, Progress, ReadDb, Reads, Recipient, Tx, WriteDb } from './host.ts'
export type { Column, Filter, Include, ListDefinition } from './list.ts'
export type { Migration, MigrationTools } from './migration.ts'
export type { ErrorTable, Event, Job, Permission, Plugin, Reaction, ReactionToMany, Shape } from './plugin.ts'
export {
  type Access,
  type Actor,
  type Call,
  type Draft,
  defineRoute,
  type FileAnswer,
  type ListRoute,
  type ObjectRoute,
  type Route,
} from './route.ts'
export { Id, IncludedUser, named, Timestamp } from './schemas.ts'

/**
 * Defines a plugin; the default export of its package. Only `id` is mandatory.
 *
 * @example
 * export default definePlugin({ id: 'hello', routes: () => [{ method: 'GET', path: '/hello', … }] })
 */
export const definePlugin = <S extends Shape = Shape>(plugin: Plugin<S>): Plugin<S> => plugin

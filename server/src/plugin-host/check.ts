import type { Plugin } from '@gatehouse/plugin-kit'
import { fits } from '../core/draft.ts'
import { defineErrors, errorCatalogue } from '../core/errors.ts'
import { coreEvents } from '../core/events.ts'
import type { LoadedPlugin } from './load.ts'
import { refusePlugin } from './refuse.ts'

/** Every part that a plugin can have. */
const parts: Record<string, keyof typeof kinds> = {
  id: 'string',
  migrations: 'object',
  permissions: 'array',
  events: 'array',
  settings: 'object',
  errors: 'object',
  mails: 'object or a URL',
  openEvents: 'array',
  routes: 'function',
  jobs: 'function',
  on: 'function',
  onMany: 'function',
} as const

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

const kinds = {
  string: (value: unknown) => typeof value === 'string',
  array: Array.isArray,
  object: isObject,
  'object or a URL': isObject,
  function: (value: unknown) => typeof value === 'function',
}

/** The id in the form of database names and error codes. */
export const snakeId = (id: string): string => id.replaceAll('-', '_')

/** The prefixes of the core's settings and permissions. */
const reserved = new Set([
  ...['users', 'roles', 'permissions', 'settings', 'api-keys', 'deliveries', 'activity', 'sessions', 'plugins'],
  ...['registration', 'password', 'session', 'webhooks', 'gatehouse'],
])

/** Checks that the default export of a package is a plugin that uses only its own names. */
export function checkPlugin(source: string, value: unknown): Plugin {
  if (isObject(value) && Object.hasOwn(value as object, '__esModule'))
    return refusePlugin(
      source,
      'it is compiled to CommonJS. Write "type": "module" into its package.json and its modules as ES modules.',
    )
  if (typeof value !== 'object' || value === null || !('id' in value))
    return refusePlugin(source, 'its package has no plugin as its default export (export default definePlugin({ … })).')
  const plugin = value as Plugin
  const { id } = plugin
  if (typeof id !== 'string' || !/^[a-z](?:[a-z0-9]|-(?=[a-z0-9])){0,30}$/.test(id))
    return refusePlugin(source, `the id ${JSON.stringify(id)} is not 1 to 31 lower-case letters, digits and dashes.`)
  if (reserved.has(id)) return refusePlugin(source, `the id "${id}" is a name of the core's own.`)
  for (const [name, part] of Object.entries(plugin)) {
    const kind = parts[name]
    if (kind === undefined)
      return refusePlugin(source, `a plugin has no "${name}". Known are ${Object.keys(parts).join(', ')}.`)
    if (part !== undefined && !kinds[kind](part))
      return refusePlugin(source, `its "${name}" must be ${/^[ao]/.test(kind) ? 'an' : 'a'} ${kind}.`)
  }
  checkPermissions(source, plugin)
  checkMigrations(source, plugin)
  checkEvents(source, plugin)
  checkSettings(source, plugin)
  checkErrors(source, plugin)
  return plugin
}

function checkPermissions(source: string, { id, permissions = [] }: Plugin): void {
  if (permissions.some((permission) => typeof permission?.name !== 'string'))
    refusePlugin(source, 'a permission must be an object with a name, a display_name and a description.')
  const names = permissions.map(({ name }) => name)
  const stray = names.find((name) => !name.startsWith(`${id}.`) || name !== name.toLowerCase().trim())
  if (stray !== undefined) refusePlugin(source, `the permission "${stray}" must begin with "${id}.", in lower case.`)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) refusePlugin(source, `the permission "${twice}" is there twice.`)
  const wordless = permissions.find((one) =>
    [one.display_name, one.description].some((text) => typeof text !== 'string'),
  )
  if (wordless !== undefined)
    refusePlugin(source, `the permission "${wordless.name}" needs a display_name and a description.`)
}

function checkMigrations(source: string, { migrations = {} }: Plugin): void {
  for (const [name, migration] of Object.entries(migrations)) {
    const missing = (['up', 'down'] as const).find((direction) => typeof migration?.[direction] !== 'function')
    if (missing !== undefined) refusePlugin(source, `the migration "${name}" has no ${missing}.`)
  }
}

function checkEvents(source: string, { events = [], openEvents = [] }: Plugin): void {
  for (const [index, name] of events.entries()) {
    if (!/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/.test(name)) {
      refusePlugin(source, `the event "${name}" is not of the form thing.happened, in lower case.`)
    }
    if (name in coreEvents) refusePlugin(source, `the event "${name}" is one of the core's.`)
    if (events.indexOf(name) !== index) refusePlugin(source, `the event "${name}" is there twice.`)
  }
  const stray = openEvents.find((name) => !events.includes(name))
  if (stray !== undefined) refusePlugin(source, `the open event "${stray}" is not among its events.`)
}

function checkSettings(source: string, { settings }: Plugin): void {
  if (settings !== undefined && typeof settings.properties !== 'object')
    refusePlugin(source, 'its settings must be a TypeBox object: Type.Object({ … }).')
  for (const [name, schema] of Object.entries(settings?.properties ?? {})) {
    if (!isObject(schema)) refusePlugin(source, `the setting "${name}" is no schema: Type.String({ … }).`)
    if (!('default' in schema)) refusePlugin(source, `the setting "${name}" has no default.`)
    const value: unknown = schema.default
    if (!['boolean', 'number', 'string'].includes(typeof value))
      refusePlugin(source, `the setting "${name}" must be a boolean, a number or a text, and so must its default.`)
    if (!fits(schema, value)) refusePlugin(source, `the default of the setting "${name}" does not fit its schema.`)
  }
}

type Errors = ReturnType<typeof defineErrors>
const declared = new WeakMap<object, Errors>()

/** The constructors of a plugin's errors. */
export const errorsOf = ({ errors }: Plugin): Errors => (errors === undefined ? {} : (declared.get(errors) ?? {}))

/** Adds its errors to the core's, so that the documentation includes them. */
function checkErrors(source: string, { id, errors }: Plugin): void {
  if (errors === undefined || declared.has(errors)) return
  const prefix = `${snakeId(id)}_`
  for (const [code, error] of Object.entries(errors)) {
    if (!Array.isArray(error) || typeof error[1] !== 'string')
      refusePlugin(source, `the error "${code}" must be [status, message].`)
    const [status] = error
    if (!code.startsWith(prefix)) refusePlugin(source, `the error code "${code}" must begin with "${prefix}".`)
    if (errorCatalogue.has(code)) refusePlugin(source, `the error code "${code}" is taken.`)
    if (!(status >= 400 && status < 500)) refusePlugin(source, `the error "${code}" needs a status from 400 to 499.`)
  }
  declared.set(errors, defineErrors(errors))
}

/** Checks for clashes between plugins. */
export function checkTogether(loaded: readonly LoadedPlugin[]): void {
  for (const [index, { plugin, source }] of loaded.entries()) {
    const other = loaded.slice(0, index).find((earlier) => earlier.plugin.id === plugin.id)
    if (other !== undefined) refusePlugin(source, `it has the same id, "${plugin.id}", as ${other.source}.`)
    for (const name of plugin.events ?? []) {
      const owner = loaded.slice(0, index).find((earlier) => earlier.plugin.events?.includes(name))
      if (owner !== undefined) refusePlugin(source, `the event "${name}" belongs to ${owner.source}.`)
    }
  }
}

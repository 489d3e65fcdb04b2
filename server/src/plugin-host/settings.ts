import type { Plugin } from '@gatehouse/plugin-kit'
import { type TProperties, type TSchema, Type } from 'typebox'
import { compileDraft } from '../core/draft.ts'
import type { ReadDb } from '../db/database.ts'

type Values = Record<string, unknown>

/** A plugin's settings. They are stored with the core's, as `{id}.{name}`. */
export interface PluginSettings {
  /** By full name. */
  readonly properties: TProperties
  /** The values by full name: the stored ones if they fit this version's schema, else the defaults. */
  readonly read: (stored: Readonly<Values>) => Values
  /** The current values by short name. */
  readonly load: (db: ReadDb) => Promise<Values>
}

export function pluginSettings({ id, settings }: Plugin): PluginSettings {
  const own: TProperties = settings?.properties ?? {}
  const names = Object.keys(own)
  const properties = Object.fromEntries(names.map((name) => [`${id}.${name}`, own[name] as TSchema]))
  const fullNames = Object.keys(properties)
  const defaults = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, (schema as { default?: unknown }).default]),
  )
  const fitting = compileDraft(Type.Partial(Type.Object(properties)))
  const read: PluginSettings['read'] = (stored) => {
    const known = Object.fromEntries(Object.entries(stored).filter(([name]) => Object.hasOwn(properties, name)))
    return { ...defaults, ...fitting(known).given }
  }
  const load: PluginSettings['load'] = async (db) => {
    if (names.length === 0) return {}
    const rows = await db.selectFrom('settings').selectAll().where('name', 'in', fullNames).execute()
    const values = read(Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value)])))
    return Object.fromEntries(names.map((name) => [name, values[`${id}.${name}`]]))
  }
  return { properties, read, load }
}

import { headingOf, words } from './words.ts'

/** Settings are one flat object, `{"registration.enabled": true}`; a form has a group for what stands before the dot. */

export type Value = string | number | boolean | null
export type Flat = Record<string, Value>
export type Nested = Record<string, Record<string, Value>>

/** What the OpenAPI document says of one setting: all that the form is made from, for the core and for plugins. */
export interface SettingSchema {
  readonly type: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly enum?: readonly Value[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly default?: Value
}

export interface Group {
  readonly id: string
  readonly label: string
  readonly settings: readonly { readonly name: string; readonly label: string; readonly schema: SettingSchema }[]
}

const titleOf = (name: string): string => {
  const words = name.replaceAll(/[_-]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const split = (name: string): [group: string, rest: string] => {
  const dot = name.indexOf('.')
  return dot < 0 ? ['general', name] : [name.slice(0, dot), name.slice(dot + 1)]
}

/** The settings under their headings: ours in our own words, those of plugins in theirs. */
export function groupsOf(schemas: Readonly<Record<string, SettingSchema>>): Group[] {
  const headed = Object.entries(schemas).map(([name, schema]) => {
    const [prefix, rest] = split(name)
    const { heading = titleOf(prefix), place } = headingOf(prefix)
    const { label = schema.title ?? titleOf(rest), help = schema.description } = words[name] ?? {}
    const described = help === undefined ? schema : { ...schema, description: help }
    return { heading, place, setting: { name, label, schema: described } }
  })
  const groups = Map.groupBy(
    headed.toSorted((a, b) => a.place - b.place),
    ({ heading }) => heading,
  )
  return [...groups].map(([label, members]) => ({ id: label, label, settings: members.map(({ setting }) => setting) }))
}

/** The server names a setting by its key; people know it by its label. */
export function inWords(errors: Readonly<Record<string, string>>, groups: readonly Group[]): Flat {
  const labels = new Map(groups.flatMap(({ settings }) => settings.map(({ name, label }) => [name, label] as const)))
  const known = [...labels].toSorted(([a], [b]) => b.length - a.length)
  const say = (text: string) =>
    known.reduce(
      (said, [name, label]) => said.replaceAll(name, `“${label}”`).replaceAll(name.replaceAll('_', ' '), `“${label}”`),
      text,
    )
  return Object.fromEntries(Object.entries(errors).map(([name, text]) => [name, say(text)]))
}

export function nest(flat: Flat): Nested {
  const nested: Nested = {}
  for (const [name, value] of Object.entries(flat)) {
    const [group, rest] = split(name)
    nested[group] = { ...nested[group], [rest]: value }
  }
  return nested
}

const orNull = (value: Value | undefined): Value => (value === '' || value === undefined ? null : value)

/** The fields of the form that differ from what is stored; an empty text field is null. */
export function changesOf(form: Nested, stored: Flat): Flat {
  const flat = Object.keys(stored).map((name) => {
    const [group, rest] = split(name)
    return [name, orNull(form[group]?.[rest])] as const
  })
  return Object.fromEntries(flat.filter(([name, value]) => value !== orNull(stored[name])))
}

import type { ConsolePlugin } from '@gatehouse/plugin-kit/console'
import { pages, resources } from './resources.ts'

/** Every part that the console half of a plugin can have; true for a list. */
const parts: Readonly<Record<keyof ConsolePlugin, boolean>> = {
  id: false,
  resources: true,
  pages: true,
  menu: true,
  events: false,
  banner: false,
  badge: false,
}

/** A function, or what `memo`, `lazy` and `forwardRef` return. */
const isComponent = (value: unknown): boolean =>
  typeof value === 'function' || (typeof value === 'object' && value !== null && '$$typeof' in value)

const isNeeds = (value: unknown): boolean => typeof value === 'string' || Array.isArray(value)

const refuse = (why: string): never => {
  throw new Error(`${why}.`)
}

function checkParts(plugin: ConsolePlugin, id: string): void {
  if (plugin.id !== id) refuse(`its id is ${JSON.stringify(plugin.id)}`)
  for (const [name, part] of Object.entries(plugin)) {
    const isList = (parts as Record<string, boolean>)[name]
    if (isList === undefined) refuse(`a console plugin has no "${name}". Known are ${Object.keys(parts).join(', ')}`)
    if (isList && part !== undefined && !Array.isArray(part)) refuse(`its "${name}" must be an array`)
  }
  for (const name of ['banner', 'badge'] as const) {
    if (plugin[name] !== undefined && !isComponent(plugin[name])) refuse(`its "${name}" is no component`)
  }
}

/**
 * Refuses a console half with which the console could not be drawn, or that would take the place of another one's pages:
 * the developer of a plugin has no types in plain JavaScript.
 */
export function checkPlugin(plugin: ConsolePlugin, id: string, earlier: readonly ConsolePlugin[]): void {
  checkParts(plugin, id)
  const names = [...resources, ...earlier.flatMap((other) => other.resources ?? [])].map(({ name }) => name)
  for (const { name, permission } of plugin.resources ?? []) {
    if (typeof name !== 'string' || !/^[\w-]+$/.test(name)) refuse(`${JSON.stringify(name)} is no name of a resource`)
    if (!isNeeds(permission?.read) || !isNeeds(permission?.write))
      refuse(`the resource "${name}" does not say who may read and write it`)
    if (names.includes(name)) refuse(`there is a resource "${name}" already`)
    names.push(name)
  }
  const paths = [...pages, ...earlier.flatMap((other) => other.pages ?? [])].map(({ path }) => path)
  for (const { path, component } of plugin.pages ?? []) {
    if (typeof path !== 'string' || !path.startsWith('/')) refuse(`the path "${path}" must begin with a slash`)
    if (!isComponent(component)) refuse(`the page "${path}" has no component`)
    if (paths.includes(path)) refuse(`there is a page "${path}" already`)
    paths.push(path)
  }
  const stray = plugin.menu?.find(({ to, label }) => typeof to !== 'string' || typeof label !== 'string')
  if (stray !== undefined) refuse('an entry of its menu has no "to" or no "label"')
}

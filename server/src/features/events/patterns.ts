import { coreEvents } from '../../core/events.ts'
import type { Plugins } from '../../core/plugins.ts'
import { type Fragment, fragment } from '../../http/lists/fragment.ts'

/** Every event that this installation can write. */
export const eventNames = (plugins: Pick<Plugins, 'events'>): string[] => [
  ...Object.keys(coreEvents),
  ...plugins.events,
]

const prefixOf = (pattern: string): string | undefined =>
  pattern === '*' ? '' : pattern.endsWith('.*') ? pattern.slice(0, -1) : undefined

/** True for `*`, a known name, and `user.*` where a name begins like that. */
export function isKnownPattern(pattern: string, names: readonly string[]): boolean {
  const prefix = prefixOf(pattern)
  return prefix === undefined ? names.includes(pattern) : names.some((name) => name.startsWith(prefix))
}

/** Tells whether an event matches one of the patterns: exact names, `user.*`, `*`. */
export function matcherOf(patterns: readonly string[]): (event: string) => boolean {
  const exact = new Set(patterns)
  const prefixes = patterns.map(prefixOf).filter((prefix) => prefix !== undefined)
  return (event) => exact.has(event) || prefixes.some((prefix) => event.startsWith(prefix))
}

/** The same as a condition on a column. */
export function matching(column: string, patterns: readonly string[]): Fragment {
  const conditions = patterns.map((pattern) => {
    const prefix = prefixOf(pattern)
    if (prefix === undefined) return fragment(`${column} = ?`, pattern)
    return prefix === '' ? fragment('1 = 1') : fragment(`substr(${column}, 1, ${prefix.length}) = ?`, prefix)
  })
  return {
    sql: `(${conditions.map(({ sql }) => sql).join(' or ')})`,
    parameters: conditions.flatMap(({ parameters }) => parameters),
  }
}

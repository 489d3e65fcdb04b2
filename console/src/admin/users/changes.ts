import type { User } from '../session.ts'

type Values = Partial<User>

/** The fields of a user that a form shows. */
export const partOf = (user: User, sources: readonly (keyof User)[]): Values =>
  Object.fromEntries(sources.map((source) => [source, user[source]]))

/** The fields that differ from what is stored: only those are sent, so that changes elsewhere stay. */
export function changesIn(values: Record<string, unknown>, record: Values): Record<string, unknown> {
  const sources = Object.keys(record) as (keyof User)[]
  const changed = sources.filter((source) => (values[source] ?? null) !== (record[source] ?? null))
  return Object.fromEntries(changed.map((source) => [source, values[source] ?? null]))
}

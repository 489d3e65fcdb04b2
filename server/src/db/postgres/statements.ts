import { hash } from 'node:crypto'
import type pg from 'pg'
import { countCache } from '../../core/cache-use.ts'
import { isPlannedEachTime } from '../dialect.ts'

/** The server keeps every named statement in the memory of every connection. */
const maxNamed = 300
/** How many texts are remembered before they are asked for often enough to be named. */
const maxSeen = 2_000

/** The server or pooler does not know a prepared statement (26000), or knows it already (42P05). */
const unknownStatementCodes = new Set(['26000', '42P05'])
/** A migration changed what the statement returns; it must be planned again. */
const staleStatementCode = '0A000'

const codeOf = (error: unknown): string => (error as { code?: string } | null)?.code ?? ''

/** True for errors that do not come back once `refuse` has heard of them. */
export const isStaleStatement = (error: unknown): boolean =>
  unknownStatementCodes.has(codeOf(error)) || codeOf(error) === staleStatementCode

/** Names for statements that are sent often, so that the server parses and plans each once a connection. */
export interface Statements {
  /** The query with its name, if it has one. */
  readonly named: (text: string, values: readonly unknown[]) => pg.QueryConfig
  /** Call it with every error. */
  readonly refuse: (text: string, error: unknown) => void
}

/**
 * A name is a hash of the text: behind a pooler that shares connections, two nodes never mean different statements by one
 * name. Poolers that do not keep named statements (PgBouncer before 1.21 in transaction mode) are noticed by their errors.
 */
export function createStatements(): Statements {
  const names = new Map<string, string>()
  const use = countCache('statements', names)
  const seen = new Set<string>()
  /** Part of each name; counts how often a statement became stale. */
  let version = 0
  let isNaming = true

  function nameOf(text: string): string | undefined {
    const name = names.get(text)
    if (name !== undefined || !isNaming || names.size >= maxNamed) return isNaming ? name : undefined
    if (isPlannedEachTime(text)) return undefined
    if (!seen.has(text)) {
      if (seen.size >= maxSeen) seen.clear()
      seen.add(text)
      return undefined
    }
    const made = `gatehouse_${hash('sha256', text, 'hex').slice(0, 32)}_${version}`
    names.set(text, made)
    return made
  }

  return {
    named: (text, values) => {
      const name = nameOf(text)
      if (name === undefined) {
        use.misses++
        return { text, values: [...values] }
      }
      use.hits++
      return { name, text, values: [...values] }
    },
    refuse: (text, error) => {
      if (isNaming && unknownStatementCodes.has(codeOf(error))) {
        isNaming = false
        names.clear()
      }
      if (codeOf(error) === staleStatementCode && names.delete(text)) version++
    },
  }
}

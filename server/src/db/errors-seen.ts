/** How often the database refused something since the start, by the code of the error. */
const seen = new Map<string, number>()

/** Beyond this number of different codes, none is added. */
const mostCodes = 100

export function noteDatabaseError(error: unknown): void {
  const { code } = (error ?? {}) as { code?: unknown }
  const name = typeof code === 'string' ? code : 'unknown'
  if (seen.has(name) || seen.size < mostCodes) seen.set(name, (seen.get(name) ?? 0) + 1)
}

/** The same error, counted: `throw noted(error)`. */
export function noted(error: unknown): unknown {
  noteDatabaseError(error)
  return error
}

export const databaseErrors = (): ReadonlyMap<string, number> => seen

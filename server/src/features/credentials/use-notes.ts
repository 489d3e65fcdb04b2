import type { Context } from '../../core/context.ts'
import { noteKeys, noteSessions, type Use } from './credentials.queries.ts'

/** How long uses are gathered before they are written. */
const gatherMs = 100

export interface UseNotes {
  readonly key: (use: Use<number>) => void
  readonly session: (use: Use<string>) => void
}

/**
 * Records when credentials were used: one statement for all sessions and one for all keys, without delaying a request. What
 * fails is not worth a failed request: the next use of the credential is recorded instead.
 */
export function createUseNotes({ unguarded: db }: Context): UseNotes {
  const keys = new Map<number, Use<number>>()
  const sessions = new Map<string, Use<string>>()
  let timer: NodeJS.Timeout | undefined

  async function write(): Promise<void> {
    timer = undefined
    const [usedKeys, usedSessions] = [[...keys.values()], [...sessions.values()]]
    keys.clear()
    sessions.clear()
    if (usedKeys.length > 0) await noteKeys(db, usedKeys).catch(() => {})
    if (usedSessions.length > 0) await noteSessions(db, usedSessions).catch(() => {})
  }

  const writeSoon = () => {
    if (timer === undefined) timer = setTimeout(write, gatherMs).unref()
  }
  return {
    key: (use) => {
      keys.set(use.id, use)
      writeSoon()
    },
    session: (use) => {
      sessions.set(use.id, use)
      writeSoon()
    },
  }
}

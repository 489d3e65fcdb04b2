import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../core/context.ts'
import { noteKeys, noteSessions, type Use } from './credentials.queries.ts'

/** How long uses are gathered before they are written. */
const gatherMs = 100
/** The longest that the first request of a key waits for its use to be written: reads go on while the database takes no writes. */
const firstUseMs = 250

export interface UseNotes {
  readonly key: (use: Use<number>) => void
  /** Resolves when the use is written: whoever has the answer to the first request of a key finds its use. */
  readonly firstOfKey: (use: Use<number>) => Promise<void>
  readonly session: (use: Use<string>) => void
}

/**
 * Records when credentials were used: one statement for all sessions and one for all keys, without delaying a request
 * except the first of a key. What fails is not worth a failed request: the next use of the credential is recorded instead.
 */
export function createUseNotes({ unguarded: db }: Context): UseNotes {
  const keys = new Map<number, Use<number>>()
  const sessions = new Map<string, Use<string>>()
  let timer: NodeJS.Timeout | undefined
  let written: Promise<void> | undefined

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    written = undefined
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
    firstOfKey: (use) => {
      keys.set(use.id, use)
      written ??= endOfTurn().then(write)
      return Promise.race([written, pause(firstUseMs, undefined, { ref: false })])
    },
    session: (use) => {
      sessions.set(use.id, use)
      writeSoon()
    },
  }
}

import type pg from 'pg'
import type { Pipeline } from './pipeline.ts'

const lookEveryMs = 500
/** A connection that was taken this long ago may wait for a server that answers nothing. */
const suspectAfterMs = 1_000

/**
 * Notices a server that is frozen or that vanished without closing its connections. While connections have been in use for long,
 * the server is asked something simple. If no answer comes within `answerMs`, they are all broken off, so that callers get an
 * error within about a second and a half more. A server that is merely slow still answers.
 */
export function createWatchdog(pool: pg.Pool, pipeline: Pipeline, answerMs: number): { stop: () => void } {
  const taken = new Map<pg.PoolClient, number>()
  pool.on('acquire', (client) => taken.set(client, performance.now()))
  pool.on('release', (_error, client) => taken.delete(client))
  pool.on('remove', (client) => taken.delete(client))
  let asking = false

  async function answers(): Promise<boolean> {
    const patience = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => patience.resolve(false), answerMs)
    // A server that refuses answers, too.
    const asked = pipeline.query({ text: 'select 1' }).then(
      () => true,
      (error) => error.severity !== undefined,
    )
    try {
      return await Promise.race([asked, patience.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async function look(): Promise<void> {
    const isSuspect = [...taken.values()].some((since) => performance.now() - since > suspectAfterMs)
    if (!isSuspect || asking) return
    asking = true
    const suspects = [...taken.keys()]
    if (!(await answers())) {
      for (const client of suspects) {
        if (!taken.has(client)) continue
        const { stream } = (client as unknown as { connection: { stream: { destroy: (error: Error) => void } } })
          .connection
        stream.destroy(new Error('Connection terminated: the database does not answer'))
      }
    }
    asking = false
  }

  const timer = setInterval(look, lookEveryMs).unref()
  return { stop: () => clearInterval(timer) }
}
